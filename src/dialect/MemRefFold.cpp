// Folders of the memref ops.
#include "MemRefInternal.hpp"

#include <algorithm>

namespace airlite::memref {

namespace {

/// The ranked memref that a memref.cast was made of; null when `value` is not such a cast.
Value castSource(Value value) {
  CastOp cast = dynCast<CastOp>(value.definingOp());
  return cast && cast.source().type().isa<MemRefType>() ? cast.source() : Value();
}

LogicalResult foldTo(std::vector<FoldResult>& results, FoldResult result) {
  results.push_back(result);
  return success();
}

}  // namespace

/// Accesses do not care how much of the type is known: they look through memref.cast.
LogicalResult foldCastsIntoOperands(Operation& op, std::span<const Attribute>,
                                    std::vector<FoldResult>&) {
  bool changed = false;
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    Value source = castSource(op.operand(i));
    if (!source) continue;
    op.setOperand(i, source);
    changed = true;
  }
  return success(changed);
}

LogicalResult foldCast(Operation& op, std::span<const Attribute>,
                       std::vector<FoldResult>& results) {
  Value source = op.operand(0);
  if (source.type() == op.result().type()) return foldTo(results, source);
  Value inner = castSource(source);
  if (!inner) return failure();
  if (inner.type() == op.result().type()) return foldTo(results, inner);
  if (!CastOp::compatible(inner.type(), op.result().type())) return failure();
  op.setOperand(0, inner);
  return success();
}

LogicalResult foldMemorySpaceCast(Operation& op, std::span<const Attribute>,
                                  std::vector<FoldResult>& results) {
  Value source = op.operand(0);
  if (source.type() == op.result().type()) return foldTo(results, source);
  Operation* inner = source.definingOp();
  if (!inner || !inner->is("memref.memory_space_cast")) return failure();
  if (inner->operand(0).type() == op.result().type()) return foldTo(results, inner->operand(0));
  op.setOperand(0, inner->operand(0));
  return success();
}

// -- dim, rank ----------------------------------------------------------------------------------

namespace {

/// The size of dim `index` where the op that makes the memref names it.
Value sizeOperand(Operation& source, MemRefType type, size_t index) {
  auto nth = [&](OperandRange sizes) {
    auto shape = type.shape().subspan(0, index);
    auto at = static_cast<unsigned>(std::count(shape.begin(), shape.end(), kDynamic));
    return at < sizes.size() ? sizes[at] : Value();
  };
  if (isa<AllocOp>(&source) || isa<AllocaOp>(&source))
    return nth(AllocLikeOp(&source).dynamicSizes());
  if (ViewOp view = dynCast<ViewOp>(&source)) return nth(view.sizes());
  if (isa<ReinterpretCastOp>(&source)) {
    std::vector<MixedIndex> sizes = OffsetSizeStrideView(&source).sizes();
    return index < sizes.size() ? sizes[index].value : Value();
  }
  return Value();
}

/// A subview keeps the sizes it was asked for, but may leave unit dims out.
std::optional<MixedIndex> subViewSize(SubViewOp view, size_t index) {
  auto dropped = view.droppedDims();
  if (!dropped) return std::nullopt;
  std::vector<MixedIndex> sizes = view.sizes();
  for (size_t i = 0, kept = 0; i < sizes.size(); ++i)
    if (!(*dropped)[i] && kept++ == index) return sizes[i];
  return std::nullopt;
}

}  // namespace

LogicalResult foldDim(Operation& op, std::span<const Attribute> operands,
                      std::vector<FoldResult>& results) {
  DimOp dim(&op);
  auto type = dim.source().type().dynCast<MemRefType>();
  std::optional<int64_t> index = operands[1] ? constantInt(operands[1]) : std::nullopt;
  if (type && index && *index >= 0 && *index < type.rank()) {
    auto at = static_cast<size_t>(*index);
    if (!type.isDynamicDim(at))
      return foldTo(results, IntegerAttr::getIndex(op.context(), type.dim(at)));
    Operation* source = dim.source().definingOp();
    Value size = source ? sizeOperand(*source, type, at) : Value();
    if (SubViewOp view = dynCast<SubViewOp>(source))
      if (auto entry = subViewSize(view, at)) size = entry->value;
    if (size) return foldTo(results, size);
  }
  return foldCastsIntoOperands(op, operands, results);
}

LogicalResult foldRank(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results) {
  if (auto type = op.operand(0).type().dynCast<MemRefType>())
    return foldTo(results, IntegerAttr::getIndex(op.context(), type.rank()));
  return foldCastsIntoOperands(op, operands, results);
}

// -- Views --------------------------------------------------------------------------------------

LogicalResult foldSubView(Operation& op, std::span<const Attribute>,
                          std::vector<FoldResult>& results) {
  SubViewOp view(&op);
  MemRefType source = view.sourceType();
  if (view.resultType() != source || !source.hasStaticShape()) return failure();
  // The same static type: nothing but everything fits, provided that it starts at the beginning.
  auto isZero = [](int64_t offset) { return offset == 0; };
  std::span<const int64_t> offsets = view.staticOffsets();
  bool whole = std::all_of(offsets.begin(), offsets.end(), isZero);
  return whole ? foldTo(results, view.source()) : failure();
}

namespace {

/// Offset, sizes and strides of the source of a view that starts at the same place.
Value reinterpretedSource(ReinterpretCastOp cast) {
  Operation* source = cast.source().definingOp();
  if (isa<ReinterpretCastOp>(source)) return source->operand(0);
  if (CastOp inner = dynCast<CastOp>(source)) return inner.source();
  if (!isa<SubViewOp>(source)) return Value();
  std::span<const int64_t> offsets = SubViewOp(source).staticOffsets();
  bool atStart = std::all_of(offsets.begin(), offsets.end(), [](int64_t o) { return o == 0; });
  return atStart ? source->operand(0) : Value();
}

}  // namespace

LogicalResult foldReinterpretCast(Operation& op, std::span<const Attribute>,
                                  std::vector<FoldResult>& results) {
  ReinterpretCastOp cast(&op);
  // The buffer is all that counts: what the source said of its shape is replaced anyway.
  if (Value source = reinterpretedSource(cast)) {
    op.setOperand(0, source);
    return success();
  }
  MemRefType type = cast.resultType();
  if (cast.source().type() != type || !type.hasStaticShape()) return failure();
  auto form = type.stridedForm();
  bool isStatic =
      form && form->offset != kDynamic &&
      std::find(form->strides.begin(), form->strides.end(), kDynamic) == form->strides.end();
  return isStatic ? foldTo(results, cast.source()) : failure();
}

LogicalResult foldReshapeView(Operation& op, std::span<const Attribute>,
                              std::vector<FoldResult>& results) {
  ReshapeView view(&op);
  if (view.sourceType() == view.resultType()) return foldTo(results, view.source());
  Operation* inner = view.source().definingOp();
  bool isInverse = isa<ExpandShapeOp>(inner) != isa<ExpandShapeOp>(&op);
  if (!inner || !isInverse || (!isa<ExpandShapeOp>(inner) && !isa<CollapseShapeOp>(inner)))
    return failure();
  ReshapeView before(inner);
  // Two dynamic dims of one group may have been split differently.
  bool undone =
      before.sourceType() == view.resultType() &&
      (view.resultType().hasStaticShape() ||
       (before.reassociation() == view.reassociation() &&
        (isa<CollapseShapeOp>(&op) || isSplitUnique(view.resultType(), view.reassociation()))));
  return undone ? foldTo(results, before.source()) : failure();
}

LogicalResult foldTranspose(Operation& op, std::span<const Attribute> operands,
                            std::vector<FoldResult>& results) {
  TransposeOp transpose(&op);
  if (transpose.permutation().isIdentity() &&
      transpose.source().type() == transpose.result().type())
    return foldTo(results, transpose.source());
  return foldCastsIntoOperands(op, operands, results);
}

LogicalResult foldView(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results) {
  return foldCastsIntoOperands(op, operands, results);
}

}  // namespace airlite::memref
