// See SplitLoops.hpp.
#include "SplitLoops.hpp"

#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace airlite::tiling {

namespace {

using linalg::StructuredOp;

constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;

/// Requests of at most 256 bytes that bring or take a tile of an operand: one at least for each run of elements that follow each other.
int64_t requestsOf(const TiledOperand& operand, const std::vector<int64_t>& tile) {
  const int64_t most = aie::hostMemoryOf(aie::defaultNpu().generation).requestBytes;
  const auto type = operand.value.type().cast<MemRefType>();
  const std::vector<int64_t> extents = operand.extents(tile);
  int64_t run = elementBytesOf(operand.value), runs = 1;
  bool isOneRun = true;
  for (size_t dim = extents.size(); dim-- > 0;) {
    (isOneRun ? run : runs) *= extents[dim];
    isOneRun &= extents[dim] == type.dim(static_cast<unsigned>(dim));
  }
  return runs * ((run + most - 1) / most);
}

/// Until the last launch is done, in cycles, roughly: what memory moves, since nothing that is split computes much.
int64_t costOf(const TilePlan& plan, bool isInPlace) {
  if (!plan.isInWords) return kNever;
  // Launches that read what they write begin anew, with the starts of their transfers and a turn; a descriptor takes some cycles for
  // however few words.
  constexpr int64_t kTurn = 3000, kLaunch = 500, kDescriptor = 128, kRequest = 17;
  const int64_t launches = plan.numInstances();
  int64_t tiles = launches, requests = 0, transfers = 0;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
    if (!plan.isParallel(loop)) tiles *= plan.sizes[loop] / plan.copy[loop];
  for (const TiledOperand& operand : plan.operands) {
    if (!operand.isMemRef) continue;
    requests += requestsOf(operand, plan.copy);
    transfers += 1 + (operand.isRead && operand.isWritten);
  }
  const int64_t starts = kTransferStartCycles * transfers;
  return starts + launches * (isInPlace ? starts + kTurn : kLaunch) +
         tiles * std::max(kDescriptor, requests * kRequest);
}

/// The estimate of a product's plan.
int64_t cyclesOf(const TilePlan& plan, bool /*isInPlace*/) {
  return plan.isInWords && plan.cycles != 0 ? plan.cycles : kNever;
}

/// Of a plan, whose launches may read what they write.
using CostOfPlan = int64_t (*)(const TilePlan& plan, bool isInPlace);

bool makesFloats(StructuredOp op) {
  return std::ranges::any_of(
      op.outputs(), [](Value output) { return !elementTypeOrSelf(output.type()).isInteger(); });
}

/// Whether what is left of the loop may be added after all of the rest.
bool mayComeLast(StructuredOp op, unsigned loop, const TileWishes& wishes) {
  const std::vector<linalg::IteratorKind> kinds = op.iterators();
  if (kinds[loop] == linalg::IteratorKind::Parallel || wishes.matrixSums || !makesFloats(op))
    return true;
  const std::vector<int64_t> sizes = op.loopSizes();
  for (unsigned outer = 0; outer < loop; ++outer)
    if (kinds[outer] != linalg::IteratorKind::Parallel && sizes[outer] > 1) return false;
  return true;
}

class LoopSplitter {
 public:
  LoopSplitter(StructuredOp op, Operation* fill, const TileWishes& wishes, Rewriter& rewriter)
      : op_(op), fill_(fill), wishes_(wishes), rewriter_(rewriter), sizes_(op.loopSizes()) {}

  std::optional<SplitLoop> best(const TilePlan& plan) {
    std::optional<SplitLoop> best;
    // What is not known so well should not decide.
    int64_t least = costOf(plan, !wishes_.outputIsNew) / 2;
    for (unsigned loop = 0; loop < op_.numLoops(); ++loop)
      for (int64_t unit : {256, 64, 32, 16, 8, 4, 2})
        if (canSplit(loop)) tryHead(loop, sizes_[loop] / unit * unit, costOf, best, least);
    return best;
  }

  /// Along the columns of a product, by the cycles of plans that have estimates.
  std::optional<SplitLoop> bestColumns(unsigned loop, const TilePlan& plan) {
    if (!canSplit(loop)) return std::nullopt;
    std::optional<SplitLoop> best;
    const int64_t whole = leastCyclesOf(plan);
    int64_t least = whole - whole / kLeastGain;
    const int64_t cores = plan.launch[loop] / plan.core[loop];
    std::set<int64_t> tried;
    for (int64_t tile = kLargestTile; tile >= kSmallestTile; tile -= kTileStep) {
      const int64_t head = sizes_[loop] / (cores * tile) * cores * tile;
      if (tried.insert(head).second) tryHead(loop, head, cyclesOf, best, least);
    }
    return best;
  }

 private:
  /// Columns of a core's tile that are tried, and which part of the cycles a split has to save at least, since estimates are rough.
  static constexpr int64_t kSmallestTile = 48, kLargestTile = 128, kTileStep = 16, kLeastGain = 14;

  /// Of many launches without rounds the stages overlap so well that the longest one rules, more than the estimate has it (i8 and
  /// i16 of 4096^3: 0 to 1 % longer than that).
  static int64_t leastCyclesOf(const TilePlan& plan) {
    const bool hasRounds =
        std::ranges::any_of(plan.rounds, [](int64_t count) { return count > 1; });
    return hasRounds ? plan.cycles : std::min(plan.cycles, plan.costs.longest());
  }

  /// A split after `head` rounds takes the place of `best` where it costs less than `least`.
  void tryHead(unsigned loop, int64_t head, CostOfPlan cost, std::optional<SplitLoop>& best,
               int64_t& least) {
    if (head == 0 || head == sizes_[loop] || !isInWords(loop, head)) return;
    SplitLoop split = make(loop, head);
    const int64_t sum = costOfParts(split, cost, least);
    if (sum >= least) return split.erase(rewriter_);
    if (best) best->erase(rewriter_);
    least = sum, best = std::move(split);
  }

  bool isParallel(unsigned loop) const {
    return op_.iterators()[loop] == linalg::IteratorKind::Parallel;
  }

  bool canSplit(unsigned loop) const {
    const std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      for (unsigned dim = 0; dim < maps[i].numResults(); ++dim) {
        const auto index = analysis::readLoopIndex(maps[i].result(dim), op_.numLoops());
        if (!index || index->constant != 0) return false;
        if (i >= op_.numInputs() && index->uses(loop) && !index->isLoop(loop)) return false;
      }
    return mayComeLast(op_, loop, wishes_);
  }

  /// Whether a DMA of words can move both parts of each operand: the second one begins at a word, and where there are several rows of
  /// a part, these lie apart and end at words. What follows at the end of memory may fill up the last word.
  bool isInWords(unsigned loop, int64_t head) const {
    const std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      auto type = op_->operand(i).type().dynCast<MemRefType>();
      if (!type) continue;
      const auto form = type.stridedForm();
      if (!form) return false;
      const std::vector<int64_t>& strides = form->strides;
      const int64_t bytes = elementBytesOf(op_->operand(i));
      bool hasRows = false;
      for (unsigned dim = 0; dim < maps[i].numResults(); ++dim) {
        const auto index = analysis::readLoopIndex(maps[i].result(dim), op_.numLoops());
        if (index->uses(loop)) {
          const int64_t step = index->factors[loop] * strides[dim] * bytes;
          if (head * step % aie::kWordBytes) return false;
          if (hasRows && (sizes_[loop] - head) * step % aie::kWordBytes) return false;
          break;
        }
        hasRows |= type.dim(dim) > 1;
        if (type.dim(dim) > 1 && strides[dim] * bytes % aie::kWordBytes && isCut(maps[i], loop))
          return false;
      }
    }
    return true;
  }

  /// Whether the operand moves with the loop.
  bool isCut(AffineMap map, unsigned loop) const {
    return std::ranges::any_of(map.results(),
                               [&](AffineExpr place) { return place.usesDim(loop); });
  }

  SplitLoop make(unsigned loop, int64_t head) {
    rewriter_.setBefore(*op_.op());
    SplitLoop split{loop, head, {}, {}};
    addPart(split, {0, head});
    addPart(split, {head, sizes_[loop] - head});
    return split;
  }

  /// Rounds of a loop.
  struct Range {
    int64_t first = 0, count = 0;
  };

  void addPart(SplitLoop& split, Range range) {
    const std::vector<AffineMap> maps = op_.indexingMaps();
    std::vector<Value> operands(op_->operands().begin(), op_->operands().end());
    for (unsigned i = 0; i < operands.size(); ++i)
      if (operands[i].type().isa<MemRefType>())
        operands[i] = viewOf(split, operands[i], maps[i], range);
    // What is added to the first part of a reduction is not filled again.
    if (fill_ && (isParallel(split.loop) || range.first == 0)) {
      Operation* fill = rewriter_.clone(*fill_);
      fill->setOperand(fill->numOperands() - 1, operands.back());
      split.ops.push_back(fill);
    }
    Operation* part = rewriter_.clone(*op_.op());
    for (unsigned i = 0; i < operands.size(); ++i)
      part->setOperand(i, operands[i]);
    moveIndices(*part, split.loop, range.first);
    split.ops.push_back(part);
  }

  /// The part of an operand; all of it where it does not move with the loop.
  Value viewOf(SplitLoop& split, Value memory, AffineMap map, Range range) {
    std::vector<int64_t> rounds = sizes_;
    rounds[split.loop] = range.count;
    auto shape = memory.type().cast<MemRefType>().shape();
    std::vector<memref::MixedIndex> begin(shape.size(), int64_t{0}),
        size(shape.begin(), shape.end()), step(shape.size(), int64_t{1});
    bool moves = false;
    for (unsigned dim = 0; dim < map.numResults(); ++dim) {
      const auto index = analysis::readLoopIndex(map.result(dim), op_.numLoops());
      if (!index->uses(split.loop)) continue;
      moves = true;
      begin[dim] = index->factors[split.loop] * range.first;
      size[dim] = index->extent(rounds);
    }
    if (!moves) return memory;
    memref::SubViewOp view =
        memref::SubViewOp::create(rewriter_, op_->location(), memory, begin, size, step);
    split.views.push_back(view.op());
    return view.result();
  }

  void moveIndices(Operation& part, unsigned loop, int64_t by) {
    std::vector<Operation*> indices;
    part.walk([&](Operation& inner) {
      if (inner.is("linalg.index") && inner.attrOf<IntegerAttr>("dim").value() == loop)
        indices.push_back(&inner);
    });
    if (by == 0) return;
    for (Operation* index : indices) {
      Builder builder = Builder::before(*index->next());
      const Value first = builder.constantIndex(index->location(), by);
      Operation* moved = builder.create(index->location(), "arith.addi", {index->result(), first},
                                        {index->result().type()});
      std::vector<OpOperand*> uses;
      for (OpOperand& use : index->result().uses())
        if (use.owner() != moved) uses.push_back(&use);
      for (OpOperand* use : uses)
        use->owner()->setOperand(use->index(), moved->result());
    }
  }

  /// Of all parts, or of those that take `limit` or more already.
  int64_t costOfParts(const SplitLoop& split, CostOfPlan cost, int64_t limit) {
    int64_t sum = 0;
    bool isFirst = true;
    for (Operation* part : split.ops) {
      if (part->is("linalg.fill") || sum >= limit) continue;
      TileWishes wishes = wishes_;
      wishes.outputIsNew &= isFirst || isParallel(split.loop);
      std::string obstacle;
      const auto plan = planTiles(StructuredOp(part), wishes, obstacle);
      sum += plan ? cost(*plan, !wishes.outputIsNew) : kNever;
      isFirst = false;
    }
    return sum;
  }

  StructuredOp op_;
  Operation* fill_;
  const TileWishes& wishes_;
  Rewriter& rewriter_;
  std::vector<int64_t> sizes_;
};

}  // namespace

void SplitLoop::erase(Rewriter& rewriter) const {
  for (const auto* list : {&ops, &views})
    for (Operation* op : *list)
      rewriter.eraseOp(*op);
}

std::optional<SplitLoop> splitLoops(StructuredOp op, const TilePlan& plan, Operation* fill,
                                    const TileWishes& wishes, Rewriter& rewriter) {
  if (linalg::isProductOfMatrices(op) || op.loopSources().size() != op.numLoops())
    return std::nullopt;
  return LoopSplitter(op, fill, wishes, rewriter).best(plan);
}

std::optional<SplitLoop> splitColumns(StructuredOp op, const TilePlan& plan, Operation* fill,
                                      const TileWishes& wishes, Rewriter& rewriter) {
  // A launch of its own for the rest of a small product takes longer than what it saves.
  constexpr int64_t kLeastCycles = 1000000;
  if (plan.cycles < kLeastCycles || !wishes.product.empty()) return std::nullopt;
  const size_t left = 0, right = 1;
  for (unsigned loop = plan.numLoops(); loop-- > 0;)
    if (plan.isParallel(loop) && plan.operands[right].uses(loop) && !plan.operands[left].uses(loop))
      return LoopSplitter(op, fill, wishes, rewriter).bestColumns(loop, plan);
  return std::nullopt;
}

}  // namespace airlite::tiling
