// Which way a program goes: conditions and bounds as numbers, with assumptions where it does not
// fix them.
#include "UnfoldRun.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::analysis::unfold {

namespace {

std::optional<unsigned> chosenBySet(UnfoldRun& run, affine::IfOp op) {
  std::optional<std::vector<int64_t>> operands = decideAll(run, op.setOperands().vec());
  if (!operands) return std::nullopt;
  unsigned dims = op.condition().numDims();
  std::optional<bool> holds =
      op.condition().contains(std::span(*operands).first(dims), std::span(*operands).subspan(dims));
  if (!holds) return std::nullopt;
  return *holds ? 0u : 1u;
}

}  // namespace

std::optional<unsigned> successorOf(UnfoldRun& run, Operation& end,
                                    std::map<Operation*, int64_t>& same) {
  if (end.numSuccessors() == 1) return 0u;
  std::optional<int64_t> number = run.values.decide(end.operand(0));
  if (!number) return std::nullopt;
  bool isFixed = !run.varies.isAssumedIn(end.operand(0), *end.parentOp(), run.values);
  int64_t most = std::max<int64_t>(run.options.assumedTrips, 1);
  if (cf::SwitchOp choice = dynCast<cf::SwitchOp>(&end)) {
    unsigned chosen = 0;
    for (unsigned i = 0; i < choice.numCases(); ++i)
      if (choice.caseValue(i) == *number) chosen = i + 1;
    if (isFixed || same[&end]++ < most) return chosen;
    same[&end] = 0;
    return (chosen + 1) % end.numSuccessors();
  }
  unsigned chosen = *number ? 0 : 1;
  if (isFixed || same[&end]++ < most) return chosen;
  same[&end] = 0;
  return 1 - chosen;
}

std::optional<unsigned> chosenRegion(UnfoldRun& run, Operation& op, PlanKind kind) {
  if (kind == PlanKind::AffineIf) return chosenBySet(run, affine::IfOp(&op));
  std::optional<int64_t> number = run.values.decide(op.operand(0));
  if (!number) return std::nullopt;
  if (kind == PlanKind::If) return *number ? 0u : 1u;
  std::span<const int64_t> cases = scf::IndexSwitchOp(&op).cases();
  auto found = std::find(cases.begin(), cases.end(), *number);
  return found == cases.end() ? 0u : static_cast<unsigned>(found - cases.begin()) + 1;
}

std::optional<bool> decideWhile(UnfoldRun& run, Operation& loop, Value condition, int64_t turn) {
  std::optional<int64_t> number = run.values.decide(condition);
  if (!number) return std::nullopt;
  if (*number == 0 || !run.varies.isAssumedIn(condition, loop, run.values)) return *number != 0;
  return turn < std::max<int64_t>(run.options.assumedTrips, 1);
}

std::optional<std::vector<int64_t>> decideAll(UnfoldRun& run, const std::vector<Value>& values) {
  std::vector<int64_t> numbers;
  for (Value value : values) {
    std::optional<int64_t> number = run.values.decide(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<int64_t> bound(UnfoldRun& run, const affine::Application& application, bool isLower) {
  auto operands = decideAll(run, application.operands);
  if (!operands) return std::nullopt;
  unsigned dims = application.map.numDims();
  auto results = application.map.evaluate(std::span(*operands).first(dims),
                                          std::span(*operands).subspan(dims));
  if (!results || results->empty()) return std::nullopt;
  return isLower ? *std::max_element(results->begin(), results->end())
                 : *std::min_element(results->begin(), results->end());
}

int64_t clipped(UnfoldRun& run, Operation& op, int64_t count) {
  bool isClipped = run.options.maxRepetitions > 0 && !run.plans.hasChannels(op);
  return isClipped ? std::min(count, run.options.maxRepetitions) : count;
}

void forEachPoint(UnfoldRun& run, Operation& op, const std::vector<Range>& ranges,
                  const PointFn& each) {
  std::vector<int64_t> index;
  for (const Range& range : ranges) {
    if (range.step <= 0) return run.graph.stop(op, "a step that is not positive");
    if (range.count() == 0) return;
    index.push_back(range.lower);
  }
  bool isClipped = isa<air::LaunchOp>(&op) || op.hasTrait(Trait::ParallelLoop);
  int64_t left = isClipped ? clipped(run, op, INT64_MAX) : INT64_MAX;
  for (; left > 0; --left) {
    if (run.graph.isStopped()) return;
    each(index);
    size_t d = ranges.size();
    while (d > 0 && (index[d - 1] += ranges[d - 1].step) >= ranges[d - 1].upper) {
      --d;
      index[d] = ranges[d].lower;
    }
    if (d == 0) return;
  }
}

}  // namespace airlite::analysis::unfold
