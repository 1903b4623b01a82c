// air-loop-permutation: the loops of an affine nest in another order.
//
// Matches each affine.for with `affine_opt_label` (with the one that `air-label` names, if it does),
// with the perfect nest below it. Loop i of the nest, from 0 for the outermost, goes to the place that
// entry i of `loop-order` says, with its bounds, its step and its variable. The label stays with the
// outermost loop, or becomes `air-post-label`.
//
// Declines, with a remark: a nest with another number of loops than `loop-order` has; a loop that
// carries values, or whose bounds are made in the nest; iterations that are not known to be
// independent of each other.
#include "AffineBand.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using affine::ForOp;

/// What a loop counts.
struct LoopRange {
  affine::Application lower, upper;
  int64_t step = 1;
  std::vector<OpOperand*> uses;  // of its variable
};

LoopRange rangeOf(ForOp loop) {
  LoopRange range{loop.lowerBound(), loop.upperBound(), loop.step(), {}};
  for (OpOperand& use : loop.inductionVar().uses())
    range.uses.push_back(&use);
  return range;
}

void setRange(ForOp loop, const LoopRange& range) {
  loop->setOperandGroup(0, range.lower.operands);
  loop->setOperandGroup(1, range.upper.operands);
  loop->setAttr("lowerBoundMap", AffineMapAttr::get(range.lower.map));
  loop->setAttr("upperBoundMap", AffineMapAttr::get(range.upper.map));
  loop->setAttr("step", IntegerAttr::getIndex(loop->context(), range.step));
  for (OpOperand* use : range.uses)
    use->set(loop.inductionVar());
}

bool isMadeIn(Value value, ForOp root) {
  Operation* owner = value.definingOp();
  if (owner) return root->isAncestor(owner);
  Block* block = value.parentBlock();
  return block && root->isAncestor(block->parentOp());
}

class LoopPermutation : public Pass {
 public:
  LoopPermutation()
      : Pass("air-loop-permutation", "Puts the loops of a labelled affine nest in another order") {
    anchor("func.func");
    option("loop-order", order_, "the new place of each loop, from 0 for the outermost");
    option("air-label", label_, "permute only nests with this label");
    option("air-post-label", postLabel_, "label of the new nests; none: the one they had");
    example("airlite-opt --air-loop-permutation='loop-order=1,0' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<int64_t> sorted = order_;
    std::ranges::sort(sorted);
    for (size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != static_cast<int64_t>(i)) sorted.clear();
    if (sorted.empty()) {
      function.emitError() << "expected a loop-order that has each number from 0 on once, as in "
                              "2,0,1";
      return PassResult::Failed;
    }
    return affine::rewriteLabelledNests(function, label_, context,
                                        [&](ForOp root) { return tryPermute(root); });
  }

 private:
  /// Empty when the nest has another order now, else why not.
  std::string_view tryPermute(ForOp root) const {
    const std::vector<ForOp> band = affine::bandOf(root);
    if (band.size() != order_.size()) return "the nest has not as many loops as the order says";
    for (ForOp loop : band) {
      if (loop->numResults() > 0) return "a loop of the nest carries values";
      for (Value operand : loop->operands())
        if (isMadeIn(operand, root)) return "a bound of a loop is made in the nest";
    }
    if (!std::ranges::is_sorted(order_) && !affine::areIndependent(band))
      return "iterations would change their order and may depend on each other";
    std::vector<LoopRange> ranges;
    for (ForOp loop : band)
      ranges.push_back(rangeOf(loop));
    for (size_t i = 0; i < band.size(); ++i)
      setRange(band[static_cast<size_t>(order_[i])], ranges[i]);
    if (!postLabel_.empty())
      root->setAttr(affine::kNestLabel, StringAttr::get(root->context(), postLabel_));
    return {};
  }

  std::vector<int64_t> order_;
  std::string label_, postLabel_;
};

}  // namespace

void registerLoopPermutation(PassRegistry& registry) { registry.add<LoopPermutation>(); }

}  // namespace airlite
