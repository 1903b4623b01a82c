#include "airlite/npu/device/Device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace airlite::npu {
namespace {

// Every NPU has these rows, so that a row alone says what a tile is (kindOfRow).
static_assert(std::ranges::all_of(aie::devices(), [](const aie::Device& device) {
  return !device.isNpu() || (device.rows == Device::rows && device.memRows == 1);
}));

/// Where the registers are, and how many there are of each according to the table of devices.
constexpr TileLimits withCounts(TileLimits limits) {
  const aie::TileLimits& model = modelOf(limits.kind);
  limits.dataMemory = Bytes(model.memoryBytes);
  limits.banks = model.banks;
  limits.bankSize = Bytes(model.banks ? model.memoryBytes / model.banks : 0);
  limits.programMemory = Bytes(model.programBytes);
  limits.channels = model.channels;
  limits.bds = model.bds;
  limits.dims = model.bd.numDimensions;
  limits.wraps = model.bd.numWraps();
  limits.locks = model.locks;
  return limits;
}

constexpr TileLimits coreLimits = withCounts({
    .kind = TileKind::Core,
    .programOffset = 0x20000,
    .bd = {0x1D000, 0x20},
    .bdWords = 6,
    .lockValue = {0x1F000, 0x10},
    .lockRequests = 0x40000,
    .s2mmControl = {0x1DE00, 8},
    .mm2sControl = {0x1DE10, 8},
    .s2mmStatus = {0x1DF00, 4},
    .mm2sStatus = {0x1DF10, 4},
});

constexpr TileLimits memLimits = withCounts({
    .kind = TileKind::Mem,
    .bd = {0xA0000, 0x20},
    .bdWords = 8,
    .lockValue = {0xC0000, 0x10},
    .lockRequests = 0xD0000,
    .s2mmControl = {0xA0600, 8},
    .mm2sControl = {0xA0630, 8},
    .s2mmStatus = {0xA0660, 4},
    .mm2sStatus = {0xA0680, 4},
});

constexpr TileLimits shimLimits = withCounts({
    .kind = TileKind::Shim,
    .bd = {0x1D000, 0x20},
    .bdWords = 8,
    .lockValue = {0x14000, 0x10},
    .lockRequests = 0x40000,
    .s2mmControl = {0x1D200, 8},
    .mm2sControl = {0x1D210, 8},
    .s2mmStatus = {0x1D220, 4},
    .mm2sStatus = {0x1D228, 4},
});

constexpr Device partOf(const aie::Device& device) {
  return {device.name, device.generation, device.columns, device.chip};
}

constexpr size_t numDevices = size_t(std::ranges::count_if(aie::devices(), &aie::Device::isNpu));
constexpr std::array<Device, numDevices> devices = [] {
  std::array<Device, numDevices> found{};
  size_t count = 0;
  for (const aie::Device& device : aie::devices())
    if (device.isNpu()) found[count++] = partOf(device);
  return found;
}();

/// Nobody compiles for it, so it is not a device by name.
constexpr Device wholeNpu1 = [] {
  Device device = partOf(aie::defaultNpu());
  device.name = "npu1 with all columns";
  device.columns = device.chip.physicalColumns;
  return device;
}();

struct Step {
  int columns;
  int rows;
};
constexpr Step stepTo(Neighbour neighbour) {
  constexpr Step steps[] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}, {0, 0}};
  return steps[unsigned(neighbour)];
}

/// A window is as large as the memory that it shows.
constexpr uint32_t coreWindowSize = uint32_t(coreLimits.dataMemory.value);
constexpr uint32_t coreWindows = ownCoreMemory - 3 * coreWindowSize;

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
  return controlOffset(kind, direction, channel) + startQueueAfterControl;
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
  if (neighbour == Neighbour::East) return std::nullopt;
  const unsigned number = neighbour == Neighbour::Own ? 3 : unsigned(neighbour);
  return coreWindows + number * coreWindowSize;
}

std::optional<unsigned> coreLockBase(Neighbour neighbour) {
  const auto window = coreWindow(neighbour);
  if (!window) return std::nullopt;
  return (*window - coreWindows) / coreWindowSize * coreLimits.locks;
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
  if (neighbour == Neighbour::Own) return memLimits.dataMemory;
  if (neighbour == Neighbour::East) return memLimits.dataMemory * 2;
  return std::nullopt;
}

std::optional<unsigned> memDmaLockBase(Neighbour neighbour) {
  const auto window = memDmaWindow(neighbour);
  if (!window) return std::nullopt;
  return unsigned(window->value / memLimits.dataMemory.value) * memLimits.locks;
}

unsigned physicalBank(TileKind kind, uint32_t byteOffset, Generation generation) {
  constexpr uint32_t kMemBankBytes = 16;
  if (kind == TileKind::Mem) return byteOffset / kMemBankBytes % memLimits.banks;
  const auto logical = unsigned(byteOffset / coreLimits.bankSize.value);
  return logical * 2 + byteOffset / coreBankBytes(generation) % 2;
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
  if (columns == chip.columns) return {0, 1};
  return {chip.firstPartColumn, chip.physicalColumns - columns + 1};
}

std::span<const Device> Device::all() { return devices; }

const Device* Device::ofImage(uint8_t transactionCode, unsigned columns) {
  const auto fits = [&](const Device& device) {
    return device.chip.transactionCode == transactionCode && device.columns == columns;
  };
  const auto found = std::ranges::find_if(devices, fits);
  if (found != devices.end()) return &*found;
  return fits(wholeNpu1) ? &wholeNpu1 : nullptr;
}

const Device* Device::named(std::string_view name) {
  for (const auto& device : devices) {
    const bool isWhole = device.columns == device.chip.columns;
    if (device.name == name) return &device;
    if (isWhole && fmt::format("{}_{}col", device.name, device.columns) == name) return &device;
  }
  return nullptr;
}

}  // namespace airlite::npu
