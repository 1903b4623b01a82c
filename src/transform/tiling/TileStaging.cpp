// See TileStaging.hpp.
#include "TileStaging.hpp"

#include "CollapsedViews.hpp"
#include "RowMover.hpp"
#include "airlite/dialect/Reductions.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

constexpr int64_t kBytesOfWord = 4;

/// Whether the last dimension of an operand is indexed by one loop.
bool hasLoopOfRows(const PlanState& planning, const TiledOperand& operand) {
  for (unsigned loop = 0; loop < planning.plan.numLoops() && !operand.index.empty(); ++loop)
    if (operand.index.back().isLoop(loop)) return true;
  return false;
}

/// Whether rows of the operand begin inside of words.
bool hasRowsInsideWords(const TiledOperand& operand) {
  if (!operand.isMemRef || operand.isInner) return false;
  auto type = operand.value.type().cast<MemRefType>();
  const int64_t bytes = bytesOf(operand);
  return type.rank() > 0 && bytes < kBytesOfWord && bitWidthOf(type.elementType()) == 8 * bytes &&
         type.dim(type.rank() - 1) * bytes % kBytesOfWord != 0;
}

/// Row-major, with rows along one loop; what the product adds to would have to be copied both ways.
bool canStage(const PlanState& planning, const TiledOperand& operand) {
  if (!contiguousType(operand.value) || !hasLoopOfRows(planning, operand)) return false;
  const bool isSummed = operand.isWritten && operand.isRead;
  return !isSummed || (planning.wishes.outputIsNew && !operand.isLate);
}

/// The reduction of a product; none: it is none, or has several.
std::optional<unsigned> reductionOf(const PlanState& planning) {
  std::optional<unsigned> found;
  for (unsigned loop = 0; loop < planning.plan.numLoops(); ++loop) {
    if (planning.plan.isParallel(loop)) continue;
    if (found) return std::nullopt;
    found = loop;
  }
  return found;
}

/// Whether the factor has rows along the reduction: the last dimension but one.
bool hasRowsAlong(const TiledOperand& operand, unsigned reduction) {
  const size_t rank = operand.index.size();
  return rank > 1 && operand.index[rank - 2].isLoop(reduction);
}

/// Whether matrices of the copy may have more rows than those of the operand: each begins at a whole word.
bool canGrow(const TiledOperand& operand) {
  const auto shape = operand.value.type().cast<MemRefType>().shape();
  return shape.size() == 2 ||
         (shape.size() > 2 &&
          shape[shape.size() - 1] * shape[shape.size() - 2] * bytesOf(operand) % kBytesOfWord == 0);
}

// -- The copy of an operand

/// Rows of the copy, the windows of each of these, and how many rows there are.
struct Copy {
  int64_t windows = 1, step = 0, length = 0, window = 0;
  int64_t filledTo = 0;
  std::vector<int64_t> shape;
};

Copy copyOf(const TilePlan& plan, const TiledOperand& operand) {
  const auto shape = operand.value.type().cast<MemRefType>().shape();
  Copy copy;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t size = shape[dim];
    for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
      if (operand.index[dim].isLoop(loop)) {
        // Reductions may be longer than the operand.
        if (!plan.isParallel(loop)) size = plan.sizes[loop];
        if (dim + 1 < shape.size()) continue;
        const bool isReduction = !plan.isParallel(loop);
        copy.windows = isReduction ? 1 : plan.count(loop);
        copy.step = isReduction ? 0 : plan.steps[loop];
        copy.length = isReduction ? shape[dim] : std::min(plan.launch[loop], shape[dim]);
        copy.filledTo = isReduction || plan.isFilledUp(loop) ? plan.launch[loop] : 0;
      }
    copy.shape.push_back(size);
  }
  copy.window = roundUp(std::max(copy.length, copy.filledTo), kRowVectorBytes / bytesOf(operand));
  copy.shape.back() = copy.windows * copy.window;
  return copy;
}

/// Between the operand and its copy; whole rows are the same in both.
RowMove moveInto(const TiledOperand& operand, const Copy& copy) {
  const auto shape = operand.value.type().cast<MemRefType>().shape();
  const size_t rank = shape.size();
  RowMove move;
  move.elementBytes = bytesOf(operand);
  move.fromRow = shape.back(), move.toRow = copy.shape.back();
  move.windows = copy.windows, move.length = copy.length, move.filledTo = copy.filledTo;
  move.fromStep = copy.step, move.toStep = copy.window;
  move.rows = rank > 1 ? shape[rank - 2] : 1;
  move.fromRows = move.rows, move.toRows = rank > 1 ? copy.shape[rank - 2] : 1;
  int64_t matrices = 1;
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    matrices *= shape[dim];
  // Matrices without gaps are one.
  if (move.toRows == move.fromRows)
    move.rows = move.fromRows = move.toRows = move.rows * matrices;
  else
    move.batches = matrices;
  move.zeroRows = move.toRows - move.fromRows;
  return move;
}

RowMove reversed(RowMove move) {
  std::swap(move.from, move.to);
  std::swap(move.fromRow, move.toRow);
  std::swap(move.fromRows, move.toRows);
  std::swap(move.fromStep, move.toStep);
  move.filledTo = move.zeroRows = 0;
  return move;
}

RowCores coresOf(const TilePlan& plan) { return {plan.array[0], plan.array[1], plan.l1Bytes}; }

/// Rows that only the copy has; those of one matrix as one row, for which one launch does.
void fillRows(Rewriter& rewriter, Location location, const RowMove& move) {
  Value copy = move.to;
  const auto known = copy.type().cast<MemRefType>().shape();
  std::vector<int64_t> shape(known.begin(), known.end());
  size_t rows = shape.size() - 2;
  int64_t row = 1;
  if (move.batches == 1) {
    memref::Reassociation all(1);
    for (size_t dim = 0; dim < shape.size(); ++dim)
      all[0].push_back(static_cast<int64_t>(dim));
    row = shape.back(), rows = 0;
    copy = memref::CollapseShapeOp::create(rewriter, location, copy, all).result();
    shape = {move.toRows * row};
  }
  std::vector<memref::MixedIndex> offsets(shape.size(), 0), sizes(shape.begin(), shape.end());
  offsets[rows] = move.fromRows * row, sizes[rows] = move.zeroRows * row;
  const std::vector<memref::MixedIndex> ones(offsets.size(), memref::MixedIndex(1));
  const Value part =
      memref::SubViewOp::create(rewriter, location, copy, offsets, sizes, ones).result();
  const Attribute zero = neutralOf(memref::AtomicKind::AddI, elementTypeOrSelf(copy.type()));
  const Value input[] = {rewriter.constant(location, zero)}, output[] = {part};
  linalg::createNamedOp(rewriter, location, "linalg.fill", input, output);
}

/// The product makes it anew: what it held before is not needed.
bool isNeededBefore(const TiledOperand& operand) { return operand.isRead && !operand.isWritten; }

/// Whether the reduction is filled up with zeros in the memory of the host, in both factors. Where it is short, those that are missing in
/// rows along it are zeros of L2: to copy the factor would cost more.
bool fillsReduction(PlanState& planning, unsigned reduction) {
  constexpr int64_t kShort = 512;
  const std::span<TiledOperand> factors(planning.plan.operands.data(), 2);
  if (std::ranges::none_of(factors, [&](const TiledOperand& factor) {
        return factor.isStaged && factor.index.back().uses(reduction);
      }))
    return false;
  for (TiledOperand& factor : factors) {
    if (factor.index.back().uses(reduction)) continue;
    if (planning.plan.sizes[reduction] <= kShort || !canStage(planning, factor) ||
        !hasRowsAlong(factor, reduction) || !canGrow(factor) || bytesOf(factor) >= kBytesOfWord)
      return false;
    factor.isStaged = true;
  }
  return true;
}

}  // namespace

void findStaged(PlanState& planning) {
  std::vector<TiledOperand>& operands = planning.plan.operands;
  const TileWishes& wishes = planning.wishes;
  const auto reduction = reductionOf(planning);
  if (wishes.l2Bytes == 0 || !wishes.pack || !reduction || blocksOfProduct(planning).empty())
    return;
  std::vector<TiledOperand*> found;
  for (TiledOperand& operand : operands)
    if (hasRowsInsideWords(operand)) found.push_back(&operand);
  if (!std::ranges::all_of(found, [&](auto* operand) { return canStage(planning, *operand); }))
    return;
  for (TiledOperand* operand : found)
    operand->isStaged = true;
  planning.fillsReduction = fillsReduction(planning, *reduction);
}

bool fitsStaging(const PlanState& planning) {
  return std::ranges::all_of(planning.plan.operands, [&](const TiledOperand& operand) {
    return !operand.isStaged ||
           canMoveRows(moveInto(operand, copyOf(planning.plan, operand)), planning.wishes.l1Bytes);
  });
}

void stageOperands(StructuredOp op, TilePlan& plan, Rewriter& rewriter) {
  const TilePlan original = plan;
  std::vector<RowMove> moves;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const TiledOperand& operand = original.operands[i];
    if (!operand.isStaged) continue;
    const Copy copy = copyOf(original, operand);
    const Type element = elementTypeOrSelf(operand.value.type());
    const MemRefType type = MemRefType::get(op->context(), copy.shape, element);
    plan.operands[i].value = memref::AllocOp::create(rewriter, op->location(), type).result();
    plan.operands[i].window = copy.window;
    if (!isNeededBefore(operand)) continue;
    RowMove move = moveInto(operand, copy);
    move.from = operand.value, move.to = plan.operands[i].value;
    moves.push_back(move);
  }
  for (const RowMove* move : moveRows(rewriter, op->location(), moves, coresOf(original)))
    fillRows(rewriter, op->location(), *move);
}

void unstageResults(StructuredOp op, const TilePlan& plan, const TilePlan& original,
                    Rewriter& rewriter) {
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const TiledOperand& operand = original.operands[i];
    if (!operand.isStaged) continue;
    if (operand.isWritten) {
      RowMove move = moveInto(operand, copyOf(original, operand));
      move.from = operand.value, move.to = plan.operands[i].value;
      const RowMove back = reversed(move);
      moveRows(rewriter, op->location(), {&back, 1}, coresOf(original));
    }
    memref::DeallocOp::create(rewriter, op->location(), plan.operands[i].value);
  }
}

}  // namespace airlite::tiling
