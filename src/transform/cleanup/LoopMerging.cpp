// air-loop-merging: neighbouring loops of a nest become one.
//
// Matches each affine.for with `affine_opt_label` (with the one that `air-label` names, if it does),
// with the perfect nest below it. Of the loops of the nest, from 0 for the outermost, those that
// `loop-merge-levels` lists become one that runs from 0 as often as they do together, in their
// order. What they counted is affine.apply of its variable: with %n for it and trip counts of 2 and
// 7, `%n floordiv 7` and `%n mod 7`, times the step and plus the lower bound where these are not 1
// and 0. The nest stays perfect, unless bounds of loops further in need these values. The label is
// kept, or becomes `air-post-label`.
//
// Declines, with a remark: a nest with fewer loops than the levels name; among the loops to merge
// one that carries values, has no constant bounds or never runs; more than 2^62 iterations.
#include "AffineBand.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace airlite {

namespace {

using affine::ForOp;

constexpr int64_t kMostMergedTrips = int64_t{1} << 62;

/// The loops to merge, the outermost first, with their trip counts.
struct Group {
  std::vector<ForOp> loops;
  std::vector<int64_t> trips;
  int64_t allTrips = 1;
};

/// The last value of the variable has to be one, too.
bool fits(ForOp loop, int64_t trips) {
  __int128 last = static_cast<__int128>(loop.step()) * trips + *loop.constantLowerBound();
  return last <= std::numeric_limits<int64_t>::max();
}

/// Empty, or why `loop` cannot be merged with those of `group`.
std::string_view addTo(Group& group, ForOp loop) {
  if (loop->numResults() > 0) return "a loop to merge carries values";
  std::optional<int64_t> trips = loop.tripCount();
  if (!trips) return "a loop to merge has no constant bounds";
  if (*trips <= 0) return "a loop to merge never runs";
  bool isSmall = *trips <= kMostMergedTrips / group.allTrips && fits(loop, *trips);
  if (!isSmall) return "the merged loop would have too many iterations";
  group.loops.push_back(loop);
  group.trips.push_back(*trips);
  group.allTrips *= *trips;
  return {};
}

/// What loop `i` of the group counted, of the variable of the merged loop.
AffineExpr countOf(const Group& group, size_t i, int64_t tripsInside) {
  Context& context = group.loops[i]->context();
  AffineExpr count = AffineExpr::dim(context, 0);
  if (tripsInside != 1) count = count.floorDiv(AffineExpr::constant(context, tripsInside));
  if (i > 0) count = count.mod(AffineExpr::constant(context, group.trips[i]));
  if (group.loops[i].step() != 1) count = count * group.loops[i].step();
  int64_t lower = *group.loops[i].constantLowerBound();
  return lower != 0 ? count + lower : count;
}

bool isBound(const OpOperand& use) { return isa<ForOp>(use.owner()); }

bool isNeededByLoops(const Group& group) {
  return std::any_of(group.loops.begin(), group.loops.end(), [](ForOp loop) {
    UseRange uses = loop.inductionVar().uses();
    return std::any_of(uses.begin(), uses.end(), isBound);
  });
}

/// Uses of each old variable become the value that it has now. `merged` is the variable that the
/// merged loop counts with, which is that of the first loop, too.
void restoreVariables(const Group& group, Value merged, Builder builder) {
  std::vector<Value> restored(group.loops.size());
  std::vector<Operation*> made;
  int64_t inside = 1;
  for (size_t i = group.loops.size(); i-- > 0; inside *= group.trips[i]) {
    AffineExpr count = countOf(group, i, inside);
    AffineMap map = AffineMap::get(count.context(), 1, 0, std::span(&count, 1));
    ForOp loop = group.loops[i];
    restored[i] = affine::ApplyOp::create(builder, loop->location(), {map, {merged}})->result();
    made.push_back(restored[i].definingOp());
  }
  for (size_t i = 0; i < group.loops.size(); ++i)
    group.loops[i].inductionVar().replaceUsesIf(restored[i], [&](OpOperand& use) {
      return std::find(made.begin(), made.end(), use.owner()) == made.end();
    });
}

AffineMapAttr constantBound(Context& context, int64_t value) {
  AffineExpr expr = AffineExpr::constant(context, value);
  return AffineMapAttr::get(AffineMap::get(context, 0, 0, std::span(&expr, 1)));
}

/// The first loop becomes the merged one; the others give it their bodies.
void merge(const Group& group, Block& innermost) {
  ForOp first = group.loops.front();
  Block& body = group.loops.back().body();
  Block& place = isNeededByLoops(group) ? body : innermost;
  restoreVariables(group, first.inductionVar(), Builder::before(place.front()));
  Context& context = first->context();
  first->setAttr("lowerBoundMap", constantBound(context, 0));
  first->setAttr("upperBoundMap", constantBound(context, group.allTrips));
  first->setAttr("step", IntegerAttr::get(IndexType::get(context), 1));
  first->setOperandGroup(0, {});
  first->setOperandGroup(1, {});
  if (group.loops.size() == 1) return;
  first.body().splice(&first.body().front(), body, &body.front(), &body.back());
  group.loops[1]->erase();
}

class LoopMerging : public Pass {
 public:
  LoopMerging() : Pass("air-loop-merging", "Merges neighbouring loops of a labelled affine nest") {
    anchor("func.func");
    option("loop-merge-levels", levels_, "the loops to merge, 0 for the outermost, one by one");
    option("air-label", label_, "merge loops only of nests with this label");
    option("air-post-label", postLabel_, "label of the new nests; none: the one they had");
    example("airlite-opt --air-loop-merging='loop-merge-levels=1,2' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (!areNeighbours()) {
      function.emitError() << "expected loop-merge-levels that count on by one, as in 1,2";
      return PassResult::Failed;
    }
    return affine::rewriteLabelledNests(function, label_, context,
                                        [&](ForOp root) { return tryMerge(root); });
  }

 private:
  bool areNeighbours() const {
    if (levels_.empty() || levels_.front() < 0) return false;
    for (size_t i = 1; i < levels_.size(); ++i)
      if (levels_[i] != levels_[i - 1] + 1) return false;
    return true;
  }

  /// Empty when the loops were merged, else why not.
  std::string_view tryMerge(ForOp root) const {
    std::vector<ForOp> band = affine::bandOf(root);
    if (static_cast<size_t>(levels_.back()) >= band.size())
      return "the nest has fewer loops than the levels name";
    Group group;
    for (int64_t level : levels_)
      if (std::string_view obstacle = addTo(group, band[level]); !obstacle.empty()) return obstacle;
    StringAttr label = root->attrOf<StringAttr>(affine::kNestLabel);
    if (!postLabel_.empty()) label = StringAttr::get(root->context(), postLabel_);
    merge(group, band.back().body());
    root->setAttr(affine::kNestLabel, label);
    return {};
  }

  std::vector<int64_t> levels_;
  std::string label_, postLabel_;
};

}  // namespace

void registerLoopMerging(PassRegistry& registry) { registry.add<LoopMerging>(); }

}  // namespace airlite
