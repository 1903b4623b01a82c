// What the AI Engine devices are made of, as plain data: which tiles exist where, and what one tile
// of each kind has. The dialects aie and aiex check programs against it; backends/npu/device builds
// on it.
//
// Sources, named beside the figures in AieDevices.cpp:
//   [F]  facts/npu/formats.md and stream_switch.json (registers and ports of AIE2 and AIE2P)
//   [M]  the public device models of the mlir-aie project (sizes of the Versal devices)
//   [A1] AMD AM009 (AIE), the first generation
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace airlite::aie {

enum class Generation : uint8_t { AIE1, AIE2, AIE2P };

/// ShimNoc: interface tile with a DMA. ShimPl: interface tile to programmable logic only.
enum class TileKind : uint8_t { Core, Mem, ShimNoc, ShimPl };
inline constexpr size_t kNumTileKinds = 4;
/// "core tile", "memory tile", ...: as messages say it.
std::string_view tileKindName(TileKind kind);

/// Groups of stream ports. The values are those of the enumeration in text and JSON.
enum class Bundle : uint8_t {
  Core, DMA, FIFO, South, West, North, East, PLIO, NOC, Trace, TileControl,
};
inline constexpr size_t kNumBundles = 11;
std::span<const std::string_view, kNumBundles> bundleNames();
inline std::string_view bundleName(Bundle bundle) {
  return bundleNames()[static_cast<size_t>(bundle)];
}

enum class Direction : uint8_t { S2MM, MM2S };
std::string_view directionName(Direction direction);

/// A position in the array: column from the left, row from the bottom (row 0 is the shim).
struct TileId {
  int64_t col = 0;
  int64_t row = 0;
  bool operator==(const TileId&) const = default;
};

/// Ports of each bundle.
using PortCounts = std::array<uint8_t, kNumBundles>;

/// Limits of one dimension of a buffer descriptor.
struct BdDimension {
  uint32_t maxWrap = 0;  // elements (words in the innermost dimension); 0: has no wrap field
  uint32_t maxStep = 0;  // 32-bit words
  uint32_t maxPadBefore = 0, maxPadAfter = 0;  // 0: cannot be padded
};

/// What the buffer descriptors of a tile can say.
struct BdLimits {
  uint64_t maxLength = 0;                   // 32-bit words
  std::array<BdDimension, 4> dimensions{};  // innermost first
  uint8_t numDimensions = 0;
  uint32_t maxIterations = 0;     // repetitions with an own step; 0: cannot
  uint32_t maxIterationStep = 0;  // 32-bit words
};

/// What one tile of a kind has.
struct TileLimits {
  uint32_t memoryBytes = 0;
  uint8_t locks = 0;
  uint8_t maxLockValue = 0;
  uint8_t channels = 0;  // DMA channels in each direction
  uint8_t bds = 0;       // buffer descriptors, for all channels together
  BdLimits bd{};
  PortCounts masters{};  // ports out of the stream switch
  PortCounts slaves{};   // ports into the stream switch
};

struct Device {
  std::string_view name;
  uint32_t number;  // of the enumeration in generic text and JSON
  Generation generation;
  uint8_t columns, rows;
  uint8_t memRows;      // rows of memory tiles, from row 1 up
  uint64_t nocColumns;  // bit c: the shim of column c has a DMA

  bool contains(TileId tile) const {
    return tile.col >= 0 && tile.col < columns && tile.row >= 0 && tile.row < rows;
  }
  /// The tile must be in the device.
  TileKind kindOf(TileId tile) const;
  const TileLimits& limits(TileKind kind) const;
  /// May the core or DMA of `from` reach the memory and locks of `to`? Both in the device.
  bool reachesMemory(TileId from, TileId to) const;
  /// Bits of the cascade between cores.
  unsigned cascadeBits() const { return generation == Generation::AIE1 ? 384 : 512; }
};

/// In the order of their numbers.
std::span<const Device> devices();
/// Null when there is none.
const Device* findDevice(std::string_view name);
const Device* findDevice(uint32_t number);
/// What a program without an aie.device is for: the first device of the family.
const Device& defaultDevice();

/// A port of a stream switch.
struct Port {
  Bundle bundle;
  uint32_t channel;
  bool operator==(const Port&) const = default;
};

/// Ports that a flow may start from (`out` false: into the switch) or end at. The DMA of a shim is
/// reached through its multiplexer and counts here.
unsigned numFlowPorts(const Device& device, TileKind kind, Bundle bundle, bool out);
/// Can the stream switch of such a tile connect slave `from` to master `to`? Both ports exist.
bool isLegalConnection(const Device& device, TileKind kind, Port from, Port to);
/// Ports of the multiplexer between the stream switch of a shim and its DMA, NoC and PL.
unsigned numMuxPorts(Bundle bundle, bool out);

/// Stream switches route packets with this many arbiters, and msels of each [F].
inline constexpr unsigned kNumArbiters = 6;
inline constexpr unsigned kNumMsels = 4;
/// Rules that a slave port can hold [F].
inline constexpr unsigned kNumPacketRules = 4;
inline constexpr unsigned kMaxPacketId = 31;
inline constexpr unsigned kMaxPacketType = 7;
/// Repetitions that one entry of a DMA start queue can ask for [F].
inline constexpr unsigned kMaxTaskRepeats = 256;
/// Channels of a memory tile that reach its neighbours; the others reach its own memory only [F].
inline constexpr unsigned kNumNeighbourChannels = 4;
/// Descriptors of a memory tile: even channels use the first half, odd channels the second [F].
inline constexpr unsigned kMemTileBankSize = 24;

}  // namespace airlite::aie
