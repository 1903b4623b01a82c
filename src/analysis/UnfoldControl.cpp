// Calls, branches, and loops whose iterations follow each other.
#include "UnfoldRun.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"

#include <utility>

namespace airlite::analysis::unfold {

namespace {

constexpr unsigned kMaxCallDepth = 64;

Operation* runPart(UnfoldRun& run, Region& region, const std::vector<Slot>& slots, unsigned first,
                   Flow& flow) {
  for (unsigned k = 0; k < slots.size(); ++k)
    run.values.set(region.front().argument(first + k), slots[k]);
  return walk(run, region, flow);
}

void bindLoopResults(UnfoldRun& run, Operation& op, std::vector<Slot>& slots,
                     std::vector<PointId>& started, Flow& flow) {
  PointId all = op.numResults() == 0 ? kNone : run.graph.join(started, op, flow);
  for (unsigned i = 0; i < slots.size(); ++i) {
    if (isToken(op.result(i))) slots[i].point = run.graph.join({slots[i].point, all}, op, flow);
    run.values.set(op.result(i), slots[i]);
  }
  if (op.numResults() == 0)
    flow.started->insert(flow.started->end(), started.begin(), started.end());
  else
    flow.started->push_back(all);
}

/// Tokens that the loop results in cover everything inside.
void runLoop(UnfoldRun& run, Operation& op, Range range, OperandRange inits, Flow& flow) {
  if (range.step <= 0) return run.graph.stop(op, "a step that is not positive");
  Block& body = op.region(0).front();
  std::vector<Slot> carriedSlots;
  for (Value init : inits)
    carriedSlots.push_back(carried(run, init));
  std::vector<PointId> started;
  std::vector<PointId>* outerStarted = std::exchange(flow.started, &started);
  InstanceId outer = flow.instance;
  int64_t left = clipped(run, op, range.count());
  for (int64_t i = range.lower; left > 0 && !run.graph.isStopped(); --left, i += range.step) {
    flow.instance = run.graph.addInstance(&op, outer, {i});
    run.values.setNumber(body.argument(0), i);
    for (unsigned k = 0; k < carriedSlots.size(); ++k)
      run.values.set(body.argument(k + 1), carriedSlots[k]);
    Operation* end = walk(run, op.region(0), flow);
    if (!end) break;
    for (unsigned k = 0; k < carriedSlots.size(); ++k)
      carriedSlots[k] = carried(run, end->operand(k));
  }
  flow.instance = outer;
  flow.started = outerStarted;
  bindLoopResults(run, op, carriedSlots, started, flow);
}

}  // namespace

void visitCall(UnfoldRun& run, Operation& op, Flow& flow) {
  func::FuncOp callee = func::CallOp(&op).function();
  if (!callee || callee.isDeclaration())
    return run.graph.stop(op, "a call of a function without a body");
  if (flow.calls == kMaxCallDepth) return run.graph.stop(op, "calls are nested too deeply");
  for (unsigned i = 0; i < op.numOperands(); ++i)
    run.values.set(callee.argument(i), carried(run, op.operand(i)));
  ++flow.calls;
  InstanceId outer = flow.instance;
  flow.instance = run.graph.addInstance(callee.op(), outer, {});
  Operation* end = walk(run, callee.body(), flow);
  flow.instance = outer;
  --flow.calls;
  if (end) bindResults(run, op, *end);
}

void visitBranch(UnfoldRun& run, Operation& op, Flow& flow) {
  Region* taken = takenRegion(op, run.values);
  if (!taken) return run.graph.stop(op, "a condition that cannot be evaluated");
  if (const auto index = static_cast<unsigned>(taken - &op.region(0)); index < 64)
    run.graph.out.taken[&op] |= uint64_t{1} << index;
  if (taken->empty()) return;
  Operation* end = walk(run, *taken, flow);
  if (end && op.numResults() > 0) bindResults(run, op, *end);
}

void visitRegion(UnfoldRun& run, Operation& op, Flow& flow) {
  Operation* end = walk(run, op.region(0), flow);
  if (end) bindResults(run, op, *end);
}

void visitFor(UnfoldRun& run, Operation& op, Flow& flow) {
  scf::ForOp loop(&op);
  const Value values[] = {loop.lowerBound(), loop.upperBound(), loop.step()};
  const auto bounds = numbersOf(values, run.values);
  if (!bounds) return run.graph.stop(op, "a bound that is not an integer");
  runLoop(run, op, {(*bounds)[0], (*bounds)[1], (*bounds)[2]}, loop.initArgs(), flow);
}

void visitAffineFor(UnfoldRun& run, Operation& op, Flow& flow) {
  affine::ForOp loop(&op);
  std::optional<int64_t> lower = lowerBound(loop.lowerBound(), run.values);
  std::optional<int64_t> upper = upperBound(loop.upperBound(), run.values);
  if (!lower || !upper) return run.graph.stop(op, "a bound that cannot be evaluated");
  runLoop(run, op, {*lower, *upper, loop.step()}, loop.inits(), flow);
}

void visitWhile(UnfoldRun& run, Operation& op, Flow& flow) {
  scf::WhileOp loop(&op);
  std::vector<Slot> slots;
  for (Value init : loop.inits())
    slots.push_back(carried(run, init));
  std::vector<PointId> started;
  std::vector<PointId>* outerStarted = std::exchange(flow.started, &started);
  InstanceId outer = flow.instance;
  for (int64_t i = 0;; ++i) {
    flow.instance = run.graph.addInstance(&op, outer, {i});
    Operation* end = runPart(run, loop.before(), slots, 0, flow);
    if (!end) break;
    slots.clear();
    scf::ConditionOp test(end);
    for (Value argument : test.args())
      slots.push_back(carried(run, argument));
    std::optional<bool> goesOn = decideWhile(run, op, test.condition(), i);
    if (!goesOn) run.graph.stop(op, "a condition that cannot be evaluated");
    if (!goesOn || !*goesOn) break;
    Operation* yield = runPart(run, loop.after(), slots, 0, flow);
    if (!yield) break;
    slots.clear();
    for (Value operand : yield->operands())
      slots.push_back(carried(run, operand));
  }
  flow.instance = outer;
  flow.started = outerStarted;
  if (!run.graph.isStopped()) bindLoopResults(run, op, slots, started, flow);
}

}  // namespace airlite::analysis::unfold
