// air-automatic-tiling: splits affine loops into one loop for each prime factor of their trip counts.
//
// Matches each affine.for with `affine_opt_label` (with the one that `air-label` names, if it does),
// with the perfect nest below it. A loop of 28 iterations becomes three nested ones of 2, 2 and 7, from
// 0 on; what it counted is an affine.apply in the innermost loop. Iterations keep their order. Passes
// that merge or permute loops (air-loop-merging, air-loop-permutation) can then make any tiles. The
// label moves to the outermost loop, or becomes `air-post-label`.
//
// Declines, with a remark: a loop that carries values or has no constant bounds, more than 2^40
// iterations of a loop, more than 64 loops, nothing to split.
#include "AffineBand.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using affine::ForOp;

constexpr int64_t kMostSplitTrips = int64_t{1} << 40;
constexpr size_t kMostSplitLoops = 64;

/// In ascending order; those of 1: 1.
std::vector<int64_t> primeFactors(int64_t number) {
  std::vector<int64_t> factors;
  for (int64_t d = 2; d <= number / d; ++d)
    for (; number % d == 0; number /= d)
      factors.push_back(d);
  if (number > 1 || factors.empty()) factors.push_back(number);
  return factors;
}

affine::Application boundAt(Context& context, int64_t value) {
  const AffineExpr expr = AffineExpr::constant(context, value);
  return {AffineMap::get(context, 0, 0, std::span(&expr, 1)), {}};
}

/// Puts loops of these trip counts in the place of `loop`. What it counted is made before `user`, the
/// first op of the innermost loop of the nest. The outermost of the new loops.
ForOp split(ForOp loop, const std::vector<int64_t>& factors, Operation& user) {
  Context& context = loop->context();
  Builder builder = Builder::before(*loop);
  std::vector<ForOp> loops;
  affine::Application index;
  AffineExpr count = AffineExpr::constant(context, 0);
  for (int64_t factor : factors) {
    loops.push_back(
        ForOp::create(builder, loop->location(), boundAt(context, 0), boundAt(context, factor), 1));
    builder.setBefore(loops.back().body().back());
    const auto position = static_cast<unsigned>(index.operands.size());
    count = count * factor + AffineExpr::dim(context, position);
    index.operands.push_back(loops.back().inductionVar());
  }
  count = count * loop.step() + *loop.constantLowerBound();
  index.map = AffineMap::get(context, static_cast<unsigned>(index.operands.size()), 0,
                             std::span(&count, 1));
  Block& body = loops.back().body();
  body.splice(&body.front(), loop.body(), &loop.body().front(), &loop.body().back());
  Builder inner = Builder::before(user);
  const Value made = affine::ApplyOp::create(inner, loop->location(), index)->result();
  loop.inductionVar().replaceAllUsesWith(made);
  loop->erase();
  return loops.front();
}

class AutomaticTiling : public Pass {
 public:
  AutomaticTiling()
      : Pass("air-automatic-tiling",
             "Splits the loops of a labelled affine nest into their factors") {
    anchor("func.func");
    option("air-label", label_, "split only nests with this label");
    option("air-post-label", postLabel_, "label of the new nests; none: the one they had");
    example("airlite-opt --air-automatic-tiling in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    return affine::rewriteLabelledNests(function, label_, context,
                                        [&](ForOp root) { return trySplit(root); });
  }

 private:
  /// Empty when the nest was split, else why not.
  std::string_view trySplit(ForOp root) const {
    const std::vector<ForOp> band = affine::bandOf(root);
    std::vector<std::vector<int64_t>> factors;
    size_t numLoops = 0;
    for (ForOp loop : band) {
      if (loop->numResults() > 0) return "a loop of the nest carries values";
      if (!loop.tripCount()) return "a loop of the nest has no constant bounds";
      if (*loop.tripCount() > kMostSplitTrips) return "a loop of the nest has too many iterations";
      factors.push_back(primeFactors(*loop.tripCount()));
      numLoops += factors.back().size();
    }
    if (numLoops == band.size()) return "no trip count has several factors";
    if (numLoops > kMostSplitLoops) return "the nest would have too many loops";
    StringAttr label = root->attrOf<StringAttr>(affine::kNestLabel);
    if (!postLabel_.empty()) label = StringAttr::get(root->context(), postLabel_);
    Operation& user = band.back().body().front();
    if (user.hasTrait(Trait::Terminator)) return "the nest does nothing";
    for (size_t i = 0; i < band.size(); ++i) {
      if (factors[i].size() == 1) continue;
      ForOp outermost = split(band[i], factors[i], user);
      if (i == 0) root = outermost;
    }
    root->setAttr(affine::kNestLabel, label);
    return {};
  }

  std::string label_, postLabel_;
};

}  // namespace

void registerAutomaticTiling(PassRegistry& registry) { registry.add<AutomaticTiling>(); }

}  // namespace airlite
