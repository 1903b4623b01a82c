// Folders and rewrites of the vector ops.
#include "MemRefInternal.hpp"
#include "VectorInternal.hpp"

#include <algorithm>
#include <limits>

namespace airlite::vector {

namespace {

LogicalResult foldTo(FoldResults& results, FoldResult result) {
  results.push_back(result);
  return success();
}

VectorType vectorOf(Value value) { return value.type().cast<VectorType>(); }

/// Constants that are made here have no more elements, unless all are the same.
constexpr int64_t kMostElements = 4096;

/// A splat constant of another vector type with the same elements.
Attribute resplat(Attribute constant, Type type) {
  auto dense = constant.dynCast<DenseElementsAttr>();
  if (!dense || !dense.isSplat()) return Attribute();
  Attribute element = dense.splatValue();
  return DenseElementsAttr::get(type.cast<ShapedType>(), std::span(&element, 1));
}

std::vector<int64_t> concat(std::span<const int64_t> a, std::span<const int64_t> b) {
  std::vector<int64_t> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

bool startsWith(std::span<const int64_t> list, std::span<const int64_t> prefix) {
  return prefix.size() <= list.size() && std::equal(prefix.begin(), prefix.end(), list.begin());
}

}  // namespace

// -- Transfers ----------------------------------------------------------------------------------

namespace {

/// Dimension `dim` of the vector is read or written inside the bounds whatever happens.
bool isProvablyInBounds(TransferOp transfer, unsigned dim) {
  AffineExpr source = transfer.permutationMap().result(dim);
  if (source.kind() != AffineKind::Dim) return true;
  unsigned at = source.position();
  int64_t size = transfer.shapedType().dim(at);
  std::optional<int64_t> index = constantIntOf(transfer.indices()[at]);
  return size != kDynamic && index && *index >= 0 &&
         *index + transfer.vectorType().dim(dim) <= size;
}

bool improveInBounds(TransferOp transfer) {
  // A memref of vectors keeps the flags that it has.
  if (transfer.shapedType().elementType().isa<VectorType>()) return false;
  std::vector<Attribute> flags;
  bool changed = false;
  for (unsigned i = 0; i < transfer.permutationMap().numResults(); ++i) {
    bool before = transfer.isInBounds(i);
    bool now = before || isProvablyInBounds(transfer, i);
    changed |= now != before;
    flags.push_back(IntegerAttr::getBool(transfer->context(), now));
  }
  if (changed) transfer->setAttr("in_bounds", ArrayAttr::get(transfer->context(), flags));
  return changed;
}

/// Both reach the very same elements, all of them.
bool sameElements(TransferOp a, TransferOp b) {
  return a.indices().vec() == b.indices().vec() && a.permutationMap() == b.permutationMap() &&
         a.vectorType() == b.vectorType() && !a.mask() && !b.mask() && a.isAllInBounds() &&
         b.isAllInBounds();
}

/// Transfers of tensors see what was written there before.
LogicalResult foldTensorTransfer(Operation& op, FoldResults& results) {
  TransferOp transfer(&op);
  Operation* before = transfer.source().definingOp();
  TransferWriteOp written = dynCast<TransferWriteOp>(before);
  bool overlaps = written && sameElements(written, transfer);
  if (transfer.isRead()) return overlaps ? foldTo(results, written.value()) : failure();
  TransferReadOp read = dynCast<TransferReadOp>(op.operand(0).definingOp());
  if (read && read.source() == transfer.source() && sameElements(read, transfer))
    return foldTo(results, transfer.source());
  if (!overlaps) return failure();
  op.setOperand(1, written.source());
  return success();
}

}  // namespace

LogicalResult foldTransfer(Operation& op, std::span<const Attribute> operands,
                           FoldResults& results) {
  if (improveInBounds(TransferOp(&op))) return success();
  if (TransferOp(&op).shapedType().isa<RankedTensorType>()) return foldTensorTransfer(op, results);
  return memref::foldCastsIntoOperands(op, operands, results);
}

// -- broadcast, splat ---------------------------------------------------------------------------

LogicalResult foldBroadcast(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results) {
  Value source = op.operand(0);
  if (source.type() == op.result().type()) return foldTo(results, source);
  auto type = op.result().type().cast<ShapedType>();
  if (Attribute constant = resplat(operands[0], type)) return foldTo(results, constant);
  bool scalar = operands[0].isa<IntegerAttr>() || operands[0].isa<FloatAttr>();
  if (scalar) return foldTo(results, DenseElementsAttr::get(type, operands.first(1)));
  if (BroadcastOp inner = dynCast<BroadcastOp>(source.definingOp())) {
    op.setOperand(0, inner.source());
    return success();
  }
  return failure();
}

LogicalResult foldSplat(Operation& op, std::span<const Attribute> operands, FoldResults& results) {
  if (!operands[0].isa<IntegerAttr>() && !operands[0].isa<FloatAttr>()) return failure();
  auto type = op.result().type().cast<ShapedType>();
  return foldTo(results, DenseElementsAttr::get(type, operands.first(1)));
}

// -- extract, insert ----------------------------------------------------------------------------

namespace {

/// Number of the first element that a position leads to.
int64_t elementAt(std::span<const int64_t> shape, std::span<const int64_t> position) {
  int64_t index = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    index = index * shape[i] + (i < position.size() ? position[i] : 0);
  return index;
}

/// Element or slice of a constant.
Attribute extractConstant(Attribute constant, Type result, std::span<const int64_t> position) {
  auto dense = constant.dynCast<DenseElementsAttr>();
  if (!dense) return Attribute();
  auto slice = result.dynCast<VectorType>();
  if (dense.isSplat()) return slice ? resplat(constant, result) : dense.splatValue();
  int64_t index = elementAt(dense.type().shape(), position);
  if (!slice) return dense.element(index);
  size_t bytes = DenseElementsAttr::elementSize(slice.elementType());
  return DenseElementsAttr::getRaw(
      slice, dense.raw().subspan(static_cast<size_t>(index) * bytes,
                                 static_cast<size_t>(slice.numElements()) * bytes));
}

/// extract(extract(x)): one extract with both positions.
LogicalResult mergeExtracts(Operation& op, ExtractOp inner) {
  if (!inner.isStatic()) return failure();
  std::vector<int64_t> position = concat(inner.staticPosition(), ExtractOp(&op).staticPosition());
  op.setOperand(0, inner.source());
  op.setAttr("static_position", DenseArrayAttr::getI64(op.context(), position));
  return success();
}

/// What comes out of an insert: the inserted part, a part of it, or of what was there before.
LogicalResult extractFromInsert(Operation& op, InsertOp insert, FoldResults& results) {
  std::span<const int64_t> want = ExtractOp(&op).staticPosition();
  std::span<const int64_t> have = insert.staticPosition();
  if (!insert.isStatic()) return failure();
  if (std::ranges::equal(want, have)) return foldTo(results, insert.source());
  if (startsWith(want, have) && insert.source().type().isa<VectorType>()) {
    op.setOperand(0, insert.source());
    op.setAttr("static_position", DenseArrayAttr::getI64(op.context(), want.subspan(have.size())));
    return success();
  }
  if (startsWith(have, want)) return failure();
  op.setOperand(0, insert.dest());
  return success();
}

/// What a broadcast repeats, when the extract gives just that.
LogicalResult extractFromBroadcast(Operation& op, Operation& source, FoldResults& results) {
  Value repeated = source.operand(0);
  if (repeated.type() == op.result().type()) return foldTo(results, repeated);
  auto inner = repeated.type().dynCast<VectorType>();
  auto outer = op.operand(0).type().cast<VectorType>();
  if (!inner || !ExtractOp(&op).isStatic()) return failure();
  // Leading dims of the position only choose a copy.
  std::span<const int64_t> position = ExtractOp(&op).staticPosition();
  auto lead = static_cast<size_t>(outer.rank() - inner.rank());
  if (position.size() <= lead) return failure();
  std::vector<int64_t> rest(position.begin() + static_cast<long>(lead), position.end());
  for (size_t i = 0; i < rest.size(); ++i)
    if (inner.dim(i) == 1) rest[i] = 0;
  for (size_t i = rest.size(); i < inner.shape().size(); ++i)
    if (inner.dim(i) != outer.dim(lead + i)) return failure();
  op.setOperand(0, repeated);
  op.setAttr("static_position", DenseArrayAttr::getI64(op.context(), rest));
  return success();
}

/// An element of a slice is an element of the whole, further in.
LogicalResult extractFromSlice(Operation& op, Operation& slice) {
  std::vector<int64_t> offsets = integers(slice.attr("offsets"));
  std::span<const int64_t> want = ExtractOp(&op).staticPosition();
  std::vector<int64_t> position(want.begin(), want.end());
  // What is left after the position must not be cut.
  auto before = vectorOf(slice.operand(0)), after = vectorOf(slice.result());
  for (size_t i = position.size(); i < offsets.size(); ++i)
    if (before.dim(i) != after.dim(i)) return failure();
  for (size_t i = 0; i < position.size() && i < offsets.size(); ++i)
    position[i] += offsets[i];
  op.setOperand(0, slice.operand(0));
  op.setAttr("static_position", DenseArrayAttr::getI64(op.context(), position));
  return success();
}

/// An element of a vector of another shape has the same row-major position.
LogicalResult extractFromShapeCast(Operation& op, Operation& cast) {
  auto to = vectorOf(cast.result()), from = vectorOf(cast.operand(0));
  std::span<const int64_t> position = ExtractOp(&op).staticPosition();
  if (op.result().type().isa<VectorType>()) return failure();
  int64_t index = 0;
  for (size_t i = 0; i < position.size(); ++i)
    index = index * to.dim(i) + position[i];
  std::vector<int64_t> source(from.shape().size());
  for (size_t i = source.size(); i-- > 0;) {
    source[i] = index % from.dim(i);
    index /= from.dim(i);
  }
  op.setOperand(0, cast.operand(0));
  op.setAttr("static_position", DenseArrayAttr::getI64(op.context(), source));
  return success();
}

}  // namespace

/// A slice of a broadcast is a smaller broadcast.
LogicalResult extractOfBroadcast(Operation& op, Rewriter& rewriter) {
  Operation* source = op.operand(0).definingOp();
  auto result = op.result().type().dynCast<VectorType>();
  bool repeats = source && (isa<BroadcastOp>(source) || source->is("vector.splat"));
  if (!repeats || !result) return failure();
  Type repeated = source->operand(0).type();
  auto inner = repeated.dynCast<VectorType>();
  // Only dims that the broadcast has added may be indexed.
  size_t added = vectorOf(op.operand(0)).shape().size() - (inner ? inner.shape().size() : 0);
  if (ExtractOp(&op).staticPosition().size() > added) return failure();
  rewriter.setBefore(op);
  rewriter.replaceOp(
      op, *rewriter.create(op.location(), "vector.broadcast", {source->operand(0)}, {result}));
  return success();
}

LogicalResult foldExtract(Operation& op, std::span<const Attribute> operands,
                          FoldResults& results) {
  ExtractOp extract(&op);
  std::span<const int64_t> position = extract.staticPosition();
  if (position.empty() && extract.source().type() == op.result().type())
    return foldTo(results, extract.source());
  Operation* source = extract.source().definingOp();
  bool repeats = source && (isa<BroadcastOp>(source) || source->is("vector.splat"));
  if (repeats) return extractFromBroadcast(op, *source, results);
  // The rest is for results of the usual type and constant positions.
  if (!extract.isStatic() ||
      op.result().type() != elementAtDepth(vectorOf(extract.source()), position.size()))
    return failure();
  if (Attribute constant = extractConstant(operands[0], op.result().type(), position))
    return foldTo(results, constant);
  if (ExtractOp inner = dynCast<ExtractOp>(source)) return mergeExtracts(op, inner);
  if (InsertOp insert = dynCast<InsertOp>(source)) return extractFromInsert(op, insert, results);
  if (source && source->is("vector.extract_strided_slice")) return extractFromSlice(op, *source);
  if (source && source->is("vector.shape_cast")) return extractFromShapeCast(op, *source);
  return failure();
}

/// The constant `dest` with the constant `source` in it; null when they are too large to write out.
static Attribute insertConstant(InsertOp insert, Attribute source, Attribute dest) {
  auto whole = dest.dynCast<DenseElementsAttr>(), part = source.dynCast<DenseElementsAttr>();
  bool isScalar = source.isa<IntegerAttr>() || source.isa<FloatAttr>();
  if (!whole || (!part && !isScalar) || !insert.isStatic() || whole.numElements() > kMostElements)
    return Attribute();
  std::vector<Attribute> elements;
  for (int64_t i = 0; i < whole.numElements(); ++i)
    elements.push_back(whole.element(i));
  auto first = static_cast<size_t>(elementAt(whole.type().shape(), insert.staticPosition()));
  int64_t count = part ? part.numElements() : 1;
  for (int64_t i = 0; i < count; ++i)
    elements[first + static_cast<size_t>(i)] = part ? part.element(i) : source;
  return DenseElementsAttr::get(whole.type(), elements);
}

LogicalResult foldInsert(Operation& op, std::span<const Attribute> operands, FoldResults& results) {
  InsertOp insert(&op);
  if (insert.staticPosition().empty() && insert.source().type() == op.result().type())
    return foldTo(results, insert.source());
  // Writing back what was taken from the same place.
  ExtractOp extract = dynCast<ExtractOp>(insert.source().definingOp());
  bool same = extract && extract.source() == insert.dest() && extract.isStatic() &&
              insert.isStatic() && extract.result().type() == insert.source().type() &&
              std::ranges::equal(extract.staticPosition(), insert.staticPosition());
  if (same) return foldTo(results, insert.dest());
  Attribute constant = insertConstant(insert, operands[0], operands[1]);
  return constant ? foldTo(results, constant) : failure();
}

LogicalResult foldExtractElement(Operation& op, std::span<const Attribute> operands,
                                 FoldResults& results) {
  Operation* source = op.operand(0).definingOp();
  bool repeats = source && (source->is("vector.splat") || isa<BroadcastOp>(source));
  if (repeats && source->operand(0).type() == op.result().type())
    return foldTo(results, source->operand(0));
  auto dense = operands[0].dynCast<DenseElementsAttr>();
  if (!dense) return failure();
  if (dense.isSplat()) return foldTo(results, dense.splatValue());
  std::optional<int64_t> index =
      operands.size() > 1 && operands[1] ? constantInt(operands[1]) : std::nullopt;
  if (!index || *index < 0 || *index >= dense.numElements()) return failure();
  return foldTo(results, dense.element(*index));
}

// -- Shapes -------------------------------------------------------------------------------------

namespace {

/// cast(cast(x)) of one kind is a single cast.
LogicalResult mergeCasts(Operation& op, FoldResults& results) {
  Value source = op.operand(0);
  if (source.type() == op.result().type()) return foldTo(results, source);
  Operation* inner = source.definingOp();
  if (!inner || inner->name() != op.name()) return failure();
  if (inner->operand(0).type() == op.result().type()) return foldTo(results, inner->operand(0));
  op.setOperand(0, inner->operand(0));
  return success();
}

}  // namespace

LogicalResult foldShapeCast(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results) {
  if (succeeded(mergeCasts(op, results))) return success();
  auto dense = operands[0].dynCast<DenseElementsAttr>();
  if (!dense) return failure();
  auto type = op.result().type().cast<ShapedType>();
  return foldTo(results, DenseElementsAttr::getRaw(type, dense.raw()));
}

LogicalResult foldBitCast(Operation& op, std::span<const Attribute>, FoldResults& results) {
  return mergeCasts(op, results);
}

LogicalResult foldTranspose(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results) {
  std::vector<int64_t> permutation = integers(op.attr("permutation"));
  bool identity = true;
  for (size_t i = 0; i < permutation.size(); ++i)
    identity &= permutation[i] == static_cast<int64_t>(i);
  if (identity) return foldTo(results, op.operand(0));
  if (Attribute constant = resplat(operands[0], op.result().type()))
    return foldTo(results, constant);
  Operation* inner = op.operand(0).definingOp();
  if (!inner || !inner->is("vector.transpose")) return failure();
  std::vector<int64_t> before = integers(inner->attr("permutation"));
  for (int64_t& dim : permutation)
    dim = before[static_cast<size_t>(dim)];
  op.setOperand(0, inner->operand(0));
  op.setAttr("permutation", DenseArrayAttr::getI64(op.context(), permutation));
  return success();
}

LogicalResult transposeOfBroadcast(Operation& op, Rewriter& rewriter) {
  Operation* source = op.operand(0).definingOp();
  bool repeats = source && (isa<BroadcastOp>(source) || source->is("vector.splat")) &&
                 !source->operand(0).type().isa<VectorType>();
  if (!repeats) return failure();
  rewriter.setBefore(op);
  rewriter.replaceOp(op, *rewriter.create(op.location(), "vector.broadcast", {source->operand(0)},
                                          {op.result().type()}));
  return success();
}

/// The chosen elements of two constants; null when they are too many to write out.
static Attribute shuffleConstants(Operation& op, std::span<const Attribute> operands) {
  auto first = operands[0].dynCast<DenseElementsAttr>();
  auto second = operands[1].dynCast<DenseElementsAttr>();
  auto type = vectorOf(op.result());
  // The elements of larger vectors are vectors themselves.
  if (!first || !second || type.rank() != 1 || type.numElements() > kMostElements)
    return Attribute();
  std::vector<Attribute> elements;
  for (int64_t i : integers(op.attr("mask"))) {
    int64_t size = first.numElements();
    elements.push_back(i < size ? first.element(i) : second.element(i - size));
  }
  return DenseElementsAttr::get(type, elements);
}

LogicalResult foldShuffle(Operation& op, std::span<const Attribute> operands,
                          FoldResults& results) {
  std::vector<int64_t> mask = integers(op.attr("mask"));
  bool first = true, second = true;
  auto size = vectorOf(op.operand(0)).shape().empty() ? 1 : vectorOf(op.operand(0)).dim(0);
  for (size_t i = 0; i < mask.size(); ++i) {
    first &= mask[i] == static_cast<int64_t>(i);
    second &= mask[i] == static_cast<int64_t>(i) + size;
  }
  if (first && op.operand(0).type() == op.result().type()) return foldTo(results, op.operand(0));
  if (second && op.operand(1).type() == op.result().type()) return foldTo(results, op.operand(1));
  Attribute constant = shuffleConstants(op, operands);
  return constant ? foldTo(results, constant) : failure();
}

namespace {

bool sameSlice(Operation& taken, Operation& put) {
  return taken.attr("offsets") == put.attr("offsets") &&
         taken.attr("strides") == put.attr("strides") &&
         taken.result().type() == put.operand(0).type();
}

/// The elements of a constant that a slice takes; null when they are too many to write out.
Attribute sliceOfConstant(Operation& slice, DenseElementsAttr dense) {
  auto type = vectorOf(slice.result());
  if (dense.isSplat()) return resplat(dense, type);
  if (type.numElements() > kMostElements) return Attribute();
  std::vector<int64_t> offsets = integers(slice.attr("offsets"));
  std::vector<int64_t> strides = integers(slice.attr("strides"));
  std::vector<Attribute> elements;
  for (int64_t i = 0; i < type.numElements(); ++i) {
    int64_t rest = i, position = 0, scale = 1;
    for (size_t d = type.shape().size(); d-- > 0;) {
      int64_t at = rest % type.dim(d);
      rest /= type.dim(d);
      if (d < offsets.size()) at = offsets[d] + at * strides[d];
      position += at * scale;
      scale *= dense.type().dim(d);
    }
    elements.push_back(dense.element(position));
  }
  return DenseElementsAttr::get(type, elements);
}

}  // namespace

/// A slice that is everything (sizes are checked, so the types say it), of a constant, or of what
/// was just put there.
LogicalResult foldExtractSlice(Operation& op, std::span<const Attribute> operands,
                               FoldResults& results) {
  if (op.operand(0).type() == op.result().type()) return foldTo(results, op.operand(0));
  if (auto dense = operands[0].dynCast<DenseElementsAttr>()) {
    Attribute slice = sliceOfConstant(op, dense);
    return slice ? foldTo(results, slice) : failure();
  }
  Operation* put = op.operand(0).definingOp();
  bool back = put && put->is("vector.insert_strided_slice") && sameSlice(op, *put);
  return back ? foldTo(results, put->operand(0)) : failure();
}

/// All is replaced, or a slice is put back where it was taken.
LogicalResult foldInsertSlice(Operation& op, std::span<const Attribute>, FoldResults& results) {
  if (op.operand(0).type() == op.result().type()) return foldTo(results, op.operand(0));
  Operation* taken = op.operand(0).definingOp();
  bool back = taken && taken->is("vector.extract_strided_slice") &&
              taken->operand(0) == op.operand(1) && sameSlice(*taken, op);
  return back ? foldTo(results, op.operand(1)) : failure();
}

/// A slice of something repeated is a smaller repetition.
LogicalResult sliceOfBroadcast(Operation& op, Rewriter& rewriter) {
  Operation* source = op.operand(0).definingOp();
  bool repeats = source && (isa<BroadcastOp>(source) || source->is("vector.splat"));
  if (!repeats || source->operand(0).type().isa<VectorType>()) return failure();
  rewriter.setBefore(op);
  rewriter.replaceOp(op, *rewriter.create(op.location(), "vector.broadcast", {source->operand(0)},
                                          {op.result().type()}));
  return success();
}

// -- Reductions and masks -----------------------------------------------------------------------

LogicalResult foldMultiReduction(Operation& op, std::span<const Attribute>, FoldResults& results) {
  // Without reduced dims and with one dim nothing happens to the elements.
  bool nothing = vectorOf(op.operand(0)).rank() == 1 && integers(op.attr("reduction_dims")).empty();
  return nothing ? foldTo(results, op.operand(0)) : failure();
}

std::string_view combiningOp(std::string_view kind, bool isFloat) {
  struct Entry {
    std::string_view kind, floatOp, intOp;
  };
  constexpr Entry kOps[] = {
      {"add", "arith.addf", "arith.addi"}, {"mul", "arith.mulf", "arith.muli"},
      {"minui", "", "arith.minui"},        {"minsi", "", "arith.minsi"},
      {"maxui", "", "arith.maxui"},        {"maxsi", "", "arith.maxsi"},
      {"and", "", "arith.andi"},           {"or", "", "arith.ori"},
      {"xor", "", "arith.xori"},           {"minnumf", "arith.minnumf", ""},
      {"maxnumf", "arith.maxnumf", ""},    {"minimumf", "arith.minimumf", ""},
      {"maximumf", "arith.maximumf", ""},
  };
  for (const Entry& entry : kOps)
    if (entry.kind == kind) return isFloat ? entry.floatOp : entry.intOp;
  return "";
}

Attribute neutralOf(std::string_view kind, Type type) {
  if (type.isFloat()) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (kind == "add") return FloatAttr::get(type, -0.0);
    if (kind == "mul") return FloatAttr::get(type, 1);
    return FloatAttr::get(type, kind.starts_with("max") ? -kInfinity : kInfinity);
  }
  const auto bits = static_cast<unsigned>(type.bitWidth());
  const auto allOnes = static_cast<int64_t>(~uint64_t{0} >> (64 - bits));
  const int64_t most = static_cast<int64_t>(static_cast<uint64_t>(allOnes) >> 1);
  int64_t value = 0;
  if (kind == "mul") value = 1;
  if (kind == "and" || kind == "minui") value = -1;
  if (kind == "minsi") value = most;
  if (kind == "maxsi") value = -most - 1;
  return IntegerAttr::get(type, value);
}

LogicalResult reductionOfOneElement(Operation& op, Rewriter& rewriter) {
  ReductionOp reduction(&op);
  VectorType type = vectorOf(reduction.source());
  if (type.numElements() != 1) return failure();
  rewriter.setBefore(op);
  std::vector<int64_t> position(type.shape().size(), 0);
  Value element = ExtractOp::create(rewriter, op.location(), reduction.source(), position).result();
  if (Value accumulator = reduction.accumulator()) {
    std::string_view combine = combiningOp(reduction.kind(), element.type().isFloat());
    NamedAttrList attrs;
    if (Attribute flags = op.attr("fastmath"))
      if (element.type().isFloat()) attrs.set(Identifier::get(op.context(), "fastmath"), flags);
    Value operands[] = {element, accumulator};
    Type results[] = {element.type()};
    element = rewriter.create(op.location(), combine, operands, results, attrs.entries())->result();
  }
  rewriter.replaceOp(op, element);
  return success();
}

LogicalResult createMaskOfConstants(Operation& op, Rewriter& rewriter) {
  VectorType type = vectorOf(op.result());
  std::vector<int64_t> sizes;
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    std::optional<int64_t> size = constantIntOf(op.operand(i));
    if (!size) return failure();
    sizes.push_back(std::clamp<int64_t>(*size, 0, type.shape().empty() ? 1 : type.dim(i)));
  }
  // A mask that is empty in one dim is empty.
  if (std::ranges::find(sizes, 0) != sizes.end()) std::ranges::fill(sizes, 0);
  rewriter.setBefore(op);
  NamedAttribute attr = rewriter.named("mask_dim_sizes", integerArray(op.context(), sizes));
  rewriter.replaceOp(op,
                     *rewriter.create(op.location(), "vector.constant_mask", {}, {type}, {attr}));
  return success();
}

namespace {

/// Whether all or none of the elements are selected; empty when it is neither or not known.
std::optional<bool> knownMask(Value mask) {
  if (auto dense = constantOf(mask).dynCast<DenseElementsAttr>())
    return dense.isSplat() ? std::optional(constantInt(dense.splatValue()) != 0) : std::nullopt;
  Operation* op = mask.definingOp();
  if (!op || !op->is("vector.constant_mask")) return std::nullopt;
  std::vector<int64_t> sizes = integers(op->attr("mask_dim_sizes"));
  if (std::ranges::find(sizes, 0) != sizes.end()) return false;
  return std::ranges::equal(sizes, vectorOf(mask).shape()) ? std::optional(true) : std::nullopt;
}

}  // namespace

/// With a mask that is known, a load loads all or nothing.
LogicalResult loadWithKnownMask(Operation& op, Rewriter& rewriter) {
  std::optional<bool> mask = knownMask(op.operandGroup("mask")[0]);
  if (!mask) return failure();
  if (!*mask) {
    rewriter.replaceOp(op, op.operandGroup("pass_thru")[0]);
    return success();
  }
  std::vector<Value> operands = op.operands().slice(0, op.numOperands() - 2).vec();
  Type type[] = {op.result().type()};
  rewriter.setBefore(op);
  rewriter.replaceOp(op, *rewriter.create(op.location(), "vector.load", operands, type));
  return success();
}

LogicalResult storeWithKnownMask(Operation& op, Rewriter& rewriter) {
  std::optional<bool> mask = knownMask(op.operandGroup("mask")[0]);
  if (!mask) return failure();
  if (*mask) {
    std::vector<Value> operands = {op.operandGroup("valueToStore")[0]};
    for (Value value : op.operands().slice(0, op.numOperands() - 2))
      operands.push_back(value);
    rewriter.setBefore(op);
    rewriter.create(op.location(), "vector.store", operands, std::span<const Type>());
  }
  rewriter.eraseOp(op);
  return success();
}

}  // namespace airlite::vector
