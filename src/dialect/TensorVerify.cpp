// Verifiers of the tensor ops.
#include "TensorInternal.hpp"

#include <algorithm>

namespace airlite::tensor {

namespace {

RankedTensorType tensorOf(Value value) { return value.type().cast<RankedTensorType>(); }

/// Two sizes that are both known and different.
bool clash(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a != b; }

LogicalResult verifyDynamicSizes(Operation& op, OperandRange sizes, RankedTensorType type) {
  if (sizes.size() == type.numDynamicDims()) return success();
  return op.emitOpError() << "incorrect number of dynamic sizes, has " << sizes.size()
                          << ", expected " << type.numDynamicDims();
}

}  // namespace

bool shapesAgree(std::span<const int64_t> a, std::span<const int64_t> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](int64_t x, int64_t y) { return !clash(x, y); });
}

// -- Creation, elements -------------------------------------------------------------------------

LogicalResult verifyEmpty(Operation& op) {
  return verifyDynamicSizes(op, op.operands(), tensorOf(op.result()));
}

LogicalResult verifySplat(Operation& op) {
  return verifyDynamicSizes(op, op.operandGroup(1u), tensorOf(op.result()));
}

LogicalResult verifyFromElements(Operation& op) {
  int64_t wanted = tensorOf(op.result()).numElements();
  if (wanted == static_cast<int64_t>(op.numOperands())) return success();
  return op.emitOpError() << op.numOperands() << " operands present, but expected " << wanted;
}

LogicalResult verifyExtract(Operation& op) {
  ExtractOp extract(&op);
  if (extract.indices().size() == tensorOf(extract.tensor()).rank()) return success();
  return op.emitOpError() << "incorrect number of indices for extract_element";
}

LogicalResult verifyInsert(Operation& op) {
  InsertOp insert(&op);
  if (insert.indices().size() == tensorOf(insert.dest()).rank()) return success();
  return op.emitOpError() << "incorrect number of indices";
}

// -- Bodies -------------------------------------------------------------------------------------

namespace {

/// The element that the body computes; null (and an error) when it ends in another way.
Value yieldedElement(Operation& op) {
  Operation* end = op.region().empty() ? nullptr : op.region().front().terminator();
  if (end && end->is("tensor.yield")) return end->operand(0);
  op.emitOpError() << "expected a body that ends with tensor.yield";
  return Value();
}

}  // namespace

LogicalResult verifyGenerate(Operation& op) {
  RankedTensorType type = tensorOf(op.result());
  if (op.numOperands() != type.numDynamicDims())
    return op.emitError()
           << "must have as many index operands as dynamic extents in the result type";
  Value element = yieldedElement(op);
  if (!element) return failure();
  std::vector<Value> arguments = op.region().front().arguments();
  if (!std::all_of(arguments.begin(), arguments.end(), [](Value v) { return v.type().isIndex(); }))
    return op.emitError() << "all body arguments must be index";
  if (arguments.size() != static_cast<size_t>(type.rank()))
    return op.emitError() << "must have one body argument per input dimension";
  if (element.type() != type.elementType())
    return op.emitOpError()
           << "body must be terminated with a `yield` operation of the tensor element type";
  return success();
}

namespace {

LogicalResult verifyPadBody(Operation& op, RankedTensorType type) {
  Value element = yieldedElement(op);
  if (!element) return failure();
  Block& body = op.region().front();
  if (body.numArguments() != type.rank())
    return op.emitError() << "expected the block to have " << type.rank() << " arguments";
  for (unsigned i = 0; i < body.numArguments(); ++i)
    if (!body.argument(i).type().isIndex())
      return op.emitOpError() << "expected block argument " << i + 1 << " to be an index";
  if (element.type() != type.elementType())
    return op.emitOpError() << "expected yield type to match shape element type";
  return success();
}

LogicalResult verifyPadding(Operation& op, std::string_view name, std::string_view attribute,
                            RankedTensorType source) {
  std::span<const int64_t> values = op.attrOf<DenseArrayAttr>(attribute).values();
  if (values.size() != static_cast<size_t>(source.rank()))
    return op.emitError() << "failed to infer expectedType from sourceType " << source
                          << ", specified resultType is " << op.result().type();
  auto dynamic = std::count(values.begin(), values.end(), kDynamic);
  if (dynamic == op.operandGroup(name).size()) return success();
  return op.emitOpError() << "expected " << dynamic << " dynamic " << name << " values";
}

RankedTensorType paddedType(PadOp pad) {
  std::span<const int64_t> low = pad->attrOf<DenseArrayAttr>("static_low").values();
  std::span<const int64_t> high = pad->attrOf<DenseArrayAttr>("static_high").values();
  RankedTensorType source = pad.sourceType();
  std::vector<int64_t> shape;
  for (size_t i = 0; i < low.size(); ++i)
    shape.push_back(memref::saturatingAdd(source.dim(i), memref::saturatingAdd(low[i], high[i])));
  return RankedTensorType::get(source.context(), shape, source.elementType(), source.encoding());
}

}  // namespace

LogicalResult verifyPad(Operation& op) {
  PadOp pad(&op);
  RankedTensorType source = pad.sourceType(), result = pad.resultType();
  if (failed(verifyPadding(op, "low", "static_low", source)) ||
      failed(verifyPadding(op, "high", "static_high", source)))
    return failure();
  RankedTensorType inferred = paddedType(pad);
  if (source.elementType() != result.elementType() ||
      !shapesAgree(inferred.shape(), result.shape()))
    return op.emitError() << "specified type " << result << " does not match the inferred type "
                          << inferred;
  return verifyPadBody(op, result);
}

// -- Casts, slices ------------------------------------------------------------------------------

bool CastOp::compatible(Type from, Type to) {
  auto a = from.dynCast<ShapedType>(), b = to.dynCast<ShapedType>();
  auto isTensor = [](Type t) { return t.isa<RankedTensorType>() || t.isa<UnrankedTensorType>(); };
  if (!isTensor(from) || !isTensor(to) || a.elementType() != b.elementType()) return false;
  return !a.hasRank() || !b.hasRank() || shapesAgree(a.shape(), b.shape());
}

namespace {

LogicalResult incompatible(Operation& op) {
  return op.emitOpError() << "operand type " << op.operand(0).type() << " and result type "
                          << op.result().type() << " are cast incompatible";
}

}  // namespace

LogicalResult verifyCast(Operation& op) {
  return CastOp::compatible(op.operand(0).type(), op.result().type()) ? success()
                                                                      : incompatible(op);
}

LogicalResult verifyBitcast(Operation& op) {
  auto source = op.operand(0).type().cast<ShapedType>();
  auto result = op.result().type().cast<ShapedType>();
  bool fits =
      source.elementType().bitWidth() == result.elementType().bitWidth() &&
      (!source.hasRank() || !result.hasRank() || shapesAgree(source.shape(), result.shape()));
  return fits ? success() : incompatible(op);
}

LogicalResult verifySlice(Operation& op) {
  SliceView slice(&op);
  if (failed(memref::verifyOffsetSizeStride(op))) return failure();
  RankedTensorType whole = slice.wholeType(), part = slice.partType();
  if (slice.staticSizes().size() != static_cast<size_t>(whole.rank()))
    return op.emitError() << "expected " << whole.rank() << " offset values, found "
                          << slice.staticSizes().size();
  RankedTensorType expected = slice.fullType();
  if (part.rank() > expected.rank())
    return op.emitError() << "expected rank to be smaller or equal to the other rank. ";
  if (!memref::isShapeReduction(expected.shape(), part.shape()))
    return op.emitError() << "expected type to be " << expected
                          << " or a rank-reduced version. (size mismatch) ";
  if (part.elementType() != expected.elementType())
    return op.emitError() << "expected element type to be " << expected.elementType();
  return success();
}

/// The destination is one of the shared outputs of the loop around.
LogicalResult verifyParallelInsert(Operation& op) {
  Operation* loop = op.parentOp() ? op.parentOp()->parentOp() : nullptr;
  Value dest = op.operand(1);
  unsigned outputs = loop ? loop->numResults() : 0;
  bool shared = outputs && !loop->region().empty() &&
                dest.argumentBlock() == &loop->region().front() &&
                dest.index() + outputs >= loop->region().front().numArguments();
  if (!shared) return op.emitOpError() << "may only insert into an output block argument";
  return verifySlice(op);
}

// -- Reshapes -----------------------------------------------------------------------------------

namespace {

LogicalResult verifyGroups(Operation& op, RankedTensorType collapsed, RankedTensorType expanded,
                           const memref::Reassociation& groups) {
  if (static_cast<size_t>(collapsed.rank()) != groups.size())
    return op.emitOpError() << "expected collapsed rank (" << collapsed.rank()
                            << ") to equal the number of reassociation maps (" << groups.size()
                            << ").";
  int64_t next = 0;
  for (size_t i = 0; i < groups.size(); ++i)
    for (int64_t dim : groups[i])
      if (dim != next++)
        return op.emitOpError() << "expected reassociation map #" << i
                                << " to be valid and contiguous.";
  if (next != expanded.rank() && !groups.empty())
    return op.emitOpError() << "expected reassociation maps to cover " << expanded.rank()
                            << " dims, found " << next;
  return success();
}

LogicalResult verifyGroupSize(Operation& op, size_t i, int64_t collapsed, int64_t product) {
  if (collapsed == product) return success();
  if (product == kDynamic)
    return op.emitOpError() << "expected dimension " << i
                            << " of collapsed type to be dynamic since one or more of the "
                               "corresponding dimensions in the expanded type is dynamic";
  return op.emitOpError() << "expected dimension " << i
                          << " of collapsed type to be static value of " << product;
}

LogicalResult verifyReassociation(Operation& op, RankedTensorType collapsed,
                                  RankedTensorType expanded) {
  if (expanded.rank() < collapsed.rank())
    return op.emitOpError() << "expected the expanded type, " << expanded
                            << " to have a higher (or same) rank than the collapsed type, "
                            << collapsed << ".";
  if (expanded.elementType() != collapsed.elementType())
    return op.emitOpError() << "expected one element type, found " << expanded.elementType()
                            << " and " << collapsed.elementType();
  memref::Reassociation groups = memref::ReshapeView(&op).reassociation();
  if (failed(verifyGroups(op, collapsed, expanded, groups))) return failure();
  bool ones = std::all_of(expanded.shape().begin(), expanded.shape().end(),
                          [](int64_t size) { return size == 1; });
  if (groups.empty() && !ones)
    return op.emitOpError() << "rank 0 tensors can only be extended/collapsed with/from ones";
  for (size_t i = 0; i < groups.size(); ++i) {
    int64_t product = 1;
    for (int64_t dim : groups[i])
      product = memref::saturatingMul(product, expanded.dim(static_cast<size_t>(dim)));
    if (failed(verifyGroupSize(op, i, collapsed.dim(i), product))) return failure();
  }
  return success();
}

}  // namespace

LogicalResult verifyExpandShape(Operation& op) {
  if (failed(verifyReassociation(op, tensorOf(op.operand(0)), tensorOf(op.result()))))
    return failure();
  return memref::verifyOutputShape(op, "dims");
}

LogicalResult verifyCollapseShape(Operation& op) {
  return verifyReassociation(op, tensorOf(op.result()), tensorOf(op.operand(0)));
}

LogicalResult verifyReshape(Operation& op) {
  auto source = op.operand(0).type().cast<ShapedType>();
  auto result = op.result().type().cast<ShapedType>();
  if (source.elementType() != result.elementType())
    return op.emitOpError()
           << "element types of source and destination tensor types should be the same";
  if (!result.hasRank()) return success();
  if (source.hasRank() && source.hasStaticShape() && result.hasStaticShape() &&
      source.numElements() != result.numElements())
    return op.emitOpError()
           << "source and destination tensor should have the same number of elements";
  int64_t length = tensorOf(op.operand(1)).dim(0);
  if (length == kDynamic)
    return op.emitOpError()
           << "cannot use shape operand with dynamic length to reshape to statically-ranked "
              "tensor type";
  if (length != result.rank())
    return op.emitOpError() << "length of shape operand differs from the result's tensor rank";
  return success();
}

// -- concat, gather, scatter --------------------------------------------------------------------

namespace {

LogicalResult verifyConcatInputs(Operation& op, RankedTensorType result) {
  for (Value input : op.operands()) {
    RankedTensorType type = tensorOf(input);
    if (type.rank() != result.rank())
      return op.emitOpError() << "rank of concatenated inputs must match result rank";
    if (type.elementType() != result.elementType())
      return op.emitOpError() << "inputs and result element type must match";
  }
  return success();
}

/// Size of dim `i` of the result; failure when two inputs disagree about it.
LogicalResult concatSize(Operation& op, size_t i, bool joined, int64_t& size) {
  size = joined ? 0 : kDynamic;
  for (Value input : op.operands()) {
    int64_t other = tensorOf(input).dim(i);
    if (joined) {
      size = memref::saturatingAdd(size, other);
    } else if (clash(size, other)) {
      return op.emitOpError() << "static concatenation size mismatch along non-concatenated "
                              << "dimension " << i;
    } else if (other != kDynamic) {
      size = other;
    }
  }
  return success();
}

}  // namespace

LogicalResult verifyConcat(Operation& op) {
  if (op.numOperands() == 0) return op.emitOpError() << "requires at least one input";
  RankedTensorType result = tensorOf(op.result());
  int64_t dim = op.attrOf<IntegerAttr>("dim").value();
  if (dim >= result.rank())
    return op.emitOpError() << "concatenation dim must be less than the tensor rank";
  if (failed(verifyConcatInputs(op, result))) return failure();
  std::vector<int64_t> shape(static_cast<size_t>(result.rank()));
  for (size_t i = 0; i < shape.size(); ++i)
    if (failed(concatSize(op, i, static_cast<int64_t>(i) == dim, shape[i]))) return failure();
  if (shapesAgree(shape, result.shape())) return success();
  return op.emitOpError() << "result type " << result << "does not match inferred shape "
                          << RankedTensorType::get(op.context(), shape, result.elementType())
                          << " static sizes";
}

namespace {

LogicalResult verifyGatherDims(Operation& op, std::string_view name, int64_t rank,
                               std::string_view what) {
  std::span<const int64_t> dims = op.attrOf<DenseArrayAttr>(name).values();
  if (dims.empty()) return op.emitOpError() << name << " must be non-empty";
  if (static_cast<int64_t>(dims.size()) > rank)
    return op.emitOpError() << name << " overflow " << what << " rank";
  for (int64_t dim : dims) {
    if (dim < 0) return op.emitOpError() << name << " value must be non-negative";
    if (dim >= rank)
      return op.emitOpError() << name << " value must be smaller than " << what << " rank";
  }
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i - 1] >= dims[i])
      return op.emitOpError() << name << " values must be strictly increasing";
  return success();
}

/// The batch dims of the indices, then the dims of `whole` with size 1 where the indices say, or
/// without them.
RankedTensorType slicesType(RankedTensorType whole, RankedTensorType indices,
                            std::span<const int64_t> dims, bool reduced) {
  std::vector<int64_t> shape(indices.shape().begin(), indices.shape().end() - 1);
  for (size_t i = 0; i < whole.shape().size(); ++i) {
    bool indexed = std::find(dims.begin(), dims.end(), static_cast<int64_t>(i)) != dims.end();
    if (!indexed) shape.push_back(whole.dim(i));
    if (indexed && !reduced) shape.push_back(1);
  }
  return RankedTensorType::get(whole.context(), shape, whole.elementType());
}

/// What gather and scatter have in common: `part` holds slices of `whole`.
LogicalResult verifyIndexedSlices(Operation& op, std::string_view name, Value whole, Value part,
                                  Value indices, std::string_view wholeName,
                                  std::string_view partName) {
  RankedTensorType wholeType = tensorOf(whole), partType = tensorOf(part);
  if (failed(verifyGatherDims(op, name, wholeType.rank(), wholeName))) return failure();
  if (tensorOf(indices).rank() == 0)
    return op.emitOpError() << "expected indices of at least one dimension";
  std::span<const int64_t> dims = op.attrOf<DenseArrayAttr>(name).values();
  RankedTensorType full = slicesType(wholeType, tensorOf(indices), dims, false);
  RankedTensorType reduced = slicesType(wholeType, tensorOf(indices), dims, true);
  if (partType != full && partType != reduced)
    return op.emitOpError() << partName << " type mismatch: expected " << full
                            << " or its rank-reduced variant " << reduced << " (got: " << partType
                            << ")";
  return success();
}

}  // namespace

LogicalResult verifyGather(Operation& op) {
  return verifyIndexedSlices(op, "gather_dims", op.operand(0), op.result(), op.operand(1), "source",
                             "result");
}

LogicalResult verifyScatter(Operation& op) {
  if (failed(verifyIndexedSlices(op, "scatter_dims", op.operand(1), op.operand(0), op.operand(2),
                                 "dest", "source")))
    return failure();
  if (!op.hasAttr("unique")) return op.emitOpError() << "requires 'unique' attribute to be set";
  return success();
}

}  // namespace airlite::tensor
