// air-regularize-loop: makes nests of affine loops perfect.
//
// Matches each affine.for with `affine_opt_label` (with the one that `air-label` names, if it does).
// Ops between it and the innermost loop that have no effects, such as affine.apply, move into the
// innermost loop, so that each loop but that one holds nothing but the next one.
//
// Declines, with a remark: a loop that carries values or holds several loops; an op that has effects,
// that stands after the loop inside, or that the bounds of a loop or the outer loops need.
#include "AffineBand.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using affine::ForOp;

/// A nest, and what stands between its loops.
struct LooseNest {
  ForOp innermost;
  std::vector<Operation*> between;  // in the order of the program
  std::string_view obstacle = {};
};

LooseNest looseNest(ForOp root) {
  LooseNest nest{root, {}, {}};
  while (true) {
    ForOp inner;
    std::vector<Operation*> others;
    for (Operation& op : nest.innermost.body().ops()) {
      if (op.hasTrait(Trait::Terminator)) continue;
      if (isa<ForOp>(&op) && inner) nest.obstacle = "a loop holds several loops";
      if (!isa<ForOp>(&op) && inner) nest.obstacle = "an op stands after the loop inside";
      if (isa<ForOp>(&op))
        inner = ForOp(&op);
      else
        others.push_back(&op);
    }
    if (!inner || !nest.obstacle.empty()) return nest;
    if (nest.innermost->numResults() > 0 || inner->numResults() > 0) {
      nest.obstacle = "a loop of the nest carries values";
      return nest;
    }
    nest.between.insert(nest.between.end(), others.begin(), others.end());
    nest.innermost = inner;
  }
}

std::string_view obstacleTo(const LooseNest& nest) {
  if (!nest.obstacle.empty()) return nest.obstacle;
  for (Operation* op : nest.between) {
    if (!isPure(*op)) return "an op between the loops has effects";
    for (Value result : op->resultValues())
      for (OpOperand& use : result.uses()) {
        const bool moves = std::ranges::find(nest.between, use.owner()) != nest.between.end();
        if (!moves && !nest.innermost->isProperAncestor(use.owner()))
          return "a loop of the nest needs an op between the loops";
      }
  }
  return {};
}

class RegularizeLoop : public Pass {
 public:
  RegularizeLoop() : Pass("air-regularize-loop", "Makes labelled nests of affine loops perfect") {
    anchor("func.func");
    option("air-label", label_, "regularize only nests with this label");
    example("airlite-opt --air-regularize-loop in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    return affine::rewriteLabelledNests(function, label_, context, [](ForOp root) {
      const LooseNest nest = looseNest(root);
      if (nest.between.empty() && nest.obstacle.empty())
        return std::string_view("the nest is perfect");
      const std::string_view obstacle = obstacleTo(nest);
      if (!obstacle.empty()) return obstacle;
      Operation& first = nest.innermost.body().front();
      for (Operation* op : nest.between)
        op->moveBefore(&first);
      return std::string_view();
    });
  }

 private:
  std::string label_;
};

}  // namespace

void registerRegularizeLoop(PassRegistry& registry) { registry.add<RegularizeLoop>(); }

}  // namespace airlite
