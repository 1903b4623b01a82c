// affine-simplify-structures: maps and sets of the affine dialect in their simplest form.
//
// Matches every affine op and applies the canonicalizations of its definition, until nothing
// changes: what affine.apply computes goes into the maps that use it, bounds of loops lose what
// does not decide, loops that never run and conditions that are always the same go. Unlike
// canonicalize it touches no other op and leaves what nobody uses any more to cse. It never
// declines; it stops with a remark when it does not settle in ten rounds.
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/GreedyRewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <unordered_set>

namespace airlite {

namespace {

/// The canonicalizations of the affine ops in `root`.
std::vector<RootedPattern> affinePatterns(Operation& root) {
  std::vector<RootedPattern> patterns;
  std::unordered_set<const OpDef*> seen;
  root.walk([&](Operation& op) {
    if (!op.name().starts_with("affine.") || !seen.insert(&op.def()).second) return;
    for (const RewritePattern& pattern : op.def().patterns)
      patterns.push_back({op.def().name(), pattern});
  });
  return patterns;
}

class AffineSimplifyStructures : public Pass {
 public:
  AffineSimplifyStructures()
      : Pass("affine-simplify-structures", "Simplifies the maps and sets of affine ops") {
    anchor("func.func");
    example("airlite-opt --affine-simplify-structures in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<RootedPattern> patterns = affinePatterns(function);
    if (patterns.empty()) return PassResult::Unchanged;
    declareRemovals(context);
    GreedyOutcome outcome =
        applyPatterns(function, patterns, {.fold = false, .simplifyRegions = false});
    if (!outcome.converged) context.remark(function, "did not settle in ten rounds");
    return changedIf(outcome.changed);
  }

 private:
  static void declareRemovals(PassContext& context) {
    for (CountedEffect effect : {CountedEffect::Store, CountedEffect::Dma,
                                 CountedEffect::ChannelPut, CountedEffect::ChannelGet})
      context.declareEffectChange(effect, "in a loop or branch that never runs");
  }
};

}  // namespace

void registerAffineSimplifyStructures(PassRegistry& registry) {
  registry.add<AffineSimplifyStructures>();
}

}  // namespace airlite
