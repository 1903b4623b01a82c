#include "sim/array/Commands.hpp"

#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <utility>

namespace airlite::npu::sim {
namespace {

/// Cycles between two questions to ArrayOptions::wantsStop: a power of two.
constexpr uint64_t stopInterval = 4096;

/// Whether a run that began in cycle `start` has to end without being done.
Outcome limitOf(const ArrayState& state, uint64_t start) {
  const ArrayOptions& options = state.options;
  const uint64_t cycles = state.now - start;
  if (cycles >= options.cycleLimit) return Outcome::OutOfCycles;
  const bool asks = options.wantsStop && state.now % stopInterval == 0;
  return asks && options.wantsStop(cycles) ? Outcome::Stopped : Outcome::Finished;
}

/// So long without anything moving, and nothing that only needs time: it never will.
constexpr uint64_t quietCycles = 64;
/// Argument indices up to here are translated by the firmware of itself [docs/hardware/formats.md
/// 9.1].
constexpr uint32_t translatedArguments = 5;
constexpr uint64_t untranslatedFold = 0x8000'0000;

class Processor {
 public:
  Processor(Array& array, ArrayState& state) : array_(array), state_(state), start_(state.now) {}

  RunResult run(const Txn& stream) {
    state_.bdWriters.clear();
    for (uint32_t i = 0; i < stream.ops.size(); ++i) {
      state_.operation = i;
      tellObserver(waits(stream.ops[i]) ? StreamActivity::Waiting : StreamActivity::Commands);
      const auto outcome = execute(stream.ops[i]);
      if (outcome != Outcome::Finished) return result(outcome);
    }
    return result(Outcome::Finished);
  }

 private:
  RunResult result(Outcome outcome) {
    RunResult result{outcome, state_.now - start_, state_.fault, {}};
    if (outcome != Outcome::Finished && outcome != Outcome::Faulted) result.waits = waitsOf(state_);
    if (outcome == Outcome::Hung && !sync_.text.empty()) {
      sync_.origin.operation = state_.operation;
      result.waits.push_back(sync_);
    }
    if (outcome == Outcome::Hung) findChain(state_, result);
    state_.operation.reset();
    tellObserver(StreamActivity::Idle);
    return result;
  }

  Outcome execute(const TxnOp& op) {
    const Address address{op.at(TxnField::AddressLow)};
    const auto& timing = state_.options.timing;
    if (op.at(TxnField::AddressHigh) != 0) return refuse("an address above 32 bits");
    switch (TxnCode(op.code)) {
      case TxnCode::Write:
        return wrote(array_.write(address, op.at(TxnField::Value)), costOf(address));
      case TxnCode::MaskWrite:
        return wrote(array_.maskWrite(address, op.at(TxnField::Mask), op.at(TxnField::Value)),
                     costOf(address));
      case TxnCode::BlockWrite:
        noteBd(address);
        return wrote(array_.writeBlock(address, op.data),
                     timing.commandWrite + timing.commandPer8Words * unsigned(op.data.size()) / 8);
      case TxnCode::Patch: return patch(op, address);
      case TxnCode::Sync: return sync(op);
      case TxnCode::MaskPoll:
      case TxnCode::MaskPollBusy:
        return poll(address, op.at(TxnField::Mask), op.at(TxnField::Value));
      case TxnCode::Nop:
      case TxnCode::Preempt:  // one design alone: nobody takes its place
        return Outcome::Finished;
      default: return refuse(fmt::format("operation {:#x} of the stream is not modelled", op.code));
    }
  }

  static bool waits(const TxnOp& op) {
    const auto code = TxnCode(op.code);
    return code == TxnCode::Sync || code == TxnCode::MaskPoll || code == TxnCode::MaskPollBusy;
  }
  void tellObserver(StreamActivity activity) const {
    if (Observer* observer = state_.options.observer)
      observer->stream(state_.now, activity, {.operation = state_.operation});
  }

  Outcome refuse(std::string text) {
    state_.fault = Fault{{}, state_.now, std::move(text), {.operation = state_.operation}};
    return Outcome::Faulted;
  }
  Outcome wrote(std::optional<Fault> fault, unsigned cost) {
    if (!fault) return pass(cost);
    fault->origin.operation = state_.operation;
    state_.fault = std::move(fault);
    return Outcome::Faulted;
  }
  /// Who is asked where a descriptor comes from names this operation.
  void noteBd(Address address) {
    const auto& bd = limitsOf(kindOfRow(address.tile().row)).bd;
    const uint32_t offset = address.offset();
    const uint32_t end = bd.at(limitsOf(kindOfRow(address.tile().row)).bds);
    if (offset >= bd.base && offset < end && (offset - bd.base) % bd.stride == 0)
      state_.bdWriters[address.value] = *state_.operation;
  }

  unsigned costOf(Address address) const {
    const auto& timing = state_.options.timing;
    const auto queue = channelOfStartQueue(kindOfRow(address.tile().row), address.offset());
    if (!queue) return timing.commandWrite;
    return queue->direction == DmaDirection::Mm2s ? timing.commandPushMm2s : timing.commandPushS2mm;
  }

  /// The array runs for so many cycles. When nobody is awake they are skipped.
  Outcome pass(unsigned cycles) {
    for (; cycles > 0; --cycles) {
      if (!state_.isAwake()) return state_.now += cycles, Outcome::Finished;
      if (const auto outcome = cycle(); outcome != Outcome::Finished) return outcome;
    }
    return Outcome::Finished;
  }

  Outcome cycle() {
    state_.step();
    if (state_.fault) return Outcome::Faulted;
    return limitOf(state_, start_);
  }

  /// Steps until `isDone` says so, or nothing can change any more.
  template <class IsDone> Outcome until(IsDone isDone) {
    state_.progress();
    while (!isDone()) {
      if (!state_.isAwake()) return Outcome::Hung;
      if (state_.now - state_.lastProgress > quietCycles && !state_.ripens()) return Outcome::Hung;
      if (const auto outcome = cycle(); outcome != Outcome::Finished) return outcome;
    }
    return Outcome::Finished;
  }

  Outcome poll(Address address, uint32_t mask, uint32_t value) {
    if (const auto now = array_.read(address); !now) return refuse(now.error().message);
    sync_ = {.tile = address.tile(),
             .who = "poll",
             .kind = WaitKind::Core,
             .other = {},
             .text = fmt::format("the stream polls {:#x} for {:#x} under {:#x}", address.value,
                                 value, mask)};
    return until([&] { return (*array_.read(address) & mask) == value; });
  }

  /// Replaces the address words of a shim BD.
  Outcome patch(const TxnOp& op, Address address) {
    const uint32_t argument = op.at(TxnField::Argument);
    uint64_t plus = uint64_t(op.at(TxnField::PlusHigh)) << 32 | op.at(TxnField::PlusLow);
    if (argument >= state_.ddr.count())
      return refuse(fmt::format("a patch names argument {}, there are {} buffers", argument,
                                state_.ddr.count()));
    if (argument >= translatedArguments && plus < untranslatedFold)
      return refuse(
          fmt::format("argument {} needs {:#x} added to its offset", argument, untranslatedFold));
    if (argument >= translatedArguments) plus -= untranslatedFold;
    const uint64_t target = state_.ddr.address(argument) + plus;
    auto fault = array_.write(address, uint32_t(target));
    if (!fault) fault = array_.maskWrite({address.value + 4}, 0xFFFF, uint32_t(target >> 32));
    return wrote(fault, state_.options.timing.commandWrite);
  }

  bool takeTokens(const SyncOn& on) {
    std::vector<unsigned*> wanted;
    for (unsigned column = 0; column < on.columns; ++column)
      for (unsigned row = 0; row < on.rows; ++row) {
        const TokenActor actor{uint8_t(on.tile.column + column), uint8_t(on.tile.row + row),
                               on.direction == DmaDirection::Mm2s, on.channel};
        unsigned& count = state_.tokens[actor];
        if (count == 0) return false;
        wanted.push_back(&count);
      }
    for (unsigned* count : wanted)
      --*count;
    return true;
  }

  /// Of a sync: a tile that is not there, or has fewer channels.
  std::optional<Tile> unknownTile(const SyncOn& on) const {
    for (unsigned column = 0; column < std::max<unsigned>(on.columns, 1); ++column)
      for (unsigned row = 0; row < std::max<unsigned>(on.rows, 1); ++row) {
        const Tile place{uint8_t(on.tile.column + column), uint8_t(on.tile.row + row)};
        const TileState* tile = state_.at(place);
        if (!tile || on.channel >= limitsOf(tile->kind).channels) return place;
      }
    return std::nullopt;
  }

  Outcome sync(const TxnOp& op) {
    const auto on = syncOf(op);
    if (!on) return refuse("a sync with bits that no field names");
    if (const auto place = unknownTile(*on))
      return refuse(fmt::format("a sync waits for {} {} of ({},{}), which is not there",
                                name(on->direction), on->channel, place->column, place->row));
    sync_ = {.tile = on->tile,
             .who = "sync",
             .kind = WaitKind::Token,
             .other = {},
             .direction = on->direction,
             .channel = on->channel,
             .text = fmt::format("the stream waits for a token of ({},{}) {} {}", on->tile.column,
                                 on->tile.row, name(on->direction), on->channel)};
    return until([&] { return takeTokens(*on); });
  }

  Array& array_;
  ArrayState& state_;
  uint64_t start_;
  Wait sync_;
};

}  // namespace

std::optional<Fault> mismatchOf(const ArrayState& state, const Txn& stream) {
  if (stream.generation == state.device.chip.transactionCode &&
      stream.columns <= state.device.columns)
    return std::nullopt;
  return Fault{{},
               state.now,
               fmt::format("the stream is for generation {} with {} columns, the array is {}",
                           stream.generation, stream.columns, state.device.name)};
}

RunResult runStream(Array& array, ArrayState& state, const Txn& stream) {
  state.fault.reset();
  if (auto fault = mismatchOf(state, stream)) return {Outcome::Faulted, 0, std::move(fault), {}};
  return Processor(array, state).run(stream);
}

RunResult settleArray(ArrayState& state) {
  const uint64_t start = state.now;
  state.fault.reset();
  state.progress();
  const auto end = [&](Outcome outcome) {
    RunResult result{outcome, state.now - start, state.fault, {}};
    if (outcome != Outcome::Faulted) result.waits = waitsOf(state);
    if (outcome == Outcome::Finished && !result.waits.empty()) result.outcome = Outcome::Hung;
    if (result.outcome == Outcome::Hung) findChain(state, result);
    return result;
  };
  while (state.isAwake()) {
    if (state.now - state.lastProgress > quietCycles && !state.ripens()) return end(Outcome::Hung);
    if (const Outcome limit = limitOf(state, start); limit != Outcome::Finished) return end(limit);
    state.step();
    if (state.fault) return end(Outcome::Faulted);
  }
  return end(Outcome::Finished);
}

}  // namespace airlite::npu::sim
