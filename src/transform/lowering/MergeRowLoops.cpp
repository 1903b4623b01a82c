// air-merge-row-loops: short rows, one after the other, become one loop.
//
// Matches an scf.for over rows whose body is an scf.for along a row, of few rounds and carrying nothing, and before it only pure ops:
//
//   for i in 0..8 { for j in 0..64 step 16 { y[i, j] = x[i, j] * s[j] } }
//     -> for t in 0..32 { i = t / 4; j = t % 4 * 16; y[i, j] = x[i, j] * s[j] }
//
// The order of all accesses stays. On a core whose rounds overlap the beginning and the end of the loop are paid once,
// and addresses go by pointers that step along two dimensions.
//
// Declines: accesses to single elements, which step no pointers, and more than a core has pointers for; sums of rows, which one
// row leaves to the next in memory; longer rows, whose ends do not matter; rows that need a load of their own, which would be repeated
// (air-jam-rows); places that are no sums of multiples of rows and rounds, as those of two merged loops, since pointers step along
// two dimensions; open numbers of rows and rounds.
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace airlite {

namespace {

/// Rounds of a row, above which its beginning and end matter little.
constexpr int64_t kRoundsOfShortRow = 16;

/// Each steps a pointer of its own.
constexpr int64_t kMostAccesses = 5;

bool isSimple(scf::ForOp loop) {
  return loop.numIterArgs() == 0 && loop.tripCount() && *loop.tripCount() > 1 &&
         constantIntOf(loop.lowerBound()) && constantIntOf(loop.step());
}

/// What pointers follow: places that move by the same in each round and in each row.
bool isLinear(Operation& op) {
  return op.is("arith.constant") || op.is("arith.addi") || op.is("arith.muli");
}

/// Pure, and of places only what pointers follow.
bool isPlain(Operation& op) {
  const auto isIndex = [](Type type) { return type.isIndex(); };
  const bool isOfPlaces = std::ranges::any_of(op.resultTypes(), isIndex) ||
                          std::ranges::any_of(op.operandTypes(), isIndex);
  return op.numRegions() == 0 && op.hasTrait(Trait::Pure) && (!isOfPlaces || isLinear(op));
}

/// The loop that is all of the body of `outer` but pure ops before it; null when there is none.
scf::ForOp loopInside(scf::ForOp outer) {
  scf::ForOp inner;
  for (Operation& op : outer.body().ops()) {
    if (op.is("scf.yield")) continue;
    if (inner) return {};
    if (auto loop = dynCast<scf::ForOp>(&op))
      inner = loop;
    else if (!isPlain(op))
      return {};
  }
  return inner;
}

/// Whether rounds read what others store: those of the next row would wait for it.
bool readsWhatItStores(Block& body) {
  std::unordered_set<Value> stored;
  for (Operation& op : body.ops())
    if (op.is("vector.store")) stored.insert(memref::viewSource(op.operand(1)));
  return std::ranges::any_of(body.ops(), [&](Operation& op) {
    return op.is("vector.load") && stored.contains(memref::viewSource(op.operand(0)));
  });
}

bool isWorthIt(scf::ForOp outer, scf::ForOp inner) {
  if (!isSimple(outer) || !isSimple(inner) || *inner.tripCount() > kRoundsOfShortRow) return false;
  int64_t accesses = 0;
  for (Operation& op : inner.body().ops()) {
    const bool isAccess = op.is("vector.load") || op.is("vector.store");
    if (!isAccess && !isPlain(op) && !op.is("scf.yield")) return false;
    accesses += isAccess;
  }
  return accesses <= kMostAccesses && !readsWhatItStores(inner.body());
}

/// lower + number * step of a loop.
Value placeIn(Rewriter& rewriter, scf::ForOp loop, Value number) {
  const Location at = loop->location();
  const auto value = [&](std::string_view name, Value a, int64_t b) {
    return rewriter.create(at, name, {a, rewriter.constantIndex(at, b)}, {a.type()})->result();
  };
  const int64_t lower = *constantIntOf(loop.lowerBound()), step = *constantIntOf(loop.step());
  const Value moved = step == 1 ? number : value("arith.muli", number, step);
  return lower == 0 ? moved : value("arith.addi", moved, lower);
}

void merge(scf::ForOp outer, scf::ForOp inner) {
  Rewriter rewriter(outer->context());
  rewriter.setBefore(*outer.op());
  const Location at = outer->location();
  const int64_t rounds = *inner.tripCount();
  const Value first = rewriter.constantIndex(at, 0), one = rewriter.constantIndex(at, 1);
  const Value end = rewriter.constantIndex(at, *outer.tripCount() * rounds);
  scf::ForOp merged = scf::ForOp::create(rewriter, at, first, end, one);
  rewriter.setBefore(*merged.yield());
  const auto part = [&](std::string_view name) {
    return rewriter
        .create(at, name, {merged.inductionVar(), rewriter.constantIndex(at, rounds)},
                {rewriter.indexType()})
        ->result();
  };
  IRMapping values;
  values.map(outer.inductionVar(), placeIn(rewriter, outer, part("arith.divui")));
  values.map(inner.inductionVar(), placeIn(rewriter, inner, part("arith.remui")));
  for (scf::ForOp loop : {outer, inner})
    for (Operation& op : loop.body().ops())
      if (!op.is("scf.yield") && &op != inner.op()) rewriter.clone(op, values);
  rewriter.eraseOp(*outer.op());
}

class MergeRowLoops : public Pass {
 public:
  MergeRowLoops() : Pass("air-merge-row-loops", "Makes one loop of those over short rows") {
    example("airlite-opt --air-merge-row-loops in.mlir");
  }

  PassResult run(Operation& root, PassContext&) override {
    std::vector<scf::ForOp> found;
    root.walk([&](Operation& op) {
      if (auto loop = dynCast<scf::ForOp>(&op)) found.push_back(loop);
    });
    bool changed = false;
    for (scf::ForOp outer : found) {
      const scf::ForOp inner = loopInside(outer);
      if (!inner || !isWorthIt(outer, inner)) continue;
      merge(outer, inner);
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerMergeRowLoops(PassRegistry& registry) { registry.add<MergeRowLoops>(); }

}  // namespace airlite
