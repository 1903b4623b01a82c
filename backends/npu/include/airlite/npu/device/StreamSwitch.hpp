// The stream switch of a tile: its ports, which connections exist, and the words that make them.
// Ports and legal connections are those of the table of devices, airlite/device/AieSwitches.hpp.
// Source: docs/hardware/formats.md section 4 (1095 connections enumerated with the driver, AIE2
// and AIE2P identical).
//
//   bool isLegal = canConnect(TileKind::Core, {Bundle::Dma, 0}, {Bundle::North, 2});
#pragma once

#include "airlite/device/AieSwitches.hpp"
#include "airlite/npu/device/Tile.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace airlite::npu {

/// What a group of ports leads to.
enum class Bundle : uint8_t { Core, Dma, Ctrl, Fifo, South, West, North, East, Trace };
constexpr unsigned bundleCount = 9;

/// "CORE", "DMA", ...: as messages spell it.
std::string_view name(Bundle bundle);
std::optional<Bundle> bundleNamed(std::string_view name);

/// One port of a switch: SOUTH 3. Which side (master or slave) the user of it says.
struct Port {
  Bundle bundle = Bundle::Dma;
  uint8_t channel = 0;
  friend constexpr auto operator<=>(Port, Port) = default;
};
/// "SOUTH3".
std::string name(Port port);

/// Slaves bring data into the switch, masters take it out.
enum class PortSide : uint8_t { Master, Slave };

/// How many channels of `bundle` the switch of such a tile has on that side; 0 for none.
unsigned portCount(TileKind kind, PortSide side, Bundle bundle);
/// All ports of that side.
unsigned portCount(TileKind kind, PortSide side);
/// Number of the port in the register map, none when there is no such port.
std::optional<unsigned> portIndex(TileKind kind, PortSide side, Port port);
std::optional<Port> portAt(TileKind kind, PortSide side, unsigned index);

/// Whether data can go from that slave to that master. A missing port has no connection.
bool canConnect(TileKind kind, Port slave, Port master);

/// What a port is wired to.
struct Wire {
  int columns;  ///< how many columns to the right the other tile is
  int rows;     ///< how many rows above
  Port slave;   ///< of the other tile
};
/// The slave that a master feeds in the neighbouring tile; none for ports that stay in the tile
/// (DMA, CORE, CTRL, FIFO). SOUTH masters of the shim lead to the DMA or out of the array: none.
std::optional<Wire> wireOf(TileKind kind, Port master);

/// Arbiters and msels of a switch, rules of a slave.
constexpr unsigned arbiterCount = aie::kNumArbiters;
constexpr unsigned mselCount = aie::kNumMsels;
constexpr unsigned slotCount = aie::kNumPacketRules;
constexpr unsigned packetIdCount = aie::kMaxPacketId + 1;
constexpr unsigned packetTypeCount = aie::kMaxPacketType + 1;

/// The configuration of one master.
struct MasterConfig {
  bool isEnabled = true;
  bool isPacket = false;
  bool dropsHeader = false;  ///< packet mode
  uint8_t slave = 0;         ///< circuit mode: index of the slave port
  uint8_t arbiter = 0;       ///< packet mode
  uint8_t msels = 0;         ///< packet mode: bit m lets packets of msel m pass
  friend bool operator==(const MasterConfig&, const MasterConfig&) = default;
};
struct SlaveConfig {
  bool isEnabled = true;
  bool isPacket = false;
  friend bool operator==(const SlaveConfig&, const SlaveConfig&) = default;
};
/// A rule of a slave in packet mode: packets with ((id ^ slot.id) & mask) == 0 take it.
struct SlotConfig {
  bool isEnabled = true;
  uint8_t id = 0;
  uint8_t mask = 0;
  uint8_t msel = 0;
  uint8_t arbiter = 0;
  friend bool operator==(const SlotConfig&, const SlotConfig&) = default;
};

/// Register words. Encoding refuses what does not fit its field (by name) or does not exist;
/// decoding refuses bits that no field names.
Result<uint32_t> encode(const MasterConfig& config);
Result<uint32_t> encode(const SlaveConfig& config);
Result<uint32_t> encode(const SlotConfig& config);
Result<MasterConfig> decodeMaster(uint32_t word);
Result<SlaveConfig> decodeSlave(uint32_t word);
Result<SlotConfig> decodeSlot(uint32_t word);

/// Offsets of the registers within the tile.
uint32_t masterOffset(TileKind kind, unsigned index);
uint32_t slaveOffset(TileKind kind, unsigned index);
uint32_t slotOffset(TileKind kind, unsigned index, unsigned slot);

/// A connection of the shim's own DMA to its switch: a field of two bits in the multiplexer
/// (0x1F000, data into the array) or demultiplexer (0x1F004, out of it).
struct ShimMuxField {
  bool intoArray;
  Port port;  ///< slave SOUTHn (into the array) or master SOUTHn (out of it)
  uint8_t lsb;
  int8_t channel;  ///< of MM2S (into the array) or S2MM; -1: no DMA channel is there
};
constexpr uint32_t shimMuxOffset = 0x1F000;
constexpr uint32_t shimDemuxOffset = 0x1F004;
/// What the two bits choose.
enum class ShimSource : uint8_t { Fabric = 0, Dma = 1, Noc = 2 };
std::span<const ShimMuxField> shimMuxFields();
/// The field that connects DMA channel `channel` of the shim; null when there is no such channel.
const ShimMuxField* shimMuxFor(bool intoArray, unsigned channel);

}  // namespace airlite::npu
