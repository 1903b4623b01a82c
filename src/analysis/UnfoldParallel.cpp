// Loops whose iterations are processes.
#include "UnfoldRun.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::analysis::unfold {

namespace {

/// The process waits for the bodies. Tensors that they share are not memory.
void runSideBySide(UnfoldRun& run, Operation& op, const std::vector<Range>& ranges, Flow& flow) {
  Block& block = op.region(0).front();
  std::vector<PointId> bodies;
  forEachPoint(run, op, ranges, [&](const std::vector<int64_t>& index) {
    Flow body = flow;
    body.process = ++run.processes;
    body.instance = run.graph.addInstance(&op, flow.instance, index);
    for (unsigned i = 0; i < index.size(); ++i)
      run.values.setNumber(block.argument(i), index[i]);
    walk(run, op.region(0), body);
    bodies.push_back(body.at);
  });
  bodies.push_back(flow.at);
  flow.at = run.graph.join(std::move(bodies), op, flow);
}

std::optional<std::vector<int64_t>> mixed(UnfoldRun& run, std::span<const int64_t> statics,
                                          OperandRange values) {
  std::vector<int64_t> numbers;
  for (const memref::MixedIndex& entry : memref::mixedIndices(statics, values)) {
    std::optional<int64_t> number =
        entry.isConstant() ? std::optional(entry.constant) : run.values.decide(entry.value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

void visitForall(UnfoldRun& run, Operation& op, Flow& flow) {
  scf::ForallOp loop(&op);
  auto lower = mixed(run, loop.staticLowerBounds(), loop.dynamicLowerBounds()),
       upper = mixed(run, loop.staticUpperBounds(), loop.dynamicUpperBounds()),
       step = mixed(run, loop.staticSteps(), loop.dynamicSteps());
  if (!lower || !upper || !step) return run.graph.stop(op, "a bound that is not an integer");
  std::vector<Range> ranges;
  for (unsigned i = 0; i < loop.rank(); ++i)
    ranges.push_back({(*lower)[i], (*upper)[i], (*step)[i]});
  runSideBySide(run, op, ranges, flow);
}

void visitAffineParallel(UnfoldRun& run, Operation& op, Flow& flow) {
  affine::ParallelOp loop(&op);
  std::vector<Range> ranges;
  for (unsigned i = 0; i < loop.numDims(); ++i) {
    std::optional<int64_t> lower = lowerBound(loop.lowerBound(i), run.values);
    std::optional<int64_t> upper = upperBound(loop.upperBound(i), run.values);
    if (!lower || !upper) return run.graph.stop(op, "a bound that cannot be evaluated");
    ranges.push_back({*lower, *upper, loop.step(i)});
  }
  if (op.numResults() > 0) return run.graph.stop(op, "numbers reduced around asynchronous ops");
  runSideBySide(run, op, ranges, flow);
}

void visitParallel(UnfoldRun& run, Operation& op, Flow& flow) {
  scf::ParallelOp loop(&op);
  std::vector<Range> ranges;
  for (unsigned i = 0; i < loop.numLoops(); ++i) {
    const Value values[] = {loop.lowerBounds()[i], loop.upperBounds()[i], loop.steps()[i]};
    const auto bounds = numbersOf(values, run.values);
    if (!bounds) return run.graph.stop(op, "a bound that is not an integer");
    ranges.push_back({(*bounds)[0], (*bounds)[1], (*bounds)[2]});
  }
  std::vector<Value> results = op.resultValues();
  bool isAsync = !results.empty() && std::all_of(results.begin(), results.end(), isToken);
  bool isOrdered = !results.empty() && !isAsync;
  const bool hasTokens = std::any_of(results.begin(), results.end(), isToken);
  std::vector<PointId> begin = tokenPoints(run, loop.initVals()), started, bodies;
  begin.push_back(flow.at);
  PointId first = isAsync ? run.graph.join(begin, op, flow) : flow.at;
  forEachPoint(run, op, ranges, [&](const std::vector<int64_t>& index) {
    Flow body = flow;
    body.at = isOrdered ? flow.at : first;
    if (!isOrdered) body.process = ++run.processes;
    body.started = hasTokens ? &started : flow.started;
    body.instance = run.graph.addInstance(&op, flow.instance, index);
    for (unsigned i = 0; i < index.size(); ++i)
      run.values.setNumber(loop.inductionVars()[i], index[i]);
    walk(run, loop->region(0), body);
    bodies.push_back(body.at);
    if (isOrdered) flow.at = body.at;
  });
  started.insert(started.end(), bodies.begin(), bodies.end());
  if (!isAsync) {
    bodies.push_back(flow.at);
    flow.at = run.graph.join(std::move(bodies), op, flow);
  }
  if (!hasTokens) return;
  started.push_back(isAsync ? first : flow.at);
  if (isOrdered) started.insert(started.end(), begin.begin(), begin.end());
  PointId end = run.graph.join(std::move(started), op, flow);
  flow.started->push_back(end);
  for (Value result : results)
    if (isToken(result)) run.values.set(result, {true, ++run.locks, end, kNone});
}

}  // namespace airlite::analysis::unfold
