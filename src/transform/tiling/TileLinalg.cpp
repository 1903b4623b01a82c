// air-tile-linalg: a structured linalg op on memrefs in L3 becomes the tiled loop nest that the
// passes after it map to the hierarchy.
//
//   scf.parallel            one iteration per launch instance: its tile of the parallel loops
//     alloc, copies         its part of each operand in L2 (l2=false: none); inputs come in pieces
//                           of `l2-tile` along reduction loops, in an scf.for
//     scf.parallel          one iteration per core of the herd
//       alloc, fill or copy the core's part of the output in L1
//       scf.for             over the tiles of the reduction loops
//         alloc, copies     its part of each input in L1
//         the op            on L1, as a linalg.generic on blocks when the tiles are packed
//       copy                L1 to L2
//     copy                  L2 to L3
//
// Tile sizes, herd and blocks are options; what they leave open is chosen (TilePlan.cpp): a herd
// over the last two parallel loops, tiles of at most 64 that divide the loops and fit into L1 twice,
// blocks of the matrix unit for products. For a DMA of 32-bit words tiles of smaller elements are
// whole words: a loop that has no such step from tile to tile runs in one tile, unless that does not
// fit into L1 (a remark says so). Copies of packed tiles are linalg.pack and linalg.unpack.
// An op may ask for its herd and tile itself (TileHints.hpp): `air.herd` is bounded by the option, and
// `air.l1_tile` is taken where `l1-tile` says nothing.
// A linalg.fill of the whole output right before the op moves into the cores.
// An op whose loops have no good divisors (prime numbers of columns) is done in two parts, where that costs less, and so is a large
// product whose best tiles divide most of its columns (SplitLoops.hpp).
// A product of which no tiles are whole words is tiled on copies with longer rows (PaddedOperands.hpp); one that adds to its output
// may be made apart and added (SeparateSums.hpp).
// An op without loops (its operands have no dimensions) becomes loads and stores, which
// air-loops-to-cores gives to a core.
//
// Declines, with a remark: ops on tensors or inside of a hierarchy op or parallel loop, operands
// that are not in L3 or of dynamic shape, indices that are not sums of multiples of loops, outputs
// that share memory with another operand, tiles that do not fit into L1.
#include "FollowersApart.hpp"
#include "TileEmitter.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/LinalgToLoops.hpp"
#include "airlite/transform/TileHints.hpp"
#include "transform/hierarchy/Hierarchy.hpp"
#include "transform/tiling/FillBefore.hpp"
#include "transform/tiling/PaddedOperands.hpp"
#include "transform/tiling/ProductChain.hpp"
#include "transform/tiling/SeparateSums.hpp"
#include "transform/tiling/SplitLoops.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite {

using linalg::StructuredOp;

namespace {

// -- The pass -----------------------------------------------------------------------------------

/// What copying an operand to longer rows takes, roughly, as measured.
constexpr int64_t kRowCopyCycles = 20000;

bool isHostCode(Operation& op) {
  if (air::isInHierarchy(op)) return false;
  for (Operation* above = op.parentOp(); above; above = above->parentOp())
    if (above->is("air.execute") || above->is("scf.parallel") || above->is("scf.forall") ||
        above->is("affine.parallel") || linalg::asStructured(above))
      return false;
  return true;
}

/// On memory of cores: it has been tiled.
bool isTile(Operation& op) {
  return std::ranges::any_of(op.operandTypes(), [](Type type) {
    return type.isa<MemRefType>() && air::memoryLevel(type) == air::MemoryLevel::L1;
  });
}

/// Whether an input has as many elements as the output.
bool readsMatrix(StructuredOp op) {
  const auto result = op.outputs()[0].type().cast<MemRefType>();
  return std::ranges::any_of(op.inputs(), [&](Value input) {
    const auto type = input.type().dynCast<MemRefType>();
    return type && type.numElements() == result.numElements();
  });
}

/// Whether the ops after the product need what their result held before: it cannot be made twice.
bool addsToResult(const tiling::ProductChain& chain) {
  const StructuredOp last = chain.epilogue.op;
  for (unsigned i = 0; i < last.numOutputs(); ++i)
    if (last.readsOutput(i) && last.outputs()[i] != chain.product.outputs()[0]) return true;
  return false;
}

std::optional<TilePlan> planOfChain(const tiling::ProductChain& chain, TileWishes wishes,
                                    std::string& obstacle) {
  wishes.outputIsNew = (chain.fill || !chain.product.readsOutput(0)) && !addsToResult(chain);
  return planTiles(chain.product, wishes, obstacle, chain.epilogue);
}

/// Of a product whose result begins with what the op before it makes.
std::optional<TilePlan> planWithStart(StructuredOp op, const TileWishes& wishes,
                                      Rewriter& rewriter) {
  tiling::ProductChain chain = tiling::chainOf(op, nullptr, wishes.matrixSums, 1, rewriter);
  if (!chain.epilogue.op) return std::nullopt;
  std::string obstacle;
  std::optional<TilePlan> plan = planOfChain(chain, wishes, obstacle);
  takeBack(chain, rewriter);
  return plan;
}

/// air-fuse-rows is to make a nest of the product, whose cores have no channel for what the result held.
bool isolateRows(StructuredOp op, bool matrixSums, Rewriter& rewriter) {
  if (tiling::fillBefore(op) || !tiling::separateSums(op, !matrixSums, rewriter)) return false;
  rewriter.eraseOp(*op.op());
  return true;
}

/// Of a product that begins with zero.
int64_t costAlone(const TilePlan& plan) {
  return plan.cycles ? plan.cycles : tiling::costOfPlan(plan);
}

void listPlans(Operation& op, const TilePlan& plan, PassContext& context) {
  for (const std::string& one : plan.plans)
    context.remark(op, "plan " + one);
}

/// As many times as much as is needed the matrix unit multiplies where a core takes few channels of an image at once.
int64_t emptyDepth(StructuredOp op, const TilePlan& plan) {
  constexpr int64_t kChannels = 8;
  const auto channels = plan.operands[0].index.back().onlyLoop();
  if (!linalg::isProductOfMatrices(op) || !channels || plan.isParallel(*channels)) return 1;
  return std::max<int64_t>(1, kChannels / plan.core[*channels]);
}

/// Of an element of a window of a pooling whose channels make no vectors, as measured; none: of other ops.
std::optional<int64_t> cyclesOfWindow(StructuredOp op) {
  constexpr int64_t kInWords = 4, kOfParts = 20;
  if (linalg::isMultiplyAdd(op)) return std::nullopt;
  const auto image = op->operand(0).type().cast<MemRefType>();
  const int64_t bits = image.dim(image.rank() - 1) * image.elementType().bitWidth();
  return bits % (8 * aie::kWordBytes) == 0 ? kInWords : kOfParts;
}

/// Of a convolution or a pooling.
int64_t costAsItIs(StructuredOp op, const TilePlan& plan) {
  return tiling::costOfPlan(plan, cyclesOfWindow(op)) * emptyDepth(op, plan);
}

/// One class: the ways to tile an op, each tried after the one before, share what was asked for.
class TileLinalg : public Pass {
 public:
  TileLinalg() : Pass("air-tile-linalg", "Tiles linalg ops to launch, herd, L2 and L1") {
    anchor("func.func");
    option("herd", wishes_.herd, "cores along the last two parallel loops, at most");
    option("l1-tile", wishes_.coreTile,
           "elements per loop that a core computes at a time, at most; 0 or none: chosen");
    option("l2-tile", wishes_.copyTile,
           "elements per reduction loop that one copy brings into L2, at most; 0 or none: as L1");
    option("pack", wishes_.pack, "lay L1 tiles out in blocks of the matrix unit");
    option("blocks", wishes_.blocks, "block size per loop; none: by element type, for products");
    option("device", device_, "whose matrix unit's blocks products get");
    option("grow", wishes_.grow, "run parallel loops in the core, as far as L1 allows");
    option("rows", wishes_.rows, "tiles of reductions keep rows that fill vectors");
    option("matrix-sums", wishes_.matrixSums,
           "sums of products of floats in the order and with the rounding of the matrix unit");
    option("float-blocks", wishes_.floatBlocks,
           "with matrix-sums, of AIE2P: multiply bf16 in blocks that share exponents");
    option("l1-bytes", wishes_.l1Bytes, "L1 memory of a core");
    option("l2-bytes", wishes_.l2Bytes,
           "L2 memory of the device; products of matrices get tiles by what they cost, and keep in "
           "L2 what "
           "several tiles use. 0: they do not");
    option(
        "product-plan", wishes_.product,
        "of products of matrices: cores along rows and columns, rows, columns and reduction of the "
        "tile of a core, 1 without or 2 with rounds; 0 or none: free");
    option("list-plans", wishes_.listedPlans,
           "a remark for each of so many plans of a product, the cheapest first, as product-plan "
           "takes "
           "them");
    option("l2", useL2_, "bring operands into L2 first");
    option("products", onlyProducts_,
           "only products of matrices, each with the elementwise ops after it, which cores then do "
           "on their tiles");
    example("airlite-opt --air-tile-linalg='herd=4,4 l1-tile=32,32,32' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (!checkOptions(function)) return PassResult::Failed;
    context.declareEffectChange(CountedEffect::Store, "tiles are computed in buffers of their own");
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      const StructuredOp structured = linalg::asStructured(&op);
      if (structured && (!onlyProducts_ || linalg::isProductOfMatrices(structured)))
        ops.push_back(&op);
    });
    bool changed = false;
    Rewriter rewriter(function.context());
    // Last first: a fill is asked for by the op after it before its own turn comes.
    for (; !ops.empty(); ops.pop_back())
      changed |= ops.back() && tile(ops, rewriter, context);
    return changedIf(changed);
  }

 private:
  bool checkOptions(Operation& function) const {
    auto isBelow = [](const std::vector<int64_t>& list, int64_t least) {
      return std::any_of(list.begin(), list.end(), [&](int64_t entry) { return entry < least; });
    };
    auto refuse = [&](std::string_view what) {
      emitError(function.context(), function.location()) << "air-tile-linalg: " << what;
      return false;
    };
    if (wishes_.herd.empty() || wishes_.herd.size() > 2 || isBelow(wishes_.herd, 1))
      return refuse("'herd' must be one or two positive numbers");
    if (isBelow(wishes_.coreTile, 0)) return refuse("'l1-tile' must not be negative");
    if (isBelow(wishes_.copyTile, 0)) return refuse("'l2-tile' must not be negative");
    if (isBelow(wishes_.blocks, 0)) return refuse("'blocks' must not be negative");
    if (!aie::findDevice(device_)) return refuse("'device' is none that is known");
    if (isBelow(wishes_.product, 0) || wishes_.product.size() > 6)
      return refuse("'product-plan' must be six numbers at most, none negative");
    if (wishes_.listedPlans < 0) return refuse("'list-plans' must not be negative");
    if (wishes_.l1Bytes < 1) return refuse("'l1-bytes' must be positive");
    if (wishes_.l2Bytes < 0) return refuse("'l2-bytes' must not be negative");
    return true;
  }

  bool tile(std::vector<Operation*>& ops, Rewriter& rewriter, PassContext& context) const {
    Operation& op = *ops.back();
    if (!isHostCode(op)) {
      if (isTile(op)) return false;
      context.remark(op, "not tiled: it is inside of a hierarchy op or parallel loop");
      return false;
    }
    if (StructuredOp(&op).numLoops() == 0 && linalg::loopObstacle(op).empty()) {
      context.remark(op, "without loops: it becomes loads and stores");
      linalg::lowerToLoops(StructuredOp(&op), rewriter);
      return true;
    }
    if (onlyProducts_ && linalg::multipliesRowsByVector(StructuredOp(&op)))
      return isolateRows(StructuredOp(&op), wishes_.matrixSums, rewriter);
    std::string obstacle;
    TileWishes wishes = wishesOf(op);
    if (!useL2_) wishes.l2Bytes = 0;
    wishes.generation = aie::findDevice(device_)->generation;
    Operation* fill = tiling::fillBefore(StructuredOp(&op));
    // A product that adds to an output cannot have rounds, for which the host would read all of it by one
    // transfer before it writes any, nor add twice to an element.
    wishes.outputIsNew = fill || !tiling::readsOutput(StructuredOp(&op));
    if (!wishes.outputIsNew && separate(ops, wishes, rewriter, context)) return true;
    for (std::string_view hint : tiling::kTileHints)
      if (op.hasAttr(hint)) op.removeAttr(hint);
    if (onlyProducts_)
      wishes.mostFollowers = tiling::followersWorthwhile(StructuredOp(&op), fill, wishes, rewriter);
    if (onlyProducts_ && tileChain(StructuredOp(&op), fill, wishes, rewriter, context)) return true;
    const std::optional<TilePlan> plan =
        planOfWhole(StructuredOp(&op), fill, wishes, rewriter, obstacle);
    if (!plan) {
      context.remark(op, "not tiled: " + obstacle);
      return false;
    }
    if (tilePadded(ops, *plan, fill, wishes, rewriter, context)) return true;
    if (tileSplit(ops, *plan, fill, wishes, rewriter, context)) return true;
    context.remark(op, "tiled: " + plan->str());
    listPlans(op, *plan, context);
    if (auto known = std::ranges::find(ops, fill); fill && known != ops.end()) *known = nullptr;
    emitTiles(StructuredOp(&op), *plan, fill, {}, useL2_, rewriter);
    return true;
  }

  /// The last op, a product that adds to its result, becomes a product and an addition where that is better; they come next, or the
  /// product alone. False: it stays.
  bool separate(std::vector<Operation*>& ops, TileWishes wishes, Rewriter& rewriter,
                PassContext& context) const {
    Operation& op = *ops.back();
    if (wishes.l2Bytes == 0 || !wishes.coreTile.empty() ||
        !linalg::isProductOfMatrices(StructuredOp(&op)))
      return false;
    Operation* start =
        onlyProducts_ && wishes.mostFollowers ? tiling::startOf(StructuredOp(&op)) : nullptr;
    if (start && !readsMatrix(StructuredOp(start))) return false;
    std::string obstacle;
    std::optional<TilePlan> whole;
    if (start) whole = planWithStart(StructuredOp(&op), wishes, rewriter);
    if (!whole) whole = planTiles(StructuredOp(&op), wishes, obstacle);
    const auto made = tiling::separateSums(StructuredOp(&op), !wishes.matrixSums, rewriter);
    if (!made) return false;
    wishes.outputIsNew = true;
    const auto own = planTiles(made->product, wishes, obstacle);
    const int64_t addition = tiling::costOfAddition(*made, wishes);
    const bool isEstimated = own && (own->cycles != 0 || (whole && whole->cycles == 0));
    if (!isEstimated || (whole && costAlone(*own) + addition >= tiling::costOfPlan(*whole)))
      return made->erase(rewriter), false;
    if (start) rewriter.moveBefore(*start, *made->addition);
    context.remark(
        op, fmt::format("adds to its result in an op of its own, about {} cycles", addition));
    rewriter.eraseOp(op);
    ops.pop_back();
    // With the addition, a tile of the product would need what the result held, as it does now.
    made->product->setAttr(tiling::kFollowersHint,
                           IntegerAttr::getIndex(made->product->context(), 0));
    ops.push_back(made->product.op());
    if (!onlyProducts_) ops.push_back(made->addition);
    ops.push_back(nullptr);  // the caller takes the last one away
    return true;
  }

  /// The two parts of an op that `plan` is for, in front of it, where these are better.
  std::optional<tiling::SplitLoop> partsOf(StructuredOp op, const TilePlan& plan, Operation* fill,
                                           const TileWishes& wishes, Rewriter& rewriter) const {
    if (!useL2_ || !wishes.coreTile.empty()) return std::nullopt;
    if (linalg::isProductOfMatrices(op))
      return tiling::splitColumns(op, plan, fill, wishes, rewriter);
    if (onlyProducts_) return std::nullopt;
    return tiling::splitLoops(op, plan, fill, wishes, rewriter);
  }

  /// Of the op as a whole. Where the array has no room for the parts of a product, which are tried first, the best plan comes next.
  std::optional<TilePlan> planOfWhole(StructuredOp op, Operation* fill, TileWishes wishes,
                                      Rewriter& rewriter, std::string& obstacle) const {
    if (wishes.plansTried > 0 && linalg::isProductOfMatrices(op)) {
      TileWishes first = wishes;
      first.plansTried = 0;
      const auto best = planTiles(op, first, obstacle);
      const auto parts = best ? partsOf(op, *best, fill, first, rewriter) : std::nullopt;
      if (parts) parts->erase(rewriter), --wishes.plansTried;
    }
    return planTiles(op, wishes, obstacle);
  }

  /// The last op in two parts, which are tiled next; false: that is not better.
  bool tileSplit(std::vector<Operation*>& ops, const TilePlan& plan, Operation* fill,
                 const TileWishes& wishes, Rewriter& rewriter, PassContext& context) const {
    Operation& op = *ops.back();
    if (wishes.plansTried > 0) return false;
    const auto split = partsOf(StructuredOp(&op), plan, fill, wishes, rewriter);
    if (!split) return false;
    context.remark(op, fmt::format("its loop {} is split after {} rounds: {}", split->loop,
                                   split->head, plan.str()));
    if (auto known = std::ranges::find(ops, fill); fill && known != ops.end()) *known = nullptr;
    if (fill) rewriter.eraseOp(*fill);
    rewriter.eraseOp(op);
    ops.back() = nullptr;
    ops.insert(ops.end(), split->ops.begin(), split->ops.end());
    ops.push_back(nullptr);  // the caller takes the last one away
    return true;
  }

  /// The last op, of which `plan` is not in whole words or, of a convolution, worse, on copies with longer rows; false: that cannot be done. What else is new is
  /// tiled next, or with all other ops than products.
  bool tilePadded(std::vector<Operation*>& ops, const TilePlan& plan, Operation* fill,
                  TileWishes wishes, Rewriter& rewriter, PassContext& context) const {
    Operation& op = *ops.back();
    // Tiles that were asked for are of the op as it is; without L2 cores take what a DMA cannot move another way.
    if (!wishes.coreTile.empty() || wishes.l2Bytes == 0) return false;
    tiling::PaddedOperands operands(StructuredOp(&op), plan, fill, rewriter);
    if (plan.isInWords && !operands.hasWindows()) return false;
    if (!operands.canPad(!wishes.matrixSums)) return false;
    const StructuredOp padded = operands.make();
    std::string obstacle;
    const std::optional<TilePlan> own = planTiles(padded, wishes, obstacle);
    if (!own || !own->isInWords) return operands.takeBack(), false;
    const int64_t cost =
        tiling::costOfPlan(*own) + static_cast<int64_t>(operands.numCopied()) * kRowCopyCycles;
    // Estimates of convolutions are rough: what would save less than half may lose.
    if (plan.isInWords && 2 * cost >= costAsItIs(StructuredOp(&op), plan))
      return operands.takeBack(), false;
    context.remark(op, fmt::format("tiled: {}, on copies of {} operands with longer rows",
                                   own->str(), operands.numCopied()));
    if (auto known = std::ranges::find(ops, fill); fill && known != ops.end()) *known = nullptr;
    const std::vector<Operation*> others =
        operands.finish({wishes.herd.front(), wishes.herd.back(), wishes.l1Bytes});
    emitTiles(padded, *own, operands.fill(), {}, useL2_, rewriter);
    ops.back() = nullptr;
    if (onlyProducts_) return true;
    ops.insert(ops.end(), others.begin(), others.end());
    ops.push_back(nullptr);  // the caller takes the last one away
    return true;
  }

  /// With the ops after it; false: there are none, or they do not fit.
  bool tileChain(StructuredOp op, Operation* fill, const TileWishes& wishes, Rewriter& rewriter,
                 PassContext& context) const {
    tiling::ProductChain chain =
        tiling::chainOf(op, fill, wishes.matrixSums, wishes.mostFollowers, rewriter);
    if (!chain.epilogue.op) return false;
    std::string obstacle;
    const std::optional<TilePlan> plan = planOfChain(chain, wishes, obstacle);
    if (!plan) {
      context.remark(*op.op(), "the ops after it are not done on its tiles: " + obstacle);
      takeBack(chain, rewriter);
      return false;
    }
    context.remark(*op.op(), "tiled: " + plan->str() +
                                 (chain.numFollowers
                                      ? fmt::format("; with {} after it",
                                                    chain.numFollowers == 1
                                                        ? "the op"
                                                        : fmt::format("{} ops", chain.numFollowers))
                                      : ""));
    listPlans(*op.op(), *plan, context);
    emitTiles(chain.product, *plan, chain.fill, chain.epilogue, useL2_, rewriter);
    finish(chain, rewriter);
    return true;
  }

  /// With what the op asks for.
  TileWishes wishesOf(Operation& op) const {
    TileWishes wishes = wishes_;
    auto herd = op.attrOf<DenseArrayAttr>(tiling::kHerdHint),
         tile = op.attrOf<DenseArrayAttr>(tiling::kTileHint);
    for (size_t i = 0; herd && i < herd.values().size() && i < wishes.herd.size(); ++i)
      wishes.herd[i] = std::clamp<int64_t>(herd.values()[i], 1, wishes.herd[i]);
    if (tile && wishes.coreTile.empty())
      wishes.coreTile = {tile.values().begin(), tile.values().end()};
    if (auto tried = op.attrOf<IntegerAttr>(tiling::kPlansTried))
      wishes.plansTried = std::max<int64_t>(0, tried.value());
    if (auto most = op.attrOf<IntegerAttr>(tiling::kFollowersHint); most && most.value() >= 0)
      wishes.mostFollowers = static_cast<size_t>(most.value());
    return wishes;
  }

  TileWishes wishes_;
  std::string device_{aie::defaultNpu().name};
  bool useL2_ = true, onlyProducts_ = false;
};

}  // namespace

void registerTileLinalg(PassRegistry& registry) { registry.add<TileLinalg>(); }

}  // namespace airlite
