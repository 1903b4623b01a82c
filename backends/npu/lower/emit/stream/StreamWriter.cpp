// Runs a runtime sequence at compile time: loops and conditions over numbers that are known, and
// the handler of each other op.
#include "StreamWriter.hpp"

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::npu {
namespace {

/// More is not a program but a mistake: such a stream would have hundreds of megabytes.
constexpr size_t mostOperations = 4'000'000;
constexpr int64_t mostIterations = 4'000'000;
constexpr unsigned deepestRun = 16;  ///< sequences that run sequences

// -- Control flow ---------------------------------------------------------------------------------

LogicalResult runFor(SequenceState& state, Operation& op) {
  scf::ForOp loop(&op);
  const auto lower = state.values.numberFor(op, loop.lowerBound(), "the lower bound");
  const auto upper =
      lower ? state.values.numberFor(op, loop.upperBound(), "the upper bound") : std::nullopt;
  const auto step = upper ? state.values.numberFor(op, loop.step(), "the step") : std::nullopt;
  if (!step) return failure();
  if (*step <= 0) return op.emitOpError() << "expects a positive step, found " << *step;
  if (*upper > *lower && (*upper - *lower - 1) / *step >= mostIterations)
    return op.emitOpError() << "runs more than " << mostIterations
                            << " times: too many to be unrolled into a stream";
  const std::vector<Value> arguments = loop.regionIterArgs();
  const std::vector<Value> results = op.resultValues();
  state.values.copy(loop.initArgs(), arguments);
  state.values.copy(loop.initArgs(), results);
  for (int64_t i = *lower; i < *upper; i += *step) {
    state.values.bind(loop.inductionVar(), i);
    if (failed(runBlock(state, loop.body()))) return failure();
    state.values.copy(loop.yield().values(), results);
    state.values.copy(loop.yield().values(), arguments);
  }
  return success();
}

LogicalResult runIf(SequenceState& state, Operation& op) {
  const auto condition = state.values.numberFor(op, op.operand(0), "the condition");
  if (!condition) return failure();
  Region& region = op.region(*condition != 0 ? 0 : 1);
  if (region.empty()) return success();
  if (failed(runBlock(state, region.front()))) return failure();
  const std::vector<Value> results = op.resultValues();
  if (!results.empty()) state.values.copy(region.front().back().operands(), results);
  return success();
}

/// The sequence of another op of this device, in its place. Another device would be another image.
LogicalResult runConfigure(SequenceState& state, Operation& op) {
  Operation* device = state.sequence.parentOp();
  if (lookupSymbol(&op, op.attrOf<SymbolRefAttr>("symbol")) != device)
    return op.emitOpError() << "not supported: loading the configuration of another device";
  return runBlock(state, op.region().front());
}

LogicalResult runOther(SequenceState& state, Operation& op) {
  Operation* device = state.sequence.parentOp();
  const auto name = op.attrOf<SymbolRefAttr>("runtime_sequence_symbol");
  Operation* other = lookupSymbolIn(*device, name.root());
  if (other == &state.sequence || state.depth >= deepestRun)
    return op.emitOpError() << "runs a sequence that runs this one";
  state.values.copy(op.operands(), other->region().front().arguments());
  ++state.depth;
  const LogicalResult result = runBlock(state, other->region().front());
  --state.depth;
  return result;
}

LogicalResult ignore(SequenceState&, Operation&) { return success(); }

constexpr SequenceRow controlRows[] = {
    {"scf.for", runFor},    {"scf.if", runIf},
    {"scf.yield", ignore},  {"aiex.configure", runConfigure},
    {"aiex.run", runOther}, {"aie.end", ignore},
};

const SequenceRow* rowOf(std::string_view name) {
  for (const auto rows :
       {std::span<const SequenceRow>(controlRows), taskRows(), copyRows(), writeRows()})
    for (const SequenceRow& row : rows)
      if (row.op == name) return &row;
  return nullptr;
}

// -- Ends -----------------------------------------------------------------------------------------

/// The host reads its buffers when the stream has ended.
void warnOfUnfinished(const SequenceState& state) {
  for (const auto& [place, queue] : state.queues)
    for (const TaskId id : queue.active())
      if (const RuntimeTask& task = state.tasks[id]; task.writesHost)
        task.op->emitWarning() << "nothing waits for the end of this transfer: the host may read "
                                  "its buffer before it is written";
}

}  // namespace

SequenceState::SequenceState(const ArrayConfig& array, Operation& of)
    : config(array), sequence(of), stream{txnFor(array.device), {}}, values(array, of) {
  for (const TileConfig& tile : config.tiles)
    for (const BdConfig& bd : tile.bds)
      pools[tile.tile].reserve(bd.number);
}

void SequenceState::emit(TxnOp op, Operation& from) {
  stream.txn.ops.push_back(std::move(op));
  stream.locations.push_back(from.location());
}

LogicalResult runBlock(SequenceState& state, Block& block) {
  for (Operation& op : block.ops()) {
    if (state.stream.txn.ops.size() > mostOperations)
      return op.emitOpError() << "the stream has more than " << mostOperations << " operations";
    if (const SequenceRow* row = rowOf(op.name())) {
      if (failed(row->handler(state, op))) return failure();
    } else if (op.numRegions() == 0 && op.hasTrait(Trait::Pure)) {
      state.values.evaluate(op);
    } else if (op.name().starts_with("memref.") && op.numRegions() == 0) {
      continue;  // what asks for the memory says when it cannot be followed
    } else {
      return op.emitOpError() << "not supported in a runtime sequence";
    }
  }
  return success();
}

std::optional<RuntimeStream> makeRuntimeStream(Operation& sequence, const ArrayConfig& config) {
  SequenceState state(config, sequence);
  if (sequence.region().empty()) return std::move(state.stream);
  if (failed(runBlock(state, sequence.region().front()))) return std::nullopt;
  warnOfUnfinished(state);
  return std::move(state.stream);
}

}  // namespace airlite::npu
