// What register writes mean to the model. A register that is not here is a fault by its name.
#include "airlite/npu/device/Registers.hpp"

#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace airlite::npu::sim {
namespace {

using Wrong = std::optional<std::string>;

constexpr uint32_t kCoreControl = 0x32000, coreStatus = 0x32004, kAccumulatorControl = 0x36060;
constexpr uint32_t coreEnable = 1, coreReset = 2;

/// Registers that change nothing the model shows: what a design counts, traces or is woken by.
/// Those marked may only be switched off.
struct Harmless {
  std::string_view prefix;
  bool onlyZero;
};
constexpr Harmless harmless[] = {
    {"Spare_Reg", false},
    {"Event_Group_", false},
    {"Event_Broadcast", false},
    {"Event_Status", false},
    {"Event_Port_Sel", false},
    {"Stream_Switch_Event_Port", false},
    {"Performance_C", false},
    {"Timer_", false},
    {"Combo_event", false},
    {"Edge_Detection", false},
    {"Reserved", false},
    {"Column_Clock_Control", false},
    {"Tile_Control", true},
    {"Trace_", true},
    {"Debug_Control", true},
    {"Module_Reset", true},
    {"ECC_Scrubbing", true},
    {"Memory_Control", true},
    {"PC_Event", false},
    {"Watch_Point", false},
    {"WatchPoint", false},
    // Errors reach the host by interrupts and may halt a core: here they are faults.
    {"Interrupt_", false},
    {"Error_Halt", false},
    {"Core_Processor_Bus", false},  // TileHost looks at it
};

std::string nameOf(const TileState& tile, uint32_t offset) {
  const auto found = registerAt(tile.kind, tile.array.device.generation, offset);
  return found ? found->name() : fmt::format("{:#x}", offset);
}

bool isHarmless(std::string_view name, uint32_t value) {
  if (name.starts_with("Mem_")) name.remove_prefix(4);
  for (const auto& row : harmless)
    if (name.starts_with(row.prefix)) return !row.onlyZero || value == 0;
  return false;
}

/// The number of the element of a series at `offset`, if it is one of `count`.
std::optional<unsigned> numberIn(RegisterSeries series, unsigned count, uint32_t offset) {
  if (offset < series.base || (offset - series.base) % series.stride != 0) return std::nullopt;
  const uint32_t number = (offset - series.base) / series.stride;
  return number < count ? std::optional(unsigned(number)) : std::nullopt;
}

std::optional<unsigned> bdWordAt(const TileState& tile, uint32_t offset) {
  const auto& limits = limitsOf(tile.kind);
  if (offset < limits.bd.base || offset >= limits.bd.at(limits.bds)) return std::nullopt;
  const uint32_t word = (offset - limits.bd.base) % limits.bd.stride / 4;
  if (word >= limits.bdWords) return std::nullopt;
  return (offset - limits.bd.base) / limits.bd.stride * limits.bdWords + word;
}

std::optional<ChannelId> controlAt(const TileState& tile, uint32_t offset) {
  const auto& limits = limitsOf(tile.kind);
  if (const auto s2mm = numberIn(limits.s2mmControl, limits.channels, offset))
    return ChannelId{DmaDirection::S2mm, *s2mm};
  if (const auto mm2s = numberIn(limits.mm2sControl, limits.channels, offset))
    return ChannelId{DmaDirection::Mm2s, *mm2s};
  return std::nullopt;
}

/// Part of the switch's registers at `offset`: 0 masters, 1 slaves, 2 slots; with its number.
struct SwitchPlace {
  unsigned part, index, slot;
};
std::optional<SwitchPlace> switchAt(TileKind kind, uint32_t offset) {
  const unsigned masters = portCount(kind, PortSide::Master),
                 slaves = portCount(kind, PortSide::Slave);
  if (const auto at = numberIn({masterOffset(kind, 0), 4}, masters, offset))
    return SwitchPlace{0, *at, 0};
  if (const auto at = numberIn({slaveOffset(kind, 0), 4}, slaves, offset))
    return SwitchPlace{1, *at, 0};
  if (const auto at = numberIn({slotOffset(kind, 0, 0), 4}, slaves * slotCount, offset))
    return SwitchPlace{2, *at / slotCount, *at % slotCount};
  return std::nullopt;
}

Wrong setSwitch(TileState& tile, SwitchPlace place, uint32_t value) {
  if (place.part == 0) return tile.streams.setMaster(place.index, value);
  if (place.part == 1) return tile.streams.setSlave(place.index, value);
  return tile.streams.setSlot(place.index, place.slot, value);
}

Wrong setCore(TileState& tile, uint32_t value) {
  if (value & ~(coreEnable | coreReset))
    return fmt::format("Core_Control {:#x}: bits that no field names", value);
  const bool resets = value & coreReset, enables = value & coreEnable;
  if (enables && !tile.core) return "a core is enabled, and the simulator was given none";
  tile.coreControl = value;
  if (!tile.core) return std::nullopt;
  if (resets) tile.core->reset(), tile.host.reset();
  tile.core->enable(enables && !resets);
  const auto state = tile.core->status().state;
  tile.coreRuns = enables && !resets && state != CoreState::Done && state != CoreState::Faulted;
  return std::nullopt;
}

Wrong setProgram(TileState& tile, uint32_t offset, uint32_t value) {
  if (!tile.core) return "a program is loaded, and the simulator was given no core";
  std::array<uint8_t, 4> bytes;
  wordTo(bytes.data(), value);
  const uint32_t at = offset - limitsOf(tile.kind).programOffset;
  tile.core->writeProgram(at, bytes);
  if (tile.program.size() < at + bytes.size()) tile.program.resize(at + bytes.size());
  std::ranges::copy(bytes, tile.program.begin() + at);
  return std::nullopt;
}

bool isProgram(TileKind kind, uint32_t offset) {
  const auto& limits = limitsOf(kind);
  return limits.programMemory.value != 0 && offset >= limits.programOffset &&
         offset - limits.programOffset < limits.programMemory.value;
}

Wrong setLock(TileState& tile, unsigned lock, uint32_t value) {
  if (value > uint32_t(maxLockValue))
    return fmt::format("lock {} is set to {}, it holds 0..{}", lock, value, maxLockValue);
  tile.locks.set(lock, value);
  return std::nullopt;
}

Wrong setOther(TileState& tile, uint32_t offset, uint32_t value) {
  if (tile.kind == TileKind::Shim && offset == shimMuxOffset) return tile.mux = value, std::nullopt;
  if (tile.kind == TileKind::Shim && offset == shimDemuxOffset)
    return tile.demux = value, std::nullopt;
  if (tile.kind == TileKind::Core && offset == kCoreControl) return setCore(tile, value);
  const bool isCascade = tile.kind == TileKind::Core && offset == kAccumulatorControl && value < 4;
  const auto name = nameOf(tile, offset);
  if (!isCascade && !isHarmless(name, value))
    return fmt::format("{} = {:#x} means nothing to the model", name, value);
  tile.registers[offset] = value;
  return std::nullopt;
}

Wrong setWhole(TileState& tile, uint32_t offset, uint32_t value) {
  const auto& limits = limitsOf(tile.kind);
  if (offset < limits.dataMemory.value) {
    tile.noteWritten(&tile.memory[offset], sizeof(value));
    return wordTo(&tile.memory[offset], value), std::nullopt;
  }
  if (isProgram(tile.kind, offset)) return setProgram(tile, offset, value);
  if (const auto word = bdWordAt(tile, offset)) return tile.bdWords[*word] = value, std::nullopt;
  if (const auto lock = numberIn(limits.lockValue, limits.locks, offset))
    return setLock(tile, *lock, value);
  if (const auto queue = channelOfStartQueue(tile.kind, offset))
    return tile.channel(queue->direction, queue->channel).push(value);
  if (const auto place = switchAt(tile.kind, offset)) {
    tile.registers[offset] = value;
    return setSwitch(tile, *place, value);
  }
  if (const auto control = controlAt(tile, offset)) {
    tile.registers[offset] = value;
    return tile.channel(control->direction, control->channel).setControl(value);
  }
  return setOther(tile, offset, value);
}

/// What a mask write finds there.
uint32_t before(const TileState& tile, uint32_t offset) {
  const auto& limits = limitsOf(tile.kind);
  if (offset < limits.dataMemory.value) return wordFrom(&tile.memory[offset]);
  if (const auto word = bdWordAt(tile, offset)) return tile.bdWords[*word];
  if (const auto lock = numberIn(limits.lockValue, limits.locks, offset))
    return tile.locks.value(*lock);
  if (tile.kind == TileKind::Shim && offset == shimMuxOffset) return tile.mux;
  if (tile.kind == TileKind::Shim && offset == shimDemuxOffset) return tile.demux;
  if (tile.kind == TileKind::Core && offset == kCoreControl) return tile.coreControl;
  const auto found = tile.registers.find(offset);
  return found == tile.registers.end() ? 0 : found->second;
}

/// A mask of 0 changes nothing: tools write such commands where other devices enable channels.
bool existsAt(const TileState& tile, uint32_t offset) {
  return offset < limitsOf(tile.kind).dataMemory.value ||
         registerAt(tile.kind, tile.array.device.generation, offset);
}

uint32_t coreStatusWord(const TileState& tile) {
  const auto state = tile.core ? tile.core->status().state : CoreState::Disabled;
  const uint32_t done = state == CoreState::Done ? 1u << 20 : 0;
  return (tile.coreControl & (coreEnable | coreReset)) | done;
}

/// Reading in the window of lock requests is a request: the address says which, bit 0 of what is
/// read whether it was granted [docs/hardware/formats.md section 2].
struct LockRequest {
  unsigned lock;
  bool isAcquire;
  int change;
};

std::optional<LockRequest> lockRequestAt(const TileState& tile, uint32_t offset) {
  const auto& limits = limitsOf(tile.kind);
  if (offset < limits.lockRequests) return std::nullopt;
  const uint32_t place = offset - limits.lockRequests;
  constexpr unsigned lockShift = 10, acquireBit = 0x200, changeShift = 2, changeBits = 7;
  if (place >> lockShift >= limits.locks) return std::nullopt;
  const auto change = int32_t(place >> changeShift << (32 - changeBits)) >> (32 - changeBits);
  return LockRequest{place >> lockShift, (place & acquireBit) != 0, change};
}

/// As for a core: a negative change waits for at least as much and takes it away, another one waits
/// for just that value and leaves it.
Result<uint32_t> requestLock(TileState& tile, const LockRequest& request) {
  constexpr int mostValue = 63;
  const int value = tile.locks.value(request.lock), change = request.change;
  const bool holds = change < 0 ? value >= -change : value == change;
  if (request.isAcquire && !holds) return uint32_t{0};
  const int next = request.isAcquire ? value + std::min(change, 0) : value + change;
  if (next < 0 || next > mostValue)
    return Error{fmt::format("lock {} holds {}, a release by {} leaves 0..{}", request.lock, value,
                             change, mostValue)};
  tile.locks.set(request.lock, unsigned(next));
  return uint32_t{1};
}

}  // namespace

Wrong writeRegister(TileState& tile, uint32_t offset, uint32_t value, uint32_t mask) {
  tile.wake();
  if (offset % 4 != 0) return fmt::format("a write to {:#x}, which is not a word", offset);
  if (mask == ~uint32_t(0)) return setWhole(tile, offset, value);
  if (isProgram(tile.kind, offset)) return "a mask write to program memory is not modelled";
  if (mask == 0)
    return existsAt(tile, offset) ? Wrong{} : Wrong{fmt::format("{:#x} is not a register", offset)};
  return setWhole(tile, offset, (before(tile, offset) & ~mask) | (value & mask));
}

Result<uint32_t> readRegister(TileState& tile, uint32_t offset) {
  const auto& limits = limitsOf(tile.kind);
  if (offset % 4 != 0) return Error{fmt::format("a read of {:#x}, which is not a word", offset)};
  if (tile.kind == TileKind::Core && offset == coreStatus) return coreStatusWord(tile);
  if (const auto at = numberIn(limits.s2mmStatus, limits.channels, offset))
    return tile.channel(DmaDirection::S2mm, *at).status();
  if (const auto at = numberIn(limits.mm2sStatus, limits.channels, offset))
    return tile.channel(DmaDirection::Mm2s, *at).status();
  if (const auto request = lockRequestAt(tile, offset)) return requestLock(tile, *request);
  if (isProgram(tile.kind, offset)) return Error{"reading program memory is not modelled"};
  if (!existsAt(tile, offset)) return Error{fmt::format("{:#x} is not a register", offset)};
  return before(tile, offset);
}

}  // namespace airlite::npu::sim
