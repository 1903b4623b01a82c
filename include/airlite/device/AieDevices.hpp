// The table of AI Engine devices, as plain data: which tiles exist where, and what one tile of each
// kind has. Everything asks here: the dialects aie and aiex, analyses, recipes, and backends/npu,
// whose npu/device adds where the registers are. A new device is one row of kDevices.
//
//   const aie::Device* device = aie::findDevice("npu1");
//   device->limits(aie::TileKind::Core).memoryBytes;  // 65536
//
// Sources, named next to the figures:
//   [F]  docs/hardware/formats.md (registers and ports of AIE2 and AIE2P)
//   [M]  the public device models of the mlir-aie project (sizes of the Versal devices)
//   [A1] AMD AM009 (AIE), the first generation
//   [T]  docs/hardware/timing.md (banks of memory)
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace airlite::aie {

/// AIE2 is npu1 (Phoenix, Hawk Point), AIE2P is npu2 (Strix and later).
enum class Generation : uint8_t { Aie1, Aie2, Aie2p };

/// ShimNoc: interface tile with a DMA. ShimPl: interface tile to programmable logic only.
enum class TileKind : uint8_t { Core, Mem, ShimNoc, ShimPl };
inline constexpr size_t kNumTileKinds = 4;
/// "core tile", "memory tile", ...: as messages say it.
constexpr std::string_view tileKindName(TileKind kind) {
  constexpr std::string_view kNames[] = {"core tile", "memory tile", "shim tile with a DMA",
                                         "shim tile without a DMA"};
  return kNames[static_cast<size_t>(kind)];
}

/// Groups of stream ports. The values are those of the enumeration in text and JSON.
// clang-format off
enum class Bundle : uint8_t {
  Core, DMA, FIFO, South, West, North, East, PLIO, NOC, Trace, TileControl,
};
// clang-format on
inline constexpr size_t kNumBundles = 11;
inline constexpr std::array<std::string_view, kNumBundles> kBundleNames = {
    "Core", "DMA", "FIFO", "South", "West", "North", "East", "PLIO", "NOC", "Trace", "TileControl"};
constexpr std::string_view bundleName(Bundle bundle) {
  return kBundleNames[static_cast<size_t>(bundle)];
}

/// A port of a stream switch.
struct Port {
  Bundle bundle;
  uint32_t channel;
  bool operator==(const Port&) const = default;
};

enum class Direction : uint8_t { S2MM, MM2S };
constexpr std::string_view directionName(Direction direction) {
  return direction == Direction::MM2S ? "MM2S" : "S2MM";
}

/// A position in the array: column from the left, row from the bottom (row 0 is the shim).
struct TileId {
  int64_t col = 0;
  int64_t row = 0;
  bool operator==(const TileId&) const = default;
};

/// Of a word: what streams carry and what most fields of descriptors count.
inline constexpr int64_t kWordBytes = 4;

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

  constexpr unsigned numWraps() const {
    unsigned count = 0;
    for (const BdDimension& dimension : dimensions)
      count += dimension.maxWrap != 0;
    return count;
  }
};

/// What one tile of a kind has.
struct TileLimits {
  uint32_t memoryBytes = 0;
  uint32_t programBytes = 0;  // of a core; 0: none, or not described
  uint8_t banks = 0;          // what two accesses of one cycle must not share; 0: not described
  uint8_t locks = 0;
  uint8_t maxLockValue = 0;
  uint8_t channels = 0;  // DMA channels in each direction
  uint8_t bds = 0;       // buffer descriptors, for all channels together
  BdLimits bd{};
  PortCounts masters{};  // ports out of the stream switch
  PortCounts slaves{};   // ports into the stream switch
};

// -- Buffer descriptors [F section 3]: a field of n bits holds steps up to 2^n (step minus one),
// wraps up to 2^n - 1, iterations up to 2^n (minus one). npu/device/BufferDescriptor.cpp has the
// fields; a test holds it to these figures.

namespace table {

constexpr uint32_t bits(unsigned n) { return (uint32_t{1} << n) - 1; }
constexpr uint32_t power(unsigned n) { return uint32_t{1} << n; }

inline constexpr BdLimits kCoreBd = {
    .maxLength = bits(14),
    .dimensions = {{{bits(8), power(13)}, {bits(8), power(13)}, {0, power(13)}, {}}},
    .numDimensions = 3,
    .maxIterations = power(6),
    .maxIterationStep = power(13)};
inline constexpr BdLimits kMemBd = {.maxLength = bits(17),
                                    .dimensions = {{{bits(10), power(17), bits(6), bits(6)},
                                                    {bits(10), power(17), bits(5), bits(5)},
                                                    {bits(10), power(17), bits(4), bits(4)},
                                                    {0, power(17)}}},
                                    .numDimensions = 4,
                                    .maxIterations = power(6),
                                    .maxIterationStep = power(17)};
inline constexpr BdLimits kShimBd = {
    .maxLength = 0xFFFFFFFF,
    .dimensions = {{{bits(10), power(20)}, {bits(10), power(20)}, {0, power(20)}, {}}},
    .numDimensions = 3,
    .maxIterations = power(6),
    .maxIterationStep = power(20)};
// The first generation has no n-dimensional descriptors of this form; 13 bits of length [A1].
inline constexpr BdLimits kFirstCoreBd = {.maxLength = power(13)};
inline constexpr BdLimits kFirstShimBd = {.maxLength = 0xFFFFFFFF};

// -- Tiles, in the order of TileKind, with ports in the order of Bundle:
//    Core DMA FIFO South West North East PLIO NOC Trace TileControl

// clang-format off
inline constexpr TileLimits kFirstGeneration[kNumTileKinds] = {
    // Core [A1]
    {.memoryBytes = 32 * 1024, .locks = 16, .maxLockValue = 1, .channels = 2, .bds = 16,
     .bd = kFirstCoreBd,
     .masters = {2, 2, 2, 4, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {2, 2, 2, 6, 4, 4, 4, 0, 0, 2, 1}},
    {},  // no memory tiles
    // Shim with DMA [A1]
    {.locks = 16, .maxLockValue = 1, .channels = 2, .bds = 16, .bd = kFirstShimBd,
     .masters = {0, 0, 2, 6, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {0, 0, 2, 8, 4, 4, 4, 0, 0, 1, 1}},
    {.masters = {0, 0, 2, 6, 4, 6, 4, 0, 0, 0, 1}, .slaves = {0, 0, 2, 8, 4, 4, 4, 0, 0, 1, 1}},
};
inline constexpr TileLimits kSecondGeneration[kNumTileKinds] = {
    // Core [F sections 1, 4.1; banks T]
    {.memoryBytes = 64 * 1024, .programBytes = 16 * 1024, .banks = 4,
     .locks = 16, .maxLockValue = 63, .channels = 2, .bds = 16, .bd = kCoreBd,
     .masters = {1, 2, 1, 4, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {1, 2, 1, 6, 4, 4, 4, 0, 0, 2, 1}},
    // Memory tile [F sections 1, 4.1; banks T]
    {.memoryBytes = 512 * 1024, .banks = 16,
     .locks = 64, .maxLockValue = 63, .channels = 6, .bds = 48, .bd = kMemBd,
     .masters = {0, 6, 0, 4, 0, 6, 0, 0, 0, 0, 1},
     .slaves = {0, 6, 0, 6, 0, 4, 0, 0, 0, 1, 1}},
    // Shim with DMA [F sections 1, 4.1]. The driver accepts a second Trace slave; no tool uses it.
    {.locks = 16, .maxLockValue = 63, .channels = 2, .bds = 16, .bd = kShimBd,
     .masters = {0, 0, 1, 6, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {0, 0, 1, 8, 4, 4, 4, 0, 0, 1, 1}},
    {.masters = {0, 0, 1, 6, 4, 6, 4, 0, 0, 0, 1}, .slaves = {0, 0, 1, 8, 4, 4, 4, 0, 0, 1, 1}},
};
// clang-format on

}  // namespace table

/// What the tiles of a generation have; nothing in kinds that it lacks.
constexpr const TileLimits& limitsOf(Generation generation, TileKind kind) {
  const TileLimits* tiles =
      generation == Generation::Aie1 ? table::kFirstGeneration : table::kSecondGeneration;
  return tiles[static_cast<size_t>(kind)];
}
/// The memory of the host, as what the shims of a device share, in each direction. A request for fewer bytes takes the time
/// of a whole one.
struct HostMemory {
  uint32_t bytesPerCycle, requestBytes;
};
/// [T], DDR: 15 GB/s at 1.0 GHz and requests of 256 bytes; AIE2P 50 GB/s at 1.8 GHz and 512.
constexpr HostMemory hostMemoryOf(Generation generation) {
  return generation == Generation::Aie2p ? HostMemory{27, 512} : HostMemory{15, 256};
}
/// Bits of the cascade between cores [F, A1].
constexpr unsigned cascadeBits(Generation generation) {
  return generation == Generation::Aie1 ? 384 : 512;
}

/// The chip that an NPU is a part of, as images name it [F section 8.1].
struct NpuChip {
  uint8_t columns = 0;          // that a design can use
  uint8_t physicalColumns = 0;  // of the array
  uint8_t firstPartColumn = 0;  // where a part of it may start; all of it starts at 0
  uint8_t transactionCode = 0;  // the generation byte of a TXN header
};

struct Device {
  std::string_view name;
  uint32_t number;  // of the enumeration in generic text and JSON
  Generation generation;
  uint8_t columns, rows;
  uint8_t memRows;      // rows of memory tiles, from row 1 up
  uint64_t nocColumns;  // bit c: the shim of column c has a DMA
  NpuChip chip = {};    // all 0: no NPU

  constexpr bool isNpu() const { return chip.columns != 0; }
  /// Programs can be compiled for it.
  constexpr bool isTarget() const { return isNpu(); }
  constexpr unsigned firstCoreRow() const { return 1 + memRows; }
  constexpr unsigned coreRows() const { return rows - firstCoreRow(); }
  constexpr bool contains(TileId tile) const {
    return tile.col >= 0 && tile.col < columns && tile.row >= 0 && tile.row < rows;
  }
  /// The tile must be in the device.
  constexpr TileKind kindOf(TileId tile) const {
    if (tile.row == 0) return (nocColumns >> tile.col) & 1 ? TileKind::ShimNoc : TileKind::ShimPl;
    return tile.row <= memRows ? TileKind::Mem : TileKind::Core;
  }
  constexpr const TileLimits& limits(TileKind kind) const { return limitsOf(generation, kind); }
  /// May the core or DMA of `from` reach the memory and locks of `to`? Both in the device.
  constexpr bool reachesMemory(TileId from, TileId to) const;
  constexpr unsigned cascadeBits() const { return aie::cascadeBits(generation); }
};

// A core sees its own memory, those north and south of it, and one beside it [F section 1.1]. The
// first generation alternates: even rows have their own memory to the west, odd rows to the east
// [M]. A memory tile sees its neighbours in the row [F section 1.2].
constexpr bool Device::reachesMemory(TileId from, TileId to) const {
  if (from == to) return true;
  if (kindOf(from) != kindOf(to)) return false;
  if (kindOf(from) == TileKind::Mem)
    return from.row == to.row && (from.col == to.col + 1 || from.col == to.col - 1);
  if (kindOf(from) != TileKind::Core) return false;
  if (from.col == to.col) return from.row == to.row + 1 || from.row == to.row - 1;
  if (from.row != to.row) return false;
  bool eastward = generation == Generation::Aie1 && from.row % 2 == 0;
  return to.col == (eastward ? from.col + 1 : from.col - 1);
}

namespace table {

constexpr uint64_t columns(std::initializer_list<unsigned> list) {
  uint64_t bits = 0;
  for (unsigned column : list)
    bits |= uint64_t{1} << column;
  return bits;
}
constexpr uint64_t firstColumns(unsigned count) { return (uint64_t{1} << count) - 1; }

/// The first `columns` columns of an NPU; a row has the same of everything in each column.
constexpr Device npu1(std::string_view name, uint32_t number, uint8_t columns) {
  return {name, number, Generation::Aie2, columns, 6, 1, firstColumns(columns), {4, 5, 1, 3}};
}
constexpr Device npu2(std::string_view name, uint32_t number, uint8_t columns) {
  return {name, number, Generation::Aie2p, columns, 6, 1, firstColumns(columns), {8, 8, 0, 4}};
}

}  // namespace table

/// In the order of their numbers. Sizes of the NPU family [F section 1]; the Versal devices [M].
// clang-format off
inline constexpr Device kDevices[] = {
    {"xcvc1902", 1, Generation::Aie1, 50, 9, 0,
     table::columns({2, 3, 6, 7, 10, 11, 18, 19, 26, 27, 34, 35, 42, 43, 46, 47})},
    {"xcve2302", 2, Generation::Aie2, 17, 4, 1, table::columns({2, 3, 6, 7, 10, 11})},
    {"xcve2802", 3, Generation::Aie2, 38, 11, 2,
     table::columns({2, 3, 6, 7, 14, 15, 22, 23, 30, 31, 34, 35})},
    table::npu1("npu1", 4, 4),
    table::npu1("npu1_1col", 5, 1),
    table::npu1("npu1_2col", 6, 2),
    table::npu1("npu1_3col", 7, 3),
    table::npu2("npu2", 8, 8),
    table::npu2("npu2_1col", 9, 1),
    table::npu2("npu2_2col", 10, 2),
    table::npu2("npu2_3col", 11, 3),
    table::npu2("npu2_4col", 12, 4),
    table::npu2("npu2_5col", 13, 5),
    table::npu2("npu2_6col", 14, 6),
    table::npu2("npu2_7col", 15, 7),
};
// clang-format on

constexpr std::span<const Device> devices() { return kDevices; }
inline constexpr auto kDeviceNames = [] {
  std::array<std::string_view, std::size(kDevices)> names;
  for (size_t i = 0; i < names.size(); ++i)
    names[i] = kDevices[i].name;
  return names;
}();

/// Null when there is none.
constexpr const Device* findDevice(std::string_view name) {
  for (const Device& device : kDevices)
    if (device.name == name) return &device;
  return nullptr;
}
constexpr const Device* findDevice(uint32_t number) {
  for (const Device& device : kDevices)
    if (device.number == number) return &device;
  return nullptr;
}
/// What a program without an aie.device is for: the first device of the family.
constexpr const Device& defaultDevice() { return kDevices[0]; }
/// What recipes and passes plan for when no device is named.
constexpr const Device& defaultNpu() { return *findDevice("npu1"); }

/// Packet ids and types are fields of 5 and 3 bits of the header [F].
inline constexpr unsigned kMaxPacketId = 31;
inline constexpr unsigned kMaxPacketType = 7;
/// Repetitions that one entry of a DMA start queue can ask for [F].
inline constexpr unsigned kMaxTaskRepeats = 256;
/// Channels of a memory tile that reach its neighbours; the others reach its own memory only [F].
inline constexpr unsigned kNumNeighbourChannels = 4;
/// Descriptors of a memory tile: even channels use the first half, odd channels the second [F].
inline constexpr unsigned kMemTileBankSize = limitsOf(Generation::Aie2, TileKind::Mem).bds / 2;

}  // namespace airlite::aie
