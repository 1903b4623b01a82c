// A runtime stream in the performance model: what the command processor of array/Commands.cpp does.
#include "airlite/npu/sim/array/Array.hpp"
#include "sim/array/Commands.hpp"
#include "sim/model/Model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace airlite::npu::sim {
namespace {

using model::Model;

/// Events between two questions to ArrayOptions::wantsStop.
constexpr uint64_t kStopInterval = 4096;

class Host {
 public:
  Host(Array& array, ArrayState& state, const Txn& stream)
      : array_(array), state_(state), stream_(stream), start_(state.now), model_(state) {}

  RunResult run() {
    findAlone();
    model_.startCores();
    Outcome outcome = Outcome::Finished;
    for (uint32_t i = 0; i < stream_.ops.size() && outcome == Outcome::Finished; ++i) {
      operation_ = i;
      state_.operation = i;
      const TxnOp& op = stream_.ops[i];
      tell(TxnCode(op.code) == TxnCode::Sync ? StreamActivity::Waiting : StreamActivity::Commands);
      outcome = execute(op);
    }
    model_.streams.stop(model_.now);
    state_.now = model_.now;
    RunResult result{outcome, state_.now - start_, state_.fault, {}};
    if (outcome != Outcome::Finished && outcome != Outcome::Faulted) result.waits = model_.waits();
    state_.operation.reset();
    tell(StreamActivity::Idle);
    state_.estimated = model_.traffic();
    return result;
  }

 private:
  void tell(StreamActivity activity) {
    if (Observer* observer = state_.options.observer)
      observer->stream(model_.now, activity, {.operation = state_.operation});
  }

  /// Cores whose memory the host writes.
  void findAlone() {
    for (const TxnOp& op : stream_.ops) {
      const Address address{op.at(TxnField::AddressLow)};
      const Tile tile = address.tile();
      if (op.code <= uint8_t(TxnCode::MaskWrite) && kindOfRow(tile.row) == TileKind::Core &&
          address.offset() < limitsOf(TileKind::Core).dataMemory.value)
        model_.setAlone(tile);
    }
  }

  Outcome execute(const TxnOp& op) {
    const Address address{op.at(TxnField::AddressLow)};
    const Timing& timing = state_.options.timing;
    if (op.at(TxnField::AddressHigh) != 0)
      return refuse({{}, model_.now, "an address above 32 bits", {}});
    switch (TxnCode(op.code)) {
      case TxnCode::Write: return write(address, ~uint32_t(0), op.at(TxnField::Value));
      case TxnCode::MaskWrite: return write(address, op.at(TxnField::Mask), op.at(TxnField::Value));
      case TxnCode::BlockWrite:
        noteBd(address);
        if (auto fault = array_.writeBlock(address, op.data)) return refuse(std::move(*fault));
        return pass(timing.commandWrite + timing.commandPer8Words * unsigned(op.data.size()) / 8);
      case TxnCode::Patch:
        return pass(timing.commandWrite);  // where a buffer is makes no difference
      case TxnCode::Sync: return sync(op);
      case TxnCode::Nop:
      case TxnCode::Preempt: return Outcome::Finished;
      default:
        return refuse({{},
                       model_.now,
                       fmt::format("not supported by the performance model: operation {:#x} of "
                                   "the stream",
                                   op.code),
                       {}});
    }
  }

  Outcome refuse(Fault fault) {
    fault.origin.operation = operation_;
    if (!state_.fault) state_.fault = std::move(fault);
    return Outcome::Faulted;
  }

  Outcome write(Address address, uint32_t mask, uint32_t value) {
    const TileState* tile = state_.at(address.tile());
    if (!tile)
      return refuse(
          {address.tile(), model_.now, fmt::format("no tile at address {:#x}", address.value), {}});
    const TileKind kind = tile->kind;
    const Timing& timing = state_.options.timing;
    constexpr uint32_t kCoreControl = 0x32000;
    if (kind == TileKind::Core && address.offset() == kCoreControl &&
        model_.core(tile->place).isStarted())
      return refuse({tile->place,
                     model_.now,
                     "not supported by the performance model: a core that the host stops or starts "
                     "again",
                     {}});
    if (const auto queue = channelOfStartQueue(kind, address.offset())) {
      const auto entry = decodeQueueEntry(kind, value);
      if (!entry) return refuse({address.tile(), model_.now, entry.error().message, {}});
      model_.channel(address.tile(), queue->direction, queue->channel).push(*entry);
      return pass(queue->direction == DmaDirection::Mm2s ? timing.commandPushMm2s
                                                         : timing.commandPushS2mm);
    }
    state_.now = model_.now;
    if (auto fault = array_.maskWrite(address, mask, value)) return refuse(std::move(*fault));
    takeLock(address);
    model_.startCores();
    return pass(timing.commandWrite);
  }

  /// A lock that the host has set.
  void takeLock(Address address) {
    const auto& limits = limitsOf(kindOfRow(address.tile().row));
    TileState* tile = state_.at(address.tile());
    for (unsigned lock = 0; lock < limits.locks; ++lock)
      if (limits.lockValue.at(lock) == address.offset())
        model_.locks.set(tile->place, lock, int(tile->locks.value(lock)), model_.now);
  }

  void noteBd(Address address) {
    const auto& bd = limitsOf(kindOfRow(address.tile().row)).bd;
    const uint32_t end = bd.at(limitsOf(kindOfRow(address.tile().row)).bds);
    const uint32_t offset = address.offset();
    if (offset >= bd.base && offset < end && (offset - bd.base) % bd.stride == 0)
      state_.bdWriters[address.value] = operation_;
  }

  Outcome pass(uint64_t cycles) {
    const uint64_t until = model_.now + cycles;
    while (!model_.events.isEmpty() && model_.events.next().cycle <= until)
      if (const Outcome outcome = step(); outcome != Outcome::Finished) return outcome;
    model_.now = std::max(model_.now, until);
    return Outcome::Finished;
  }

  Outcome step() {
    if (!model_.runNext()) return Outcome::Faulted;
    const uint64_t cycles = model_.now - start_;
    if (cycles >= state_.options.cycleLimit) return Outcome::OutOfCycles;
    const auto& wantsStop = state_.options.wantsStop;
    if (wantsStop && ++steps_ % kStopInterval == 0 && wantsStop(cycles)) return Outcome::Stopped;
    return Outcome::Finished;
  }

  Outcome sync(const TxnOp& op) {
    const auto on = syncOf(op);
    if (!on) return refuse({{}, model_.now, "a sync with bits that no field names", {}});
    while (!takeTokens(*on)) {
      if (model_.events.isEmpty()) return Outcome::Hung;
      if (const Outcome outcome = step(); outcome != Outcome::Finished) return outcome;
    }
    return Outcome::Finished;
  }

  bool takeTokens(const SyncOn& on) {
    std::vector<unsigned*> wanted;
    for (unsigned column = 0; column < on.columns; ++column)
      for (unsigned row = 0; row < on.rows; ++row)
        wanted.push_back(
            &model_.tokens[{uint8_t(on.tile.column + column), uint8_t(on.tile.row + row),
                            on.direction == DmaDirection::Mm2s, on.channel}]);
    if (std::ranges::any_of(wanted, [](const unsigned* count) { return *count == 0; }))
      return false;
    for (unsigned* count : wanted)
      --*count;
    return true;
  }

  Array& array_;
  ArrayState& state_;
  const Txn& stream_;
  uint64_t start_;
  Model model_;
  uint32_t operation_ = 0;
  uint64_t steps_ = 0;
};

/// What descriptors and channels may ask for that rates do not describe.
std::optional<Fault> unsupported(const ArrayState& state) {
  for (const auto& tile : state.tiles)
    for (const Channel& channel : tile->channels) {
      const ChannelControl& control = channel.control();
      const char* what = control.isOutOfOrder   ? "packets that choose their descriptors"
                         : control.mayCompress  ? "compression"
                         : control.pausesMemory ? "a paused channel"
                         : control.pausesStream ? "a paused channel"
                                                : nullptr;
      if (what)
        return Fault{
            tile->place,
            state.now,
            fmt::format("not supported by the performance model: {} ({})", what, channel.name()),
            {}};
    }
  return std::nullopt;
}

}  // namespace

RunResult Array::estimate(const Txn& stream) {
  state_->fault.reset();
  if (auto fault = mismatchOf(*state_, stream)) return {Outcome::Faulted, 0, std::move(fault), {}};
  if (auto fault = unsupported(*state_)) return {Outcome::Faulted, 0, std::move(fault), {}};
  return Host(*this, *state_, stream).run();
}

}  // namespace airlite::npu::sim
