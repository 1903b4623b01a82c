// From loops around channel ops to single transfers.
#include "ChannelSpecializer.hpp"

#include "MovementLoops.hpp"
#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/GreedyRewriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace airlite::air {

namespace {

/// The ops of `scope` that `matches`, inner ones first.
std::vector<Operation*> collect(Operation& scope, FunctionRef<bool(Operation&)> matches) {
  std::vector<Operation*> ops;
  scope.walk([&](Operation& op) {
    if (&op != &scope && matches(op)) ops.push_back(&op);
  });
  return ops;
}

/// The scf.parallel ops around channel ops, each once, inner ones first; `entersLevels`: also those in launches, segments
/// and herds inside.
std::vector<Operation*> parallelsOfChannels(Operation& scope, bool entersLevels) {
  std::unordered_set<Operation*> around;
  scope.walkWith([&](Operation& op) {
    if (!entersLevels && &op != &scope && asHierarchy(&op)) return WalkResult::Skip;
    if (!isChannelAccess(op)) return WalkResult::Advance;
    for (Operation* at = op.parentOp(); at != &scope && at && !asHierarchy(at); at = at->parentOp())
      if (isa<scf::ParallelOp>(at) && !around.insert(at).second) break;
    return WalkResult::Advance;
  });
  return collect(scope, [&](Operation& op) { return around.count(&op) > 0; });
}

/// The rewrites of these names that the `ops` have.
std::vector<RootedPattern> patternsOf(Context& context, std::span<const std::string_view> ops,
                                      std::span<const std::string_view> names) {
  std::vector<RootedPattern> patterns;
  for (std::string_view op : ops)
    for (const RewritePattern& pattern : context.findOp(op)->patterns)
      if (std::ranges::count(names, pattern.name) > 0) patterns.push_back({op, pattern});
  return patterns;
}

/// What a copy of a loop's body chooses by its iteration is known.
void decideChoices(Operation& scope) {
  constexpr std::string_view kOps[] = {"scf.if", "affine.if"};
  constexpr std::string_view kNames[] = {"if-constant-condition", "affine-if-decided"};
  applyPatterns(scope, patternsOf(scope.context(), kOps, kNames));
}

bool unrollParallels(Operation& scope, bool entersLevels, PassContext& context) {
  bool changed = false;
  for (Operation* loop : parallelsOfChannels(scope, entersLevels)) {
    std::string_view obstacle = unrollParallel(*loop);
    if (!obstacle.empty()) context.remark(*loop, fmt::format("not unrolled: {}", obstacle));
    changed |= obstacle.empty();
  }
  if (changed) decideChoices(scope);
  return changed;
}

/// Each run of the loop is a turn of the core (analysis/HandOver.hpp).
bool takesTurns(Operation& root) {
  bool found = false;
  root.walk([&](Operation& op) {
    found |= isChannelAccess(op) && analysis::isSharedByCores(ChannelAccessOp(&op).access().memref);
  });
  return found;
}

constexpr std::string_view kTurns = "cores take turns with the memory in each of its rounds";

bool foldNests(Operation& scope, const ListLimits& limits, IndexConstants& constants,
               PassContext& context, bool says) {
  NestFolder folder(limits, constants);
  bool changed = false;
  for (Operation* op : collect(scope, [](Operation& op) { return isChannelAccess(op); })) {
    std::string_view declined = takesTurns(*op) ? kTurns : "";
    changed |= declined.empty() && folder.run(ChannelAccessOp(op), declined);
    if (says && !declined.empty())
      context.remark(*op, fmt::format("a loop around does not go into its lists: {}", declined));
  }
  return changed;
}

bool unrollLoops(Operation& scope, PassContext& context) {
  bool changed = false;
  // Inner loops first: a loop around has nothing but movement when they are gone.
  for (Operation* loop : collect(scope, [](Operation& op) { return bool(loopVariable(op)); })) {
    if (!isMovementLoop(*loop)) continue;
    std::string_view obstacle = takesTurns(*loop) ? kTurns : unrollMovement(*loop);
    if (!obstacle.empty()) context.remark(*loop, fmt::format("not unrolled: {}", obstacle));
    changed |= obstacle.empty();
  }
  return changed;
}

void dropRepeatedWaits(Operation& scope) {
  scope.walk([](Operation& op) {
    if (!isAsyncOp(op)) return;
    std::unordered_set<Value> seen;
    std::vector<Value> waits;
    for (Value wait : AsyncOp(&op).dependencies())
      if (seen.insert(wait).second) waits.push_back(wait);
    if (waits.size() < AsyncOp(&op).dependencies().size()) AsyncOp(&op).setDependencies(waits);
  });
}

}  // namespace

bool specializeChannels(Operation& scope, const ListLimits& limits, bool unroll,
                        PassContext& context) {
  IndexConstants constants;
  bool changed = unrollParallels(scope, true, context);
  changed |= foldNests(scope, limits, constants, context, true);
  if (unroll && unrollLoops(scope, context)) {
    changed = true;
    foldNests(scope, limits, constants, context, false);
  }
  return changed;
}

bool unrollParallelsIn(Operation& loop, PassContext& context) {
  return unrollParallels(loop, false, context);
}

void declareCopies(PassContext& context) {
  for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                               CountedEffect::Dma, CountedEffect::Store})
    context.declareEffectChange(effect, "loops become one transfer, or one for each iteration");
}

void tidyTransfers(Operation& scope) {
  // Not "simplify-dependencies": it takes the order of transfers from run to run of a loop for
  // granted, which is not so for the copies of a parallel loop.
  constexpr std::string_view kOps[] = {"air.execute", "air.wait_all"};
  constexpr std::string_view kNames[] = {"fold-wait-all", "forward-results", "execute-to-join"};
  std::vector<RootedPattern> patterns = patternsOf(scope.context(), kOps, kNames);
  for (const RewritePattern& pattern : scope.context().findOp("affine.apply")->patterns)
    patterns.push_back({"affine.apply", pattern});
  applyPatterns(scope, patterns);
  dropRepeatedWaits(scope);
}

}  // namespace airlite::air
