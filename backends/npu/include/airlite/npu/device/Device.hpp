// The device as its registers show it: the addresses for memories, BDs, channels and locks, and
// what a core or a DMA sees of its neighbours. How many there are of each is in the table of all
// devices, airlite/device/AieDevices.hpp. The rest of the back-end asks this header. Source:
// docs/hardware/formats.md, sections 1 and 2; banks: docs/hardware/timing.md.
//
//   const Device* device = Device::named("npu1");
//   device->kindOf({0, 1});  // TileKind::Mem
#pragma once

#include "airlite/npu/device/Registers.hpp"
#include "airlite/npu/device/Tile.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace airlite::npu {

/// S2MM takes data from the stream into memory, MM2S sends it.
enum class DmaDirection : uint8_t { S2mm, Mm2s };
constexpr const char* name(DmaDirection direction) {
  return direction == DmaDirection::S2mm ? "S2MM" : "MM2S";
}

/// A row of equal registers: element n is at base + n * stride.
struct RegisterSeries {
  uint32_t base;
  uint32_t stride;
  constexpr uint32_t at(unsigned n) const { return base + n * stride; }
};

/// A half-open range of numbers.
struct Range {
  unsigned begin;
  unsigned end;
  constexpr bool contains(unsigned n) const { return n >= begin && n < end; }
};

/// What every tile of one kind has. Offsets are within the tile.
struct TileLimits {
  TileKind kind;
  Bytes dataMemory;        ///< 0 for the shim, which moves data to and from DDR
  unsigned banks;          ///< what two accesses of one cycle must not share
  Bytes bankSize;          ///< of one of them
  Bytes programMemory;     ///< cores
  uint32_t programOffset;  ///< where configuration writes it
  unsigned channels;       ///< DMA channels of each direction
  unsigned bds;
  RegisterSeries bd;
  unsigned bdWords;
  unsigned dims;   ///< address dimensions of a BD, without the iteration
  unsigned wraps;  ///< how many of them have a wrap: the highest ends with the length
  unsigned locks;
  RegisterSeries lockValue;
  uint32_t lockRequests;  ///< window of the request registers
  RegisterSeries s2mmControl, mm2sControl;
  RegisterSeries s2mmStatus, mm2sStatus;
};

/// Facts that are the same everywhere.
constexpr unsigned taskQueueDepth = 4;                    ///< a push to a full queue is lost
constexpr unsigned maxTaskRepeat = aie::kMaxTaskRepeats;  ///< of one entry of the queue
constexpr int maxLockValue = aie::limitsOf(Generation::Aie2, aie::TileKind::Core).maxLockValue;
constexpr int minLockChange = -64, maxLockChange = 63;  ///< what a BD adds or waits for
constexpr uint32_t startQueueAfterControl = 4;

const TileLimits& limitsOf(TileKind kind);

/// The control register of a channel; its start queue is 4 bytes after it.
uint32_t controlOffset(TileKind kind, DmaDirection direction, unsigned channel);
uint32_t startQueueOffset(TileKind kind, DmaDirection direction, unsigned channel);
uint32_t statusOffset(TileKind kind, DmaDirection direction, unsigned channel);
/// The channel whose start queue is at `offset`.
struct ChannelId {
  DmaDirection direction;
  unsigned channel;
};
std::optional<ChannelId> channelOfStartQueue(TileKind kind, uint32_t offset);

/// BDs that a channel may use. Memory tiles have two banks: even channels BDs 0-23, odd ones 24-47.
Range bdsOfChannel(TileKind kind, unsigned channel);

/// Where a core or a DMA finds memory or locks that may belong to a neighbour.
enum class Neighbour : uint8_t { South, West, North, East, Own };

/// Where data memory of a core itself begins, as its code counts.
constexpr uint32_t ownCoreMemory = 0x70000;
/// The window of a core onto memory (64 KB each), by the neighbour it belongs to; a core of the
/// lowest row has a memory tile below it and sees nothing there. East is not a neighbour of a core.
std::optional<uint32_t> coreWindow(Neighbour neighbour);
/// First lock number in core code of that neighbour's 16 locks.
std::optional<unsigned> coreLockBase(Neighbour neighbour);
struct CorePlace {
  Neighbour neighbour;
  uint32_t offset;  ///< bytes in that neighbour's memory
};
std::optional<CorePlace> coreMemoryAt(uint32_t coreAddress);

/// Memory-tile BDs: byte 0 of the neighbour's memory, and its first lock number, as the DMA counts.
/// Only West, Own and East exist.
std::optional<Bytes> memDmaWindow(Neighbour neighbour);
std::optional<unsigned> memDmaLockBase(Neighbour neighbour);
/// Memory-tile channels 0-3 reach the neighbours, 4 and 5 stay in their own tile.
constexpr unsigned memChannelsWithNeighbours = aie::kNumNeighbourChannels;

/// Bytes that a bank of a core's data memory serves in a cycle. AIE2P has eight single-port banks as
/// well (UG1603), and loads of 512 bits: that each has 256 bits is assumed, as those of its memory
/// tiles do (AM027) [C, docs/hardware/aie2p.md].
constexpr uint32_t coreBankBytes(Generation generation) {
  return generation == Generation::Aie2p ? 32 : 16;
}
/// The physical bank of a byte of data memory. Core: 8 banks of 8 KB, pairs of them interleaved
/// every `coreBankBytes`; memory tile: 16 banks interleaved every 16 bytes [EMU, AM020: see
/// docs/hardware/timing.md].
unsigned physicalBank(TileKind kind, uint32_t byteOffset, Generation generation = Generation::Aie2);

/// A partition of an NPU: what a design may use.
struct Device {
  std::string_view name;  ///< "npu1", "npu1_2col", ...
  Generation generation;
  unsigned columns;  ///< of this partition
  aie::NpuChip chip;

  static constexpr unsigned rows = aie::defaultNpu().rows;
  static constexpr unsigned firstCoreRow = aie::defaultNpu().firstCoreRow();

  bool has(Tile tile) const { return tile.column < columns && tile.row < rows; }
  std::optional<TileKind> kindOf(Tile tile) const;
  /// The tile there, none at the border; a memory tile and a core are never memory neighbours.
  std::optional<Tile> memoryNeighbour(Tile tile, Neighbour neighbour) const;
  /// Columns on which the firmware may start this partition, [docs/hardware/formats.md 8.1]: a full
  /// design starts at 0, a part of npu1 at 1 .. 5 - columns.
  Range startColumns() const;

  /// Null for a name that is not a device; npu1_4col and npu2_8col are other names of the whole.
  static const Device* named(std::string_view name);
  static std::span<const Device> all();
  /// What an image was made for that asks for `columns` columns; null when there is none such. The
  /// first drivers of npu1 gave a design all five columns, from the one without a shim DMA on.
  static const Device* ofImage(uint8_t transactionCode, unsigned columns);
};

}  // namespace airlite::npu
