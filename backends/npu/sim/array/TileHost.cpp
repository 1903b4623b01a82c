#include "sim/array/TileHost.hpp"

#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::sim {
namespace {

constexpr unsigned windowLocks = modelOf(TileKind::Core).locks;
constexpr uint32_t coreProcessorBus = 0x32038, coreControl = 0x32000;
constexpr unsigned coreKey = 15;  ///< after the keys of the tile's channels

}  // namespace

uint64_t TileHost::cycle() const { return tile_.array.now; }

void TileHost::reset() {
  if (lock_.state == LockClient::State::Waiting) tile_.array.at(lock_.tile)->locks.withdraw(lock_);
  lock_ = {};
  banks_ = {};
}

unsigned TileHost::key() const {
  return unsigned(tile_.place.column) << 12 | unsigned(tile_.place.row) << 8 | coreKey;
}

Reply TileHost::fail(std::string text) {
  fault_ = std::move(text);
  return Reply::Faulted;
}

uint8_t* TileHost::at(uint32_t address, size_t size) {
  const auto place = coreMemoryAt(address);
  TileState* owner = place ? tile_.array.neighbour(tile_.place, place->neighbour) : nullptr;
  if (!owner || place->offset + size > owner->memory.size()) return nullptr;
  owner->useBanks(place->offset, size, key(), banks_);
  return owner->memory.data() + place->offset;
}

Reply TileHost::load(uint32_t address, std::span<uint8_t> to) {
  const uint8_t* from = at(address, to.size());
  if (!from)
    return fail(fmt::format("load of {} bytes at {:#x}: no memory there", to.size(), address));
  std::copy_n(from, to.size(), to.begin());
  return Reply::Done;
}

Reply TileHost::store(uint32_t address, std::span<const uint8_t> from) {
  uint8_t* to = at(address, from.size());
  if (!to)
    return fail(fmt::format("store of {} bytes at {:#x}: no memory there", from.size(), address));
  std::ranges::copy(from, to);
  if (TileState* owner = tile_.array.neighbour(tile_.place, coreMemoryAt(address)->neighbour))
    owner->noteWritten(to, from.size());
  return Reply::Done;
}

/// A core whose bus is off stands for ever at its first access, as mlir-aie's dma_compression says.
bool TileHost::busIsOn() {
  const auto bus = tile_.registers.find(coreProcessorBus);
  if (bus != tile_.registers.end() && (bus->second & 1)) return true;
  fault_ = fmt::format("the processor bus is off (bit 0 of {:#x}): the core would stand for ever",
                       coreProcessorBus);
  return false;
}

Reply TileHost::readRegister(uint32_t offset, uint32_t& value) {
  if (!busIsOn()) return Reply::Faulted;
  const auto read = sim::readRegister(tile_, offset);
  if (!read) return fail(read.error().message);
  value = *read;
  return Reply::Done;
}

Reply TileHost::writeRegister(uint32_t offset, uint32_t value) {
  if (!busIsOn()) return Reply::Faulted;
  if (offset == coreControl) return fail("not modelled: a core writes its own Core_Control");
  if (auto wrong = sim::writeRegister(tile_, offset, value, ~uint32_t(0)))
    return fail(std::move(*wrong));
  tile_.array.progress();
  return Reply::Done;
}

TileState* TileHost::lockOwner(unsigned lock) {
  for (const auto side : {Neighbour::South, Neighbour::West, Neighbour::North, Neighbour::Own})
    if (const auto base = coreLockBase(side); base && lock - *base < windowLocks)
      return tile_.array.neighbour(tile_.place, side);
  return nullptr;
}

Reply TileHost::acquire(unsigned lock, int value) {
  TileState* owner = lockOwner(lock);
  if (!owner) return fail(fmt::format("acquire of lock {}: no tile there", lock));
  const LockClient wanted{lock_.state, owner->place, lock % windowLocks, value};
  if (lock_.state == LockClient::State::None) {
    lock_ = wanted;
    owner->locks.acquire(key(), lock_);
    return Reply::Stalled;
  }
  if (wanted.tile != lock_.tile || wanted.lock != lock_.lock || value != lock_.value)
    return fail(fmt::format("acquire of lock {} while waiting for another", lock));
  if (lock_.state == LockClient::State::Waiting) return Reply::Stalled;
  lock_ = {};
  return Reply::Done;
}

Reply TileHost::release(unsigned lock, int change) {
  TileState* owner = lockOwner(lock);
  if (!owner) return fail(fmt::format("release of lock {}: no tile there", lock));
  owner->locks.release(lock % windowLocks, change);
  return Reply::Done;
}

Reply TileHost::readStream(StreamWord& word) {
  const unsigned port = *portIndex(TileKind::Core, PortSide::Master, {Bundle::Core, 0});
  const Flit* head = tile_.streams.atMaster(port, cycle());
  if (!head) return Reply::Stalled;
  if (head->isToken) return fail("a task-completion token came to the core");
  word = {head->value, head->isLast};
  tile_.streams.leave(port, cycle());
  tile_.array.progress();
  return Reply::Done;
}

Reply TileHost::writeStream(StreamWord word) {
  const unsigned port = *portIndex(TileKind::Core, PortSide::Slave, {Bundle::Core, 0});
  if (!tile_.streams.canEnter(port, cycle())) return Reply::Stalled;
  tile_.streams.enter(port, {word.value, word.isLast}, cycle());
  tile_.array.progress();
  return Reply::Done;
}

namespace {

constexpr uint32_t accumulatorControl = 0x36060;
enum CascadeBits : uint32_t { inputWest = 1, outputEast = 2 };

uint32_t cascadeSetting(const TileState& tile) {
  const auto found = tile.registers.find(accumulatorControl);
  return found == tile.registers.end() ? 0 : found->second;
}

}  // namespace

Tile TileHost::cascadePartner(bool isIn) const {
  const uint32_t setting = cascadeSetting(tile_);
  const auto [column, row] = tile_.place;
  if (isIn)
    return setting & inputWest ? Tile{uint8_t(column - 1), row} : Tile{column, uint8_t(row + 1)};
  return setting & outputEast ? Tile{uint8_t(column + 1), row} : Tile{column, uint8_t(row - 1)};
}

Reply TileHost::readCascade(std::span<uint8_t, cascadeBytes> to) {
  auto& fifo = tile_.cascadeIn[cascadeSetting(tile_) & inputWest ? 1 : 0];
  const Cascade* head = fifo.head(cycle());
  if (!head) return Reply::Stalled;
  std::ranges::copy(*head, to.begin());
  fifo.pop(cycle());
  tile_.array.progress();
  return Reply::Done;
}

Reply TileHost::writeCascade(std::span<const uint8_t, cascadeBytes> from) {
  const bool goesEast = cascadeSetting(tile_) & outputEast;
  const Tile place = tile_.place;
  const Tile next = goesEast ? Tile{uint8_t(place.column + 1), place.row}
                             : Tile{place.column, uint8_t(place.row - 1)};
  TileState* to = tile_.array.at(next);
  if (!to || to->kind != TileKind::Core)
    return fail(fmt::format("cascade to the {}: no core there", goesEast ? "east" : "south"));
  auto& fifo = to->cascadeIn[goesEast ? 1 : 0];
  if (!fifo.hasRoom(cycle())) return Reply::Stalled;
  Cascade value;
  std::ranges::copy(from, value.begin());
  fifo.push(value, cycle(), tile_.array.options.timing.cascadeLatency);
  tile_.array.progress();
  return Reply::Done;
}

}  // namespace airlite::npu::sim
