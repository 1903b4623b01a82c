// Which way a program goes: conditions and bounds as numbers, with assumptions where it does not
// fix them.
#include "UnfoldRun.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::analysis::unfold {

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

std::optional<bool> decideWhile(UnfoldRun& run, Operation& loop, Value condition, int64_t turn) {
  std::optional<int64_t> number = run.values.decide(condition);
  if (!number) return std::nullopt;
  if (*number == 0 || !run.varies.isAssumedIn(condition, loop, run.values)) return *number != 0;
  return turn < std::max<int64_t>(run.options.assumedTrips, 1);
}

int64_t clipped(UnfoldRun& run, Operation& op, int64_t count) {
  bool isClipped = run.options.maxRepetitions > 0 && !run.plans.hasChannels(op);
  return isClipped ? std::min(count, run.options.maxRepetitions) : count;
}

/// Some of its instances are a part of the whole: of a herd with barriers, where all have to come,
/// they are not.
static bool canBeClipped(UnfoldRun& run, Operation& op) {
  if (isa<air::LaunchOp>(&op)) return true;
  if (!op.hasTrait(Trait::ParallelLoop)) return false;
  if (run.options.maxRepetitions == 0 || !isa<air::HerdOp>(&op)) return true;
  return op.walkWith([](Operation& inner) {
    return inner.is("gpu.barrier") ? WalkResult::Interrupt : WalkResult::Advance;
  }) != WalkResult::Interrupt;
}

void forEachPoint(UnfoldRun& run, Operation& op, const std::vector<Range>& ranges,
                  const PointFn& each) {
  std::vector<int64_t> index;
  for (const Range& range : ranges) {
    if (range.step <= 0) return run.graph.stop(op, "a step that is not positive");
    if (range.count() == 0) return;
    index.push_back(range.lower);
  }
  int64_t left = canBeClipped(run, op) ? clipped(run, op, INT64_MAX) : INT64_MAX;
  for (; left > 0; --left) {
    if (run.graph.isStopped()) return;
    if (run.graph.hasTooManyInstances())
      return run.graph.stopAsTooLarge(op, "it has too many instances");
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
