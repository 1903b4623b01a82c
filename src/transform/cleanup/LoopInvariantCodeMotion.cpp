// loop-invariant-code-motion: what a loop computes anew each time, though nothing in it changes,
// moves in front of the loop.
//
// Matches pure ops without regions in the body of a loop (scf.for, scf.while, affine.for ...) whose
// operands are values from outside, or results of ops that move. Inner loops come first, so that an
// op goes out as far as it can. Pure ops may be executed early: that the loop may not run at all
// does not matter.
//
// Declines nothing. What reads memory stays, as do ops in loops that are isolated from above.
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <vector>

namespace airlite {

namespace {

bool isDefinedIn(const Operation& loop, Value value) {
  Operation* owner =
      value.isBlockArgument() ? value.argumentBlock()->parentOp() : value.definingOp()->parentOp();
  return owner && loop.isAncestor(owner);
}

bool isInvariant(const Operation& op, const Operation& loop) {
  if (!op.hasTrait(Trait::Pure) || op.numRegions() != 0 || op.numResults() == 0) return false;
  for (Value operand : op.operands())
    if (isDefinedIn(loop, operand)) return false;
  return true;
}

/// Ops that stand directly in the blocks of the loop: what is deeper may not be reached.
bool moveOut(Operation& loop) {
  bool changed = false;
  for (Region& region : loop.regions())
    for (Block& block : region.blocks())
      for (Operation& op : block.ops()) {
        if (op.hasTrait(Trait::Terminator) || !isInvariant(op, loop)) continue;
        op.moveBefore(&loop);
        changed = true;
      }
  return changed;
}

class LoopInvariantCodeMotion : public Pass {
 public:
  LoopInvariantCodeMotion()
      : Pass("loop-invariant-code-motion", "Moves what never changes out of loops") {
    example("airlite-opt --loop-invariant-code-motion in.mlir");
  }

  PassResult run(Operation& root, PassContext&) override {
    bool changed = false;
    root.walk([&](Operation& op) {
      bool isLoop = op.hasTrait(Trait::LoopLike) && !op.hasTrait(Trait::IsolatedFromAbove);
      if (isLoop && &op != &root) changed |= moveOut(op);
    });
    return changedIf(changed);
  }
};

}  // namespace

void registerLoopInvariantCodeMotion(PassRegistry& registry) {
  registry.add<LoopInvariantCodeMotion>();
}

}  // namespace airlite
