// Folders of the tensor ops.
#include "TensorInternal.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <algorithm>

namespace airlite::tensor {

namespace {

LogicalResult foldTo(std::vector<FoldResult>& results, FoldResult result) {
  results.push_back(result);
  return success();
}

/// A change in place: `op` looks through what made its operand.
LogicalResult lookThrough(Operation& op, unsigned operand, Value value) {
  op.setOperand(operand, value);
  return success();
}

/// The ranked tensor that a tensor.cast was made of; null when `value` is not such a cast.
Value castSource(Value value) {
  CastOp cast = dynCast<CastOp>(value.definingOp());
  return cast && cast.source().type().isa<RankedTensorType>() ? cast.source() : Value();
}

bool areEqual(OperandRange a, OperandRange b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The attribute of `type` with all elements equal to the element of a splat; null when there is
/// none.
Attribute splatOf(Attribute constant, Type type) {
  auto dense = constant.dynCast<DenseElementsAttr>();
  auto shaped = type.dynCast<RankedTensorType>();
  if (!dense || !dense.isSplat() || !shaped || !shaped.hasStaticShape() ||
      shaped.elementType() != dense.type().elementType())
    return Attribute();
  return DenseElementsAttr::getRaw(shaped, dense.raw());
}

}  // namespace

// -- cast, bitcast, rank ------------------------------------------------------------------------

LogicalResult foldCast(Operation& op, std::span<const Attribute>,
                       std::vector<FoldResult>& results) {
  return op.operand(0).type() == op.result().type() ? foldTo(results, op.operand(0)) : failure();
}

LogicalResult foldBitcast(Operation& op, std::span<const Attribute>,
                          std::vector<FoldResult>& results) {
  if (op.operand(0).type() == op.result().type()) return foldTo(results, op.operand(0));
  Operation* source = op.operand(0).definingOp();
  if (!source || !source->is("tensor.bitcast")) return failure();
  return lookThrough(op, 0, source->operand(0));
}

LogicalResult foldRank(Operation& op, std::span<const Attribute>,
                       std::vector<FoldResult>& results) {
  auto type = op.operand(0).type().dynCast<RankedTensorType>();
  return type ? foldTo(results, IntegerAttr::getIndex(op.context(), type.rank())) : failure();
}

// -- dim ----------------------------------------------------------------------------------------

namespace {

/// The operand that dim `index`, which is dynamic, was given when the tensor was made.
Value sizeOperand(Operation& source, RankedTensorType type, size_t index) {
  auto before = type.shape().subspan(0, index);
  auto at = static_cast<unsigned>(std::count(before.begin(), before.end(), kDynamic));
  auto nth = [&](OperandRange sizes) { return at < sizes.size() ? sizes[at] : Value(); };
  if (isa<EmptyOp>(&source) || source.is("tensor.generate")) return nth(source.operands());
  if (source.is("tensor.splat")) return nth(source.operandGroup(1u));
  if (source.is("tensor.expand_shape")) return nth(source.operandGroup(1u));
  if (source.is("bufferization.alloc_tensor")) return nth(source.operandGroup(0u));
  return Value();
}

/// An extract_slice has the sizes that it was asked for, but may leave unit dims out.
Value sliceSize(ExtractSliceOp slice, size_t index) {
  auto dropped = slice.droppedDims();
  if (!dropped) return Value();
  std::vector<MixedIndex> sizes = slice.sizes();
  for (size_t i = 0, kept = 0; i < sizes.size(); ++i)
    if (!(*dropped)[i] && kept++ == index) return sizes[i].value;
  return Value();
}

/// Another tensor that has the same shape as result `result` of `source`.
Value shapeSource(Operation& source, unsigned result) {
  if (isa<InsertOp>(&source) || isa<InsertSliceOp>(&source)) return source.operand(1);
  if (source.is("tensor.scatter")) return source.operand(1);
  if (source.is("bufferization.alloc_tensor")) {
    OperandRange copy = source.operandGroup(1u);
    return copy.empty() ? Value() : copy[0];
  }
  if (linalg::StructuredOp structured = linalg::asStructured(&source))
    return source.numResults() == structured.numOutputs() ? structured.outputs()[result] : Value();
  return isa<CastOp>(&source) ? castSource(source.result()) : Value();
}

}  // namespace

LogicalResult foldDim(Operation& op, std::span<const Attribute> operands,
                      std::vector<FoldResult>& results) {
  DimOp dim(&op);
  auto type = dim.source().type().dynCast<RankedTensorType>();
  int64_t index = operands[1] ? constantInt(operands[1]).value_or(-1) : -1;
  Operation* source = dim.source().definingOp();
  if (type && index >= 0 && index < type.rank()) {
    auto at = static_cast<size_t>(index);
    if (!type.isDynamicDim(at))
      return foldTo(results, IntegerAttr::getIndex(op.context(), type.dim(at)));
    Value size = source ? sizeOperand(*source, type, at) : Value();
    if (ExtractSliceOp slice = dynCast<ExtractSliceOp>(source)) size = sliceSize(slice, at);
    if (size) return foldTo(results, size);
  }
  Value same = source ? shapeSource(*source, dim.source().index()) : Value();
  // Structured ops may be asked for the shape of a tensor only.
  if (!same || !same.type().isa<RankedTensorType>()) return failure();
  return lookThrough(op, 0, same);
}

// -- Elements -----------------------------------------------------------------------------------

namespace {

/// Row-major position of constant indices; empty when one is missing or out of bounds.
std::optional<int64_t> positionOf(RankedTensorType type, std::span<const Attribute> indices) {
  int64_t position = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    std::optional<int64_t> index = indices[i] ? constantInt(indices[i]) : std::nullopt;
    if (!index || *index < 0 || *index >= type.dim(i)) return std::nullopt;
    position = position * type.dim(i) + *index;
  }
  return position;
}

/// The element that the op which made the tensor was given; null when that cannot be said.
Value elementValue(ExtractOp extract, std::span<const Attribute> indices) {
  Operation* source = extract.tensor().definingOp();
  if (!source) return Value();
  if (source->is("tensor.splat")) return source->operand(0);
  if (InsertOp insert = dynCast<InsertOp>(source))
    return areEqual(insert.indices(), extract.indices()) ? insert.scalar() : Value();
  if (source->is("linalg.fill") && source->operand(0).type() == extract->result().type())
    return source->operand(0);
  if (!source->is("tensor.from_elements")) return Value();
  auto at = positionOf(extract.tensor().type().cast<RankedTensorType>(), indices);
  return at ? source->operand(static_cast<unsigned>(*at)) : Value();
}

}  // namespace

LogicalResult foldExtract(Operation& op, std::span<const Attribute> operands,
                          std::vector<FoldResult>& results) {
  ExtractOp extract(&op);
  std::span<const Attribute> indices = operands.subspan(1);
  if (auto dense = operands[0].dynCast<DenseElementsAttr>()) {
    if (dense.isSplat()) return foldTo(results, dense.splatValue());
    auto at = positionOf(extract.tensor().type().cast<RankedTensorType>(), indices);
    return at ? foldTo(results, dense.element(*at)) : failure();
  }
  if (Value element = elementValue(extract, indices)) return foldTo(results, element);
  Value source = castSource(extract.tensor());
  return source ? lookThrough(op, 0, source) : failure();
}

LogicalResult foldInsert(Operation& op, std::span<const Attribute> operands,
                         std::vector<FoldResult>& results) {
  auto dest = operands[1].dynCast<DenseElementsAttr>();
  if (!operands[0] || !dest || !dest.isSplat() || dest.splatValue() != operands[0])
    return failure();
  return foldTo(results, op.operand(1));
}

LogicalResult foldFromElements(Operation& op, std::span<const Attribute> operands,
                               std::vector<FoldResult>& results) {
  auto type = op.result().type().cast<RankedTensorType>();
  auto isElement = [&](Attribute a) { return a && attributeType(a) == type.elementType(); };
  if (operands.empty() || !DenseElementsAttr::elementSize(type.elementType()) ||
      !std::all_of(operands.begin(), operands.end(), isElement))
    return failure();
  return foldTo(results, DenseElementsAttr::get(type, operands));
}

LogicalResult foldSplat(Operation& op, std::span<const Attribute> operands,
                        std::vector<FoldResult>& results) {
  auto type = op.result().type().cast<RankedTensorType>();
  bool isElement = operands[0] && attributeType(operands[0]) == type.elementType();
  if (!isElement || !type.hasStaticShape() || !DenseElementsAttr::elementSize(type.elementType()))
    return failure();
  return foldTo(results, DenseElementsAttr::get(type, operands.subspan(0, 1)));
}

// -- Slices -------------------------------------------------------------------------------------

namespace {

/// Offsets 0, strides 1 and the sizes of the static tensor: everything.
bool isWhole(SliceView slice) {
  RankedTensorType whole = slice.wholeType();
  auto all = [](std::span<const int64_t> list, int64_t wanted) {
    return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == wanted; });
  };
  return whole.hasStaticShape() && slice.partType() == whole && all(slice.staticOffsets(), 0) &&
         all(slice.staticStrides(), 1) && std::ranges::equal(slice.staticSizes(), whole.shape());
}

bool sameSlice(SliceView a, SliceView b) {
  return a.offsets() == b.offsets() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

}  // namespace

LogicalResult foldExtractSlice(Operation& op, std::span<const Attribute> operands,
                               std::vector<FoldResult>& results) {
  ExtractSliceOp slice(&op);
  if (Attribute splat = splatOf(operands[0], op.result().type())) return foldTo(results, splat);
  if (isWhole(slice)) return foldTo(results, slice.source());
  InsertSliceOp insert = dynCast<InsertSliceOp>(slice.source().definingOp());
  if (!insert || insert.partType() != slice.partType() || !sameSlice(insert, slice))
    return failure();
  return foldTo(results, insert.source());
}

LogicalResult foldInsertSlice(Operation& op, std::span<const Attribute>,
                              std::vector<FoldResult>& results) {
  InsertSliceOp slice(&op);
  if (isWhole(slice)) return foldTo(results, slice.source());
  ExtractSliceOp taken = dynCast<ExtractSliceOp>(slice.source().definingOp());
  // What was taken from there is put back.
  if (taken && taken.source() == slice.dest() && sameSlice(taken, slice))
    return foldTo(results, slice.dest());
  InsertSliceOp before = dynCast<InsertSliceOp>(slice.dest().definingOp());
  // The slice that was there before is overwritten.
  if (before && before.partType() == slice.partType() && sameSlice(before, slice))
    return lookThrough(op, 1, before.dest());
  return failure();
}

// -- Reshapes -----------------------------------------------------------------------------------

namespace {

bool isReshape(const Operation* op) {
  return op && (op->is("tensor.expand_shape") || op->is("tensor.collapse_shape"));
}

/// The second of two reshapes gives back what the first one took.
bool undoes(Operation& second, Operation& first) {
  auto type = second.result().type().cast<RankedTensorType>();
  if (first.operand(0).type() != type || first.name() == second.name()) return false;
  if (type.hasStaticShape()) return true;
  memref::Reassociation groups = memref::ReshapeView(&second).reassociation();
  return memref::ReshapeView(&first).reassociation() == groups &&
         (second.is("tensor.collapse_shape") || memref::isSplitUnique(type, groups));
}

}  // namespace

LogicalResult foldReshapeView(Operation& op, std::span<const Attribute> operands,
                              std::vector<FoldResult>& results) {
  auto type = op.result().type().cast<RankedTensorType>();
  if (op.operand(0).type() == type) return foldTo(results, op.operand(0));
  Operation* first = op.operand(0).definingOp();
  if (isReshape(first) && undoes(op, *first)) return foldTo(results, first->operand(0));
  auto dense = operands[0].dynCast<DenseElementsAttr>();
  if (!dense || !type.hasStaticShape()) return failure();
  return foldTo(results, DenseElementsAttr::getRaw(type, dense.raw()));
}

LogicalResult foldReshape(Operation& op, std::span<const Attribute> operands,
                          std::vector<FoldResult>& results) {
  auto type = op.result().type().dynCast<RankedTensorType>();
  Operation* source = op.operand(0).definingOp();
  if (source && source->is("tensor.reshape")) return lookThrough(op, 0, source->operand(0));
  if (!type || !type.hasStaticShape()) return failure();
  if (op.operand(0).type() == type) return foldTo(results, op.operand(0));
  auto dense = operands[0].dynCast<DenseElementsAttr>();
  return dense ? foldTo(results, DenseElementsAttr::getRaw(type, dense.raw())) : failure();
}

// -- pad, concat --------------------------------------------------------------------------------

LogicalResult foldPad(Operation& op, std::span<const Attribute>, std::vector<FoldResult>& results) {
  PadOp pad(&op);
  bool same = pad.sourceType() == pad.resultType() && pad.resultType().hasStaticShape();
  return same && !pad.nofold() ? foldTo(results, pad.source()) : failure();
}

LogicalResult foldConcat(Operation& op, std::span<const Attribute>,
                         std::vector<FoldResult>& results) {
  bool single = op.numOperands() == 1 && op.operand(0).type() == op.result().type();
  return single ? foldTo(results, op.operand(0)) : failure();
}

}  // namespace airlite::tensor
