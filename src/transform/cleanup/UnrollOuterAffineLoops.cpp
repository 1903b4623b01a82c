// air-unroll-outer-affine-loops: the outer loops of a nest become straight code.
//
// Matches each affine.for whose direct parent is not an affine.for, with the perfect nest below it. The
// first `depth` loops of the nest are replaced by copies of their bodies, one for each iteration,
// the innermost of them first. In a copy the variable is a constant, or an affine.apply of the
// lower bound; bounds of inner loops keep their maps.
//
// Declines, with a remark at the loop: a trip count that is not known, and copies of more than
// 2^20 ops in all.
#include "AffineBand.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>

namespace airlite {

namespace {

using affine::ForOp;

constexpr int64_t kMostOps = int64_t{1} << 20;

/// The value of the loop variable in iteration `k`.
Value variableAt(ForOp loop, int64_t k, Builder& builder) {
  int64_t offset = k * loop.step();
  if (std::optional<int64_t> lower = loop.constantLowerBound())
    return builder.constantIndex(loop->location(), *lower + offset);
  affine::Application at = loop.lowerBound();
  AffineExpr sum = at.map.result(0) + offset;
  at.map =
      AffineMap::get(loop->context(), at.map.numDims(), at.map.numSymbols(), std::span(&sum, 1));
  return affine::ApplyOp::create(builder, loop->location(), at)->result();
}

void unroll(ForOp loop, int64_t trips) {
  Builder builder = Builder::before(*loop);
  std::vector<Value> carried = loop.inits().vec();
  for (int64_t k = 0; k < trips; ++k) {
    IRMapping mapping;
    mapping.map(loop.inductionVar(), variableAt(loop, k, builder));
    for (unsigned i = 0; i < carried.size(); ++i)
      mapping.map(loop.regionIterArg(i), carried[i]);
    for (Operation& op : loop.body().ops())
      if (&op != loop.yield().op()) builder.clone(op, mapping);
    for (unsigned i = 0; i < carried.size(); ++i)
      carried[i] = mapping.lookupOr(loop.yield().values()[i]);
  }
  loop->replaceAllUsesWith(carried);
  loop->erase();
}

class UnrollOuterAffineLoops : public Pass {
 public:
  UnrollOuterAffineLoops()
      : Pass("air-unroll-outer-affine-loops", "Unrolls the outer loops of affine nests") {
    anchor("func.func");
    option("depth", depth_, "how many loops of a nest to unroll, from outside");
    example("airlite-opt --air-unroll-outer-affine-loops='depth=2' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<ForOp> roots;  // inner nests first
    function.walk([&](Operation& op) {
      if (isa<ForOp>(&op) && !isa<ForOp>(op.parentOp())) roots.push_back(ForOp(&op));
    });
    bool changed = false;
    for (ForOp root : roots)
      changed |= unrollBand(root, context);
    if (changed)
      for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                   CountedEffect::Dma, CountedEffect::Store})
        context.declareEffectChange(effect, "one for each copy of a loop body");
    return changedIf(changed);
  }

 private:
  bool unrollBand(ForOp root, PassContext& context) const {
    std::vector<ForOp> band = affine::bandOf(root);
    size_t depth = static_cast<size_t>(std::clamp<int64_t>(depth_, 0, band.size()));
    bool changed = false;
    for (size_t i = depth; i > 0; --i) {
      std::optional<int64_t> trips = affine::knownTripCount(band[i - 1]);
      bool isSmall = trips && *trips <= kMostOps / air::countOps(*band[i - 1]);
      if (!isSmall)
        context.remark(*band[i - 1], trips ? "too many copies" : "its trip count is not known");
      else
        unroll(band[i - 1], *trips);
      changed |= isSmall;
    }
    return changed;
  }

  int64_t depth_ = 1;
};

}  // namespace

void registerUnrollOuterAffineLoops(PassRegistry& registry) {
  registry.add<UnrollOuterAffineLoops>();
}

}  // namespace airlite
