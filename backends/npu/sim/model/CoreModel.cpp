#include "sim/model/CoreModel.hpp"

#include "sim/model/Model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace airlite::npu::sim::model {
namespace {

/// Shorter stretches of a program are not looked at for banks.
constexpr uint32_t kLeastCycles = 16;
/// Of the conflicts that chance would make: a core that has stood once is out of step with the rhythm of a
/// DMA for a while. Fitted to the simulator (products of 1024^3 of i8 and bf16: 0.70 and 0.72).
constexpr double kConflicts = 0.7;
constexpr unsigned kLocksOfTile = modelOf(TileKind::Core).locks;

/// The tile that core code means by a number of a lock.
TileState* ownerOf(TileState& tile, unsigned lock) {
  for (const auto side : {Neighbour::South, Neighbour::West, Neighbour::North, Neighbour::Own})
    if (const auto base = coreLockBase(side); base && lock - *base < kLocksOfTile)
      return tile.array.neighbour(tile.place, side);
  return nullptr;
}

}  // namespace

void CoreModel::start() {
  trace_ = model_.traceOf(tile_);
  goOn(0);
}

/// To the next event; `more`: cycles besides those of the program.
void CoreModel::goOn(uint64_t more) {
  waits_ = isDelayed_ = false;
  tell(CoreState::Running);
  if (trace_->at(at_).cycles >= kLeastCycles) before_ = model_.dmaAccesses(tile_.place);
  model_.events.add(model_.now + more + trace_->at(at_).cycles, Turn::Core, id_);
}

/// Where a core and a DMA ask for one bank in one cycle, the core stands (Banks.hpp: the least key after
/// the last that was served goes first, and the core has the greatest). How often that is follows from
/// how often each of them asks.
uint64_t CoreModel::stallsBefore(const CoreEvent& event) {
  if (event.cycles < kLeastCycles || isDelayed_) return 0;
  isDelayed_ = true;
  const BankAccesses after = model_.dmaAccesses(tile_.place);
  double stalls = 0;
  for (size_t bank = 0; bank < after.size(); ++bank)
    stalls += kConflicts * (after[bank] - before_[bank]) *
              std::min(1.0, double(event.accesses[bank]) / double(event.cycles));
  // While it stands, DMAs go on.
  const double share = std::min(0.5, stalls / double(event.cycles));
  return uint64_t(stalls / (1 - share) + 0.5);
}

void CoreModel::turn() {
  if (waits_) {  // it has the lock
    ++at_;
    return goOn(0);
  }
  const CoreEvent& event = trace_->at(at_);
  if (event.kind == CoreEvent::Kind::End) {
    count(event);
    if (!trace_->fault().empty()) model_.fail(tile_.place, "core: " + trace_->fault());
    return tell(CoreState::Done);
  }
  if (const uint64_t stalls = stallsBefore(event)) {
    stalls_ += stalls;
    tell(CoreState::StalledOnMemory);
    return model_.events.add(model_.now + stalls, Turn::Core, id_);
  }
  count(event);
  if (act(event)) return;
  ++at_;
  goOn(0);
}

void CoreModel::count(const CoreEvent& event) {
  bundles_ += event.bundles, products_ += event.products, stalls_ += event.bankStalls;
}

CoreWork CoreModel::work() const {
  return {bundles_, products_, trace_ ? trace_->mostProducts() : 0};
}

/// True: it waits now.
bool CoreModel::act(const CoreEvent& event) {
  using Kind = CoreEvent::Kind;
  if (event.kind == Kind::Nothing) return false;
  if (event.kind == Kind::Acquire || event.kind == Kind::Release) {
    TileState* owner = ownerOf(tile_, event.lock);
    if (!owner) return model_.fail(tile_.place, "core: a lock of a tile that is not there"), true;
    const unsigned lock = event.lock % kLocksOfTile;
    if (event.kind == Kind::Release) {
      model_.locks.release(owner->place, lock, event.value, model_.now);
      return false;
    }
    waits_ = true;
    tell(CoreState::StalledOnLock);
    model_.locks.acquire(owner->place, lock, event.value, model_.now, Turn::Core, id_);
    return true;
  }
  const bool isIn = event.kind == Kind::StreamIn || event.kind == Kind::CascadeIn;
  const bool isStream = event.kind == Kind::StreamIn || event.kind == Kind::StreamOut;
  const uint32_t end = isStream ? (isIn ? ends_.streamIn : ends_.streamOut)
                                : (isIn ? ends_.cascadeIn : ends_.cascadeOut);
  tell(isStream ? (isIn ? CoreState::StalledOnStreamIn : CoreState::StalledOnStreamOut)
                : (isIn ? CoreState::StalledOnCascadeIn : CoreState::StalledOnCascadeOut));
  model_.streams.open(end, model_.now, 1);
  ++at_;
  return true;
}

void CoreModel::tell(CoreState state) {
  if (state == told_) return;
  told_ = state;
  if (Observer* observer = model_.observer())
    observer->core(tile_.place, model_.now, state, trace_->at(at_).programCounter);
}

std::optional<Wait> CoreModel::wait() const {
  if (!trace_ || !isStalled(told_)) return std::nullopt;
  const CoreEvent& event = trace_->at(at_);
  Wait wait{.tile = tile_.place,
            .who = "core",
            .kind = WaitKind::Core,
            .other = {},
            .text = {},
            .origin = {.programCounter = event.programCounter}};
  wait.text = fmt::format("({},{}) core at {:#x} {}", tile_.place.column, tile_.place.row,
                          event.programCounter, name(told_));
  if (told_ != CoreState::StalledOnLock) return wait;
  const TileState* owner = ownerOf(tile_, event.lock);
  wait.kind = WaitKind::Lock, wait.other = owner->place, wait.lock = event.lock % kLocksOfTile;
  wait.text += fmt::format(" {} of ({},{}): it holds {}, needs {}{}", wait.lock, wait.other.column,
                           wait.other.row, model_.locks.value(wait.other, wait.lock),
                           event.value < 0 ? "at least " : "exactly ", std::abs(event.value));
  return wait;
}

}  // namespace airlite::npu::sim::model
