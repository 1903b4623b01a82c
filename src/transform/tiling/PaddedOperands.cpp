// See PaddedOperands.hpp.
#include "PaddedOperands.hpp"

#include "CollapsedViews.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Reductions.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace airlite::tiling {

namespace {

/// The dimension that rows lie along: the last one of several elements.
size_t dimOfRows(const std::vector<int64_t>& shape) {
  size_t dim = shape.size() - 1;
  while (dim > 0 && shape[dim] == 1)
    --dim;
  return dim;
}

bool isOfBytes(Value value) {
  const Type element = elementTypeOrSelf(value.type());
  return (element.isInteger() || element.isFloat()) && element.bitWidth() % 8 == 0;
}

RowMove backwards(RowMove move) {
  std::swap(move.from, move.to);
  std::swap(move.fromRow, move.toRow);
  std::swap(move.fromRows, move.toRows);
  move.filledTo = 0;
  return move;
}

}  // namespace

PaddedOperands::PaddedOperands(linalg::StructuredOp op, const TilePlan& plan, Operation* fill,
                               Rewriter& rewriter)
    : op_(op), fill_(fill), rewriter_(rewriter), sizes_(plan.sizes) {
  readOperands(plan);
  if (isPlain_) padLoops(plan);
  if (!linalg::isMultiplyAdd(op)) isPlain_ &= isPooling(plan);
}

/// Windows that are combined in some way: additional iterations of it would need what changes nothing, those of channels need not.
bool PaddedOperands::isPooling(const TilePlan& plan) const {
  bool combines = false;
  for (unsigned loop = 0; loop < plan.numLoops(); ++loop)
    combines |= !plan.isParallel(loop);
  return combines && hasWindows_ && !growsReduction_ && op_.numOutputs() == 1;
}

void PaddedOperands::readOperands(const TilePlan& plan) {
  for (const TiledOperand& tiled : plan.operands) {
    const MemRefType type = contiguousType(tiled.value);
    isPlain_ &= tiled.isMemRef && type && type.rank() > 0 && isOfBytes(tiled.value);
    if (!isPlain_) return;
    hasWindows_ |= std::ranges::any_of(
        tiled.index, [](const LoopIndex& index) { return !index.onlyLoop().has_value(); });
    const std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
    operands_.push_back({tiled.value, tiled.isRead, tiled.isWritten, shape, shape});
  }
}

void PaddedOperands::padLoops(const TilePlan& plan) {
  // The matrix unit takes so many channels of an image at once.
  constexpr int64_t kChannels = 8;
  for (size_t i = 0; i < operands_.size(); ++i) {
    const Operand& operand = operands_[i];
    // The window of a pooling is a shape alone.
    if (!op_.bodyArgument(static_cast<unsigned>(i)).hasUses()) continue;
    const size_t dim = dimOfRows(operand.shape);
    const int64_t bytes = elementBytesOf(operand.value);
    const int64_t unit = hasWindows_ ? kChannels * bytes : aie::kWordBytes;
    if (operand.shape[dim] * bytes % unit == 0) continue;
    const std::optional<unsigned> loop = plan.operands[i].index[dim].onlyLoop();
    isPlain_ &= loop.has_value();
    if (!loop) return;
    const bool isSummed = !plan.isParallel(*loop);
    sizes_[*loop] =
        roundUp(sizes_[*loop], hasWindows_ && isSummed ? kChannels : kRowVectorBytes / bytes);
    if (sizes_[*loop] == plan.sizes[*loop]) continue;
    growsReduction_ |= isSummed;
  }
  for (size_t i = 0; i < operands_.size(); ++i)
    for (size_t dim = 0; dim < operands_[i].shape.size(); ++dim)
      padDim(operands_[i], dim, plan.operands[i].index[dim], plan);
}

/// Windows of an image stay as they are.
void PaddedOperands::padDim(Operand& operand, size_t dim, const LoopIndex& index,
                            const TilePlan& plan) {
  const std::optional<unsigned> only = index.onlyLoop();
  if (only && sizes_[*only] != plan.sizes[*only]) operand.padded[dim] = sizes_[*only];
  if (only) return;
  for (unsigned loop = 0; loop < sizes_.size(); ++loop)
    isPlain_ &= sizes_[loop] == plan.sizes[loop] || !index.uses(loop);
}

RowMove PaddedOperands::moveInto(const Operand& operand) const {
  const size_t dim = dimOfRows(operand.shape);
  RowMove move;
  move.from = operand.value, move.to = operand.copy;
  move.elementBytes = elementBytesOf(operand.value);
  move.length = move.fromRow = operand.shape[dim];
  move.toRow = operand.padded[dim];
  move.filledTo = move.toRow;
  move.rows = move.fromRows = dim > 0 ? operand.shape[dim - 1] : 1;
  move.toRows = dim > 0 ? operand.padded[dim - 1] : 1;
  const auto matrices = operand.shape.begin() + static_cast<ptrdiff_t>(dim > 0 ? dim - 1 : 0);
  move.batches = std::accumulate(operand.shape.begin(), matrices, int64_t{1}, std::multiplies<>());
  // Matrices without gaps are one.
  if (move.toRows == move.fromRows) {
    move.rows = move.fromRows = move.toRows = move.rows * move.batches;
    move.batches = 1;
  }
  return move;
}

bool PaddedOperands::canPad(bool areExact) const {
  constexpr int64_t kL1BytesOfRows = 32768;
  if (!isPlain_) return false;
  const bool areFloats = elementTypeOrSelf(operands_.back().value.type()).isFloat();
  if (areExact && areFloats && growsReduction_) return false;
  if (std::ranges::none_of(operands_, &Operand::grows)) return false;
  return std::ranges::all_of(operands_, [&](const Operand& operand) {
    const size_t dim = dimOfRows(operand.shape);
    for (size_t outer = 0; outer < operand.shape.size(); ++outer)
      if (outer != dim && outer + 1 != dim && operand.shape[outer] != operand.padded[outer])
        return false;
    return !operand.grows() || canMoveRows(moveInto(operand), kL1BytesOfRows);
  });
}

int64_t PaddedOperands::numCopied() const {
  return std::ranges::count_if(operands_, &Operand::grows);
}

linalg::StructuredOp PaddedOperands::make() {
  const Location location = op_->location();
  rewriter_.setBefore(*op_.op());
  Operation* made = nullptr;
  for (Operand& operand : operands_) {
    if (!operand.grows()) continue;
    const MemRefType type =
        MemRefType::get(op_->context(), operand.padded, elementTypeOrSelf(operand.value.type()));
    operand.copy = memref::AllocOp::create(rewriter_, location, type).result();
    allocs_.push_back(operand.copy.definingOp());
  }
  const Operand& result = operands_.back();
  if (fill_) {
    newFill_ = rewriter_.clone(*fill_);
    if (result.copy) newFill_->setOperand(newFill_->numOperands() - 1, result.copy);
  }
  made = rewriter_.clone(*op_.op());
  for (unsigned i = 0; i < operands_.size(); ++i)
    if (operands_[i].copy) made->setOperand(i, operands_[i].copy);
  return made_ = linalg::StructuredOp(made);
}

void PaddedOperands::takeBack() {
  rewriter_.eraseOp(*made_.op());
  if (newFill_) rewriter_.eraseOp(*newFill_);
  for (Operation* alloc : allocs_)
    rewriter_.eraseOp(*alloc);
}

/// Zeros in rows that only the copy has; null: it has none. Of the many small matrices of a filter all rows, in one launch: they are
/// copied afterwards.
Operation* PaddedOperands::fillRows(const Operand& operand) {
  const size_t dim = dimOfRows(operand.shape);
  if (dim == 0 || operand.shape[dim - 1] == operand.padded[dim - 1]) return nullptr;
  const Attribute zero =
      neutralOf(memref::AtomicKind::AddI, elementTypeOrSelf(operand.copy.type()));
  const Value input[] = {rewriter_.constant(op_->location(), zero)};
  const Value output[] = {hasWindows_ ? rowsOfFilter(operand) : rowsOfCopy(operand, dim - 1)};
  return linalg::createNamedOp(rewriter_, op_->location(), "linalg.fill", input, output);
}

/// All rows of the copy, one after the other.
Value PaddedOperands::rowsOfFilter(const Operand& operand) {
  memref::Reassociation groups(2);
  for (size_t dim = 0; dim < operand.shape.size(); ++dim)
    groups[dim + 1 == operand.shape.size()].push_back(static_cast<int64_t>(dim));
  return memref::CollapseShapeOp::create(rewriter_, op_->location(), operand.copy, groups).result();
}

/// What the copy has more along `dim`.
Value PaddedOperands::rowsOfCopy(const Operand& operand, size_t dim) {
  std::vector<memref::MixedIndex> offsets(operand.shape.size(), 0), sizes;
  for (int64_t size : operand.padded)
    sizes.emplace_back(size);
  offsets[dim] = operand.shape[dim];
  sizes[dim] = operand.padded[dim] - operand.shape[dim];
  const std::vector<memref::MixedIndex> ones(offsets.size(), memref::MixedIndex(1));
  return memref::SubViewOp::create(rewriter_, op_->location(), operand.copy, offsets, sizes, ones)
      .result();
}

std::vector<Operation*> PaddedOperands::finish(const RowCores& cores) {
  std::vector<Operation*> others;
  const Location location = op_->location();
  rewriter_.setBefore(newFill_ ? *newFill_ : *made_.op());
  std::vector<RowMove> moves, back;
  for (const Operand& operand : operands_) {
    if (!operand.copy || !operand.isRead || (operand.isWritten && fill_)) continue;
    if (Operation* rows = fillRows(operand)) others.push_back(rows);
    moves.push_back(moveInto(operand));
  }
  moveRows(rewriter_, location, moves, cores);
  rewriter_.setBefore(*op_.op());
  for (const Operand& operand : operands_)
    if (operand.copy && operand.isWritten) back.push_back(backwards(moveInto(operand)));
  moveRows(rewriter_, location, back, cores);
  for (const Operand& operand : operands_)
    if (operand.copy) memref::DeallocOp::create(rewriter_, location, operand.copy);
  if (fill_) rewriter_.eraseOp(*fill_);
  rewriter_.eraseOp(*op_.op());
  return others;
}

}  // namespace airlite::tiling
