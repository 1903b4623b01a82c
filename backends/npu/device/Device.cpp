#include "airlite/npu/device/Device.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr TileLimits coreLimits{
    .kind = TileKind::Core,
    .dataMemory = Bytes(64 << 10),
    .banks = 4,
    .bankSize = Bytes(16 << 10),
    .programMemory = Bytes(16 << 10),
    .programOffset = 0x20000,
    .channels = 2,
    .bds = 16,
    .bd = {0x1D000, 0x20},
    .bdWords = 6,
    .dims = 3,
    .wraps = 2,
    .locks = 16,
    .lockValue = {0x1F000, 0x10},
    .lockRequests = 0x40000,
    .s2mmControl = {0x1DE00, 8},
    .mm2sControl = {0x1DE10, 8},
    .s2mmStatus = {0x1DF00, 4},
    .mm2sStatus = {0x1DF10, 4},
};

constexpr TileLimits memLimits{
    .kind = TileKind::Mem,
    .dataMemory = Bytes(512 << 10),
    .banks = 16,
    .bankSize = Bytes(32 << 10),
    .programMemory = Bytes(0),
    .programOffset = 0,
    .channels = 6,
    .bds = 48,
    .bd = {0xA0000, 0x20},
    .bdWords = 8,
    .dims = 4,
    .wraps = 3,
    .locks = 64,
    .lockValue = {0xC0000, 0x10},
    .lockRequests = 0xD0000,
    .s2mmControl = {0xA0600, 8},
    .mm2sControl = {0xA0630, 8},
    .s2mmStatus = {0xA0660, 4},
    .mm2sStatus = {0xA0680, 4},
};

constexpr TileLimits shimLimits{
    .kind = TileKind::Shim,
    .dataMemory = Bytes(0),
    .banks = 0,
    .bankSize = Bytes(0),
    .programMemory = Bytes(0),
    .programOffset = 0,
    .channels = 2,
    .bds = 16,
    .bd = {0x1D000, 0x20},
    .bdWords = 8,
    .dims = 3,
    .wraps = 2,
    .locks = 16,
    .lockValue = {0x14000, 0x10},
    .lockRequests = 0x40000,
    .s2mmControl = {0x1D200, 8},
    .mm2sControl = {0x1D210, 8},
    .s2mmStatus = {0x1D220, 4},
    .mm2sStatus = {0x1D228, 4},
};

constexpr Device npu1(std::string_view name, unsigned columns) {
  return {name, Generation::Aie2, columns, 4, 5, 3};
}
constexpr Device npu2(std::string_view name, unsigned columns) {
  return {name, Generation::Aie2p, columns, 8, 8, 4};
}

constexpr Device devices[] = {
    npu1("npu1", 4),      npu1("npu1_1col", 1), npu1("npu1_2col", 2), npu1("npu1_3col", 3),
    npu2("npu2", 8),      npu2("npu2_1col", 1), npu2("npu2_2col", 2), npu2("npu2_3col", 3),
    npu2("npu2_4col", 4), npu2("npu2_5col", 5), npu2("npu2_6col", 6), npu2("npu2_7col", 7),
};

/// Nobody compiles for it, so it is no device by name.
constexpr Device wholeNpu1 = npu1("npu1 with all columns", 5);

struct Step {
  int columns;
  int rows;
};
constexpr Step stepTo(Neighbour neighbour) {
  constexpr Step steps[] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}, {0, 0}};
  return steps[unsigned(neighbour)];
}

constexpr uint32_t coreWindowSize = 0x10000;

}  // namespace

const TileLimits& limitsOf(TileKind kind) {
  if (kind == TileKind::Core) return coreLimits;
  return kind == TileKind::Mem ? memLimits : shimLimits;
}

uint32_t controlOffset(TileKind kind, DmaDirection direction, unsigned channel) {
  const auto& limits = limitsOf(kind);
  return (direction == DmaDirection::S2mm ? limits.s2mmControl : limits.mm2sControl).at(channel);
}

uint32_t startQueueOffset(TileKind kind, DmaDirection direction, unsigned channel) {
  return controlOffset(kind, direction, channel) + startQueueBehindControl;
}

uint32_t statusOffset(TileKind kind, DmaDirection direction, unsigned channel) {
  const auto& limits = limitsOf(kind);
  return (direction == DmaDirection::S2mm ? limits.s2mmStatus : limits.mm2sStatus).at(channel);
}

std::optional<ChannelId> channelOfStartQueue(TileKind kind, uint32_t offset) {
  for (const auto direction : {DmaDirection::S2mm, DmaDirection::Mm2s})
    for (unsigned channel = 0; channel < limitsOf(kind).channels; ++channel)
      if (startQueueOffset(kind, direction, channel) == offset)
        return ChannelId{direction, channel};
  return std::nullopt;
}

Range bdsOfChannel(TileKind kind, unsigned channel) {
  const unsigned all = limitsOf(kind).bds;
  if (kind != TileKind::Mem) return {0, all};
  return channel % 2 == 0 ? Range{0, all / 2} : Range{all / 2, all};
}

std::optional<uint32_t> coreWindow(Neighbour neighbour) {
  switch (neighbour) {
    case Neighbour::South:
      return 0x40000;
    case Neighbour::West:
      return 0x50000;
    case Neighbour::North:
      return 0x60000;
    case Neighbour::Own:
      return 0x70000;
    case Neighbour::East:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<unsigned> coreLockBase(Neighbour neighbour) {
  const auto window = coreWindow(neighbour);
  if (!window) return std::nullopt;
  return (*window / coreWindowSize - 4) * coreLimits.locks;
}

std::optional<CorePlace> coreMemoryAt(uint32_t coreAddress) {
  for (const auto neighbour :
       {Neighbour::South, Neighbour::West, Neighbour::North, Neighbour::Own}) {
    const uint32_t start = *coreWindow(neighbour);
    if (coreAddress >= start && coreAddress - start < coreWindowSize)
      return CorePlace{neighbour, coreAddress - start};
  }
  return std::nullopt;
}

std::optional<Bytes> memDmaWindow(Neighbour neighbour) {
  if (neighbour == Neighbour::West) return Bytes(0);
  if (neighbour == Neighbour::Own) return Bytes(0x80000);
  if (neighbour == Neighbour::East) return Bytes(0x100000);
  return std::nullopt;
}

std::optional<unsigned> memDmaLockBase(Neighbour neighbour) {
  const auto window = memDmaWindow(neighbour);
  if (!window) return std::nullopt;
  return unsigned(window->value / memLimits.dataMemory.value) * memLimits.locks;
}

unsigned physicalBank(TileKind kind, uint32_t byteOffset) {
  const unsigned lane = byteOffset >> 4;
  if (kind == TileKind::Mem) return lane % memLimits.banks;
  const auto logical = unsigned(byteOffset / coreLimits.bankSize.value);
  return logical * 2 + lane % 2;
}

std::optional<TileKind> Device::kindOf(Tile tile) const {
  return has(tile) ? std::optional(kindOfRow(tile.row)) : std::nullopt;
}

std::optional<Tile> Device::memoryNeighbour(Tile tile, Neighbour neighbour) const {
  const auto kind = kindOf(tile);
  if (!kind || *kind == TileKind::Shim) return std::nullopt;
  const bool sees = *kind == TileKind::Core ? coreWindow(neighbour).has_value()
                                            : memDmaWindow(neighbour).has_value();
  if (!sees) return std::nullopt;
  const Step step = stepTo(neighbour);
  const int column = tile.column + step.columns, row = tile.row + step.rows;
  if (column < 0 || row < 0) return std::nullopt;
  const Tile other{uint8_t(column), uint8_t(row)};
  return kindOf(other) == kind ? std::optional(other) : std::nullopt;
}

Range Device::startColumns() const {
  if (columns == deviceColumns) return {0, 1};
  if (generation == Generation::Aie2) return {1, physicalColumns - columns + 1};
  return {0, physicalColumns - columns + 1};
}

std::span<const Device> Device::all() { return devices; }

const Device* Device::ofImage(uint8_t transactionCode, unsigned columns) {
  const auto fits = [&](const Device& device) {
    return device.transactionCode == transactionCode && device.columns == columns;
  };
  const auto found = std::ranges::find_if(devices, fits);
  if (found != std::end(devices)) return found;
  return fits(wholeNpu1) ? &wholeNpu1 : nullptr;
}

const Device* Device::named(std::string_view name) {
  if (name == "npu1_4col") name = "npu1";
  if (name == "npu2_8col") name = "npu2";
  for (const auto& device : devices)
    if (device.name == name) return &device;
  return nullptr;
}

}  // namespace airlite::npu
