// affine-loop-opt: tiles nests of affine loops.
//
// Matches each affine.for with `affine_opt_label` (with the one that `aaffine-opt-label` names, if
// it does), with the perfect nest below it, of loops with constant bounds. Each loop becomes two:
// first those over tiles, in the order of the nest, then those in a tile. The size of a tile is the
// largest divisor of the trip count that is not above the entry of `affine-opt-tile-sizes`; loops
// without an entry get 1. The outermost new loop gets `affine_opt_label` = `affine-opt-post-label`.
//
// Declines, with a remark: a loop without constant bounds, that carries values, or of more than 2^40
// iterations; tiles that would change the order of iterations that are not known to be independent
// of each other.
//
// Not supported: making copies of the data of a tile in a faster memory.
#include "AffineBand.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/support/Divisors.hpp"

#include <algorithm>
#include <cstdint>

namespace airlite {

namespace {

using affine::ForOp;

/// Divisors of larger numbers are not looked for.
constexpr int64_t kMostTrips = int64_t{1} << 40;

/// An iteration would come before one that it came after: a loop over tiles with several of them
/// runs around a loop that was outside of it and has several iterations in a tile.
bool reorders(const std::vector<int64_t>& trips, const std::vector<int64_t>& tiles) {
  bool hasTileOutside = false;
  for (size_t i = 0; i < trips.size(); ++i) {
    if (hasTileOutside && tiles[i] < trips[i]) return true;
    hasTileOutside |= tiles[i] > 1;
  }
  return false;
}

/// `band` again, with a loop over the tiles of each loop around it. Returns the outermost.
ForOp tile(const std::vector<ForOp>& band, const std::vector<int64_t>& tiles) {
  Context& context = band.front()->context();
  Builder builder = Builder::before(*band.front());
  std::vector<ForOp> outer;
  for (size_t i = 0; i < band.size(); ++i) {
    outer.push_back(ForOp::create(builder, band[i]->location(), band[i].lowerBound(),
                                  band[i].upperBound(), band[i].step() * tiles[i]));
    builder.setBefore(outer.back().body().back());
  }
  AffineExpr start = AffineExpr::dim(context, 0);
  for (size_t i = 0; i < band.size(); ++i) {
    Value variable = outer[i].inductionVar();
    AffineExpr end = start + tiles[i] * band[i].step();
    band[i]->setOperandGroup(0, std::span(&variable, 1));
    band[i]->setOperandGroup(1, std::span(&variable, 1));
    band[i]->setAttr("lowerBoundMap",
                     AffineMapAttr::get(AffineMap::get(context, 1, 0, std::span(&start, 1))));
    band[i]->setAttr("upperBoundMap",
                     AffineMapAttr::get(AffineMap::get(context, 1, 0, std::span(&end, 1))));
  }
  band.front()->moveBefore(&outer.back().body().back());
  return outer.front();
}

class AffineLoopOpt : public Pass {
 public:
  AffineLoopOpt() : Pass("affine-loop-opt", "Tiles labelled nests of affine loops") {
    anchor("func.func");
    option("affine-opt-tile-sizes", tileSizes_, "most iterations of a tile, the outermost first");
    option("aaffine-opt-label", label_, "tile only nests with this label");
    option("affine-opt-post-label", postLabel_, "label of the tiled nests");
    example("airlite-opt --affine-loop-opt='affine-opt-tile-sizes=4,4' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    for (int64_t size : tileSizes_)
      if (size < 1) {
        function.emitError() << "expected tile sizes above 0, got " << size;
        return PassResult::Failed;
      }
    return affine::rewriteLabelledNests(function, label_, context,
                                        [&](ForOp root) { return tryTile(root); });
  }

 private:
  /// Empty when the nest was tiled, else why not.
  std::string_view tryTile(ForOp root) const {
    std::vector<ForOp> band = affine::bandOf(root);
    std::vector<int64_t> trips, tiles;
    for (ForOp loop : band) {
      if (loop->numResults() > 0) return "a loop of the nest carries values";
      if (!loop.tripCount()) return "a loop of the nest has no constant bounds";
      bool isSmall = *loop.tripCount() <= kMostTrips && loop.step() <= kMostTrips / 2;
      if (!isSmall || *loop.tripCount() > INT64_MAX / loop.step())
        return "a loop of the nest has too many iterations";
      size_t level = tiles.size();
      trips.push_back(*loop.tripCount());
      tiles.push_back(divisorUpTo(trips[level], level < tileSizes_.size() ? tileSizes_[level] : 1));
    }
    if (reorders(trips, tiles) && !affine::areIndependent(band))
      return "iterations would change their order and may depend on each other";
    root->removeAttr(affine::kNestLabel);
    tile(band, tiles)->setAttr(affine::kNestLabel, StringAttr::get(root->context(), postLabel_));
    return {};
  }

  std::vector<int64_t> tileSizes_;
  std::string label_, postLabel_;
};

}  // namespace

void registerAffineLoopOpt(PassRegistry& registry) { registry.add<AffineLoopOpt>(); }

}  // namespace airlite
