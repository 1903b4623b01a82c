#include "airlite/npu/device/StreamSwitch.hpp"

#include <array>

namespace airlite::npu {
namespace {

constexpr std::array<std::string_view, bundleCount> bundleNames = {
    "CORE", "DMA", "CTRL", "FIFO", "SOUTH", "WEST", "NORTH", "EAST", "TRACE"};

using enum Bundle;
/// The bundles as the table of devices calls them; ports are numbered in the order here.
constexpr std::array<aie::Bundle, bundleCount> modelBundles = {
    aie::Bundle::Core,  aie::Bundle::DMA,   aie::Bundle::TileControl,
    aie::Bundle::FIFO,  aie::Bundle::South, aie::Bundle::West,
    aie::Bundle::North, aie::Bundle::East,  aie::Bundle::Trace};

aie::Port modelOf(Port port) { return {modelBundles[unsigned(port.bundle)], port.channel}; }

constexpr ShimMuxField muxFields[] = {
    {true, {South, 2}, 8, -1},  {true, {South, 3}, 10, 0},   {true, {South, 6}, 12, -1},
    {true, {South, 7}, 14, 1},  {false, {South, 2}, 4, 0},   {false, {South, 3}, 6, 1},
    {false, {South, 4}, 8, -1}, {false, {South, 5}, 10, -1},
};

constexpr uint32_t enableBit = 1u << 31;
constexpr uint32_t packetBit = 1u << 30;
constexpr uint32_t dropBit = 1u << 7;
constexpr uint32_t slotEnableBit = 1u << 8;

Error tooLarge(const char* field, unsigned needed, unsigned limit) {
  return {std::string(field) + " is " + std::to_string(needed) + ", the switch has 0.." +
          std::to_string(limit)};
}

Error unknownBits(const char* what, uint32_t word, uint32_t known) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string hex;
  for (int shift = 28; shift >= 0; shift -= 4)
    hex += digits[(word & ~known) >> shift & 15];
  return {std::string(what) + " has bits that no field names: 0x" + hex};
}

uint32_t switchBase(TileKind kind) { return kind == TileKind::Mem ? 0xB0000 : 0x3F000; }

}  // namespace

std::string_view name(Bundle bundle) { return bundleNames[unsigned(bundle)]; }

std::optional<Bundle> bundleNamed(std::string_view text) {
  for (unsigned i = 0; i < bundleCount; ++i)
    if (bundleNames[i] == text) return Bundle(i);
  return std::nullopt;
}

std::string name(Port port) {
  return std::string(name(port.bundle)) + std::to_string(port.channel);
}

unsigned portCount(TileKind kind, PortSide side, Bundle bundle) {
  const aie::TileLimits& model = modelOf(kind);
  return (side == PortSide::Master ? model.masters
                                   : model.slaves)[unsigned(modelBundles[unsigned(bundle)])];
}

unsigned portCount(TileKind kind, PortSide side) {
  unsigned count = 0;
  for (unsigned i = 0; i < bundleCount; ++i)
    count += portCount(kind, side, Bundle(i));
  return count;
}

std::optional<unsigned> portIndex(TileKind kind, PortSide side, Port port) {
  if (port.channel >= portCount(kind, side, port.bundle)) return std::nullopt;
  unsigned start = 0;
  for (unsigned i = 0; i < unsigned(port.bundle); ++i)
    start += portCount(kind, side, Bundle(i));
  return start + port.channel;
}

std::optional<Port> portAt(TileKind kind, PortSide side, unsigned index) {
  for (unsigned i = 0; i < bundleCount; ++i) {
    const unsigned count = portCount(kind, side, Bundle(i));
    if (index < count) return Port{Bundle(i), uint8_t(index)};
    index -= count;
  }
  return std::nullopt;
}

bool canConnect(TileKind kind, Port slave, Port master) {
  if (!portIndex(kind, PortSide::Slave, slave)) return false;
  if (!portIndex(kind, PortSide::Master, master)) return false;
  return aie::isLegalConnection(aie::Generation::Aie2, modelKind(kind), modelOf(slave),
                                modelOf(master));
}

std::optional<Wire> wireOf(TileKind kind, Port master) {
  if (!portIndex(kind, PortSide::Master, master)) return std::nullopt;
  switch (master.bundle) {
    case North: return Wire{0, 1, {South, master.channel}};
    case South:
      if (kind == TileKind::Shim) return std::nullopt;
      return Wire{0, -1, {North, master.channel}};
    case East: return Wire{1, 0, {West, master.channel}};
    case West: return Wire{-1, 0, {East, master.channel}};
    default: return std::nullopt;
  }
}

Result<uint32_t> encode(const MasterConfig& config) {
  const uint32_t flags = (config.isEnabled ? enableBit : 0) | (config.isPacket ? packetBit : 0) |
                         (config.dropsHeader ? dropBit : 0);
  if (!config.isPacket && config.slave > 0x7F) return tooLarge("slave", config.slave, 0x7F);
  if (!config.isPacket && config.dropsHeader)
    return Error{"a master in circuit mode has no header to drop"};
  if (!config.isPacket) return flags | config.slave;
  if (config.arbiter > 7) return tooLarge("arbiter", config.arbiter, 7);
  if (config.msels > 15) return tooLarge("msel enables", config.msels, 15);
  return flags | uint32_t(config.msels) << 3 | config.arbiter;
}

Result<uint32_t> encode(const SlaveConfig& config) {
  return (config.isEnabled ? enableBit : 0) | (config.isPacket ? packetBit : 0);
}

Result<uint32_t> encode(const SlotConfig& config) {
  if (config.id >= packetIdCount) return tooLarge("packet id", config.id, packetIdCount - 1);
  if (config.mask >= packetIdCount) return tooLarge("mask", config.mask, packetIdCount - 1);
  if (config.msel >= mselCount) return tooLarge("msel", config.msel, mselCount - 1);
  if (config.arbiter > 7) return tooLarge("arbiter", config.arbiter, 7);
  return uint32_t(config.id) << 24 | uint32_t(config.mask) << 16 |
         (config.isEnabled ? slotEnableBit : 0) | uint32_t(config.msel) << 4 | config.arbiter;
}

Result<MasterConfig> decodeMaster(uint32_t word) {
  const bool isPacket = word & packetBit;
  const uint32_t known = enableBit | packetBit | (isPacket ? dropBit | 0x7F : 0x7F);
  if (word & ~known) return unknownBits("master", word, known);
  MasterConfig config{bool(word & enableBit), isPacket, bool(word & dropBit)};
  if (!isPacket) config.slave = word & 0x7F;
  if (isPacket) config.arbiter = word & 7;
  if (isPacket) config.msels = word >> 3 & 15;
  return config;
}

Result<SlaveConfig> decodeSlave(uint32_t word) {
  if (word & ~(enableBit | packetBit)) return unknownBits("slave", word, enableBit | packetBit);
  return SlaveConfig{bool(word & enableBit), bool(word & packetBit)};
}

Result<SlotConfig> decodeSlot(uint32_t word) {
  constexpr uint32_t known = 0x1F1F0137;
  if (word & ~known) return unknownBits("slot", word, known);
  return SlotConfig{bool(word & slotEnableBit), uint8_t(word >> 24), uint8_t(word >> 16 & 31),
                    uint8_t(word >> 4 & 3), uint8_t(word & 7)};
}

uint32_t masterOffset(TileKind kind, unsigned index) { return switchBase(kind) + 4 * index; }
uint32_t slaveOffset(TileKind kind, unsigned index) { return switchBase(kind) + 0x100 + 4 * index; }
uint32_t slotOffset(TileKind kind, unsigned index, unsigned slot) {
  return switchBase(kind) + 0x200 + 0x10 * index + 4 * slot;
}

std::span<const ShimMuxField> shimMuxFields() { return muxFields; }

const ShimMuxField* shimMuxFor(bool intoArray, unsigned channel) {
  for (const auto& field : muxFields)
    if (field.intoArray == intoArray && field.channel == int(channel)) return &field;
  return nullptr;
}

}  // namespace airlite::npu
