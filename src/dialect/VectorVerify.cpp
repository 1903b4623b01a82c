// Verifiers of the vector ops that access memory.
#include "VectorInternal.hpp"

#include <algorithm>

namespace airlite::vector {

namespace {

LogicalResult verifyUnitStride(Operation& op, MemRefType type) {
  std::optional<StridedForm> form = type.stridedForm();
  bool unit = form && (form->strides.empty() || form->strides.back() == 1);
  return unit ? success() : op.emitOpError() << "most minor memref dim must have unit stride";
}

/// A memref of vectors holds the vector itself; one of scalars its elements.
LogicalResult verifyElements(Operation& op, MemRefType base, VectorType vector,
                             std::string_view message) {
  if (base.elementType().isa<VectorType>())
    return base.elementType() == vector
               ? success()
               : op.emitOpError() << "base memref and the vector must have the same vector type";
  if (base.elementType() == vector.elementType()) return success();
  return op.emitOpError() << message;
}

LogicalResult verifyIndexCount(Operation& op, size_t found, int64_t rank) {
  if (static_cast<int64_t>(found) == rank) return success();
  return op.emitOpError() << "requires " << rank << " indices";
}

}  // namespace

/// A power of two, as machines have.
static LogicalResult verifyAlignment(Operation& op) {
  const auto alignment = op.attrOf<IntegerAttr>("alignment");
  const int64_t bytes = alignment ? alignment.value() : 1;
  if (bytes > 0 && (bytes & (bytes - 1)) == 0) return success();
  return op.emitOpError() << "expected the alignment to be a power of two, found " << bytes;
}

LogicalResult verifyLoad(Operation& op) {
  LoadOp load(&op);
  return failure(failed(verifyAlignment(op)) || failed(verifyUnitStride(op, load.baseType())) ||
                 failed(verifyElements(op, load.baseType(), load.vectorType(),
                                       "base and result element types should match")) ||
                 failed(verifyIndexCount(op, load.indices().size(), load.baseType().rank())));
}

LogicalResult verifyStore(Operation& op) {
  StoreOp store(&op);
  return failure(failed(verifyAlignment(op)) || failed(verifyUnitStride(op, store.baseType())) ||
                 failed(verifyElements(op, store.baseType(), store.vectorType(),
                                       "base and valueToStore element type should match")) ||
                 failed(verifyIndexCount(op, store.indices().size(), store.baseType().rank())));
}

LogicalResult verifyMaskedAccess(Operation& op) {
  auto base = op.operand(0).type().cast<MemRefType>();
  unsigned last = op.numOperands() - 1;
  auto mask = op.operand(last - 1).type().cast<VectorType>();
  auto value = op.operand(last).type().cast<VectorType>();
  bool isLoad = op.numResults() != 0;
  if (base.elementType() != value.elementType())
    return op.emitOpError() << "base and " << (isLoad ? "result" : "valueToStore")
                            << " element type should match";
  if (failed(verifyIndexCount(op, op.operandGroup(1u).size(), base.rank()))) return failure();
  if (!std::ranges::equal(mask.shape(), value.shape()))
    return op.emitOpError() << "expected " << (isLoad ? "result" : "valueToStore")
                            << " dim to match mask dim";
  if (isLoad && op.result().type() != value)
    return op.emitOpError() << "expected pass_thru of same type as result type";
  return success();
}

LogicalResult verifyGatherScatter(Operation& op) {
  auto base = op.operand(0).type().cast<ShapedType>();
  auto vectorOf = [&](unsigned fromEnd) {
    return op.operand(op.numOperands() - fromEnd).type().cast<VectorType>();
  };
  VectorType indices = vectorOf(3), mask = vectorOf(2), value = vectorOf(1);
  bool isGather = op.numResults() != 0;
  std::string_view what = isGather ? "result" : "valueToStore";
  if (base.elementType() != value.elementType())
    return op.emitOpError() << "base and " << what << " element type should match";
  if (failed(verifyIndexCount(op, op.operandGroup(1u).size(), base.rank()))) return failure();
  if (!std::ranges::equal(indices.shape(), value.shape()))
    return op.emitOpError() << "expected " << what << " dim to match indices dim";
  if (!std::ranges::equal(mask.shape(), value.shape()))
    return op.emitOpError() << "expected " << what << " dim to match mask dim";
  if (isGather && op.result().type() != value)
    return op.emitOpError() << "expected pass_thru of same type as result type";
  return success();
}

// -- Transfers ----------------------------------------------------------------------------------

namespace {

LogicalResult verifyPermutationMap(Operation& op, AffineMap map, ShapedType shaped,
                                   VectorType vector) {
  if (map.numSymbols()) return op.emitOpError() << "requires permutation_map without symbols";
  if (static_cast<int64_t>(map.numDims()) != shaped.rank())
    return op.emitOpError()
           << "requires a permutation_map with input dims of the same rank as the source type";
  auto element = shaped.elementType().dynCast<VectorType>();
  int64_t covered = vector.rank() - (element ? element.rank() : 0);
  if (static_cast<int64_t>(map.numResults()) != covered)
    return op.emitOpError()
           << "requires a permutation_map with result dims of the same rank as the vector type";
  std::vector<bool> seen(map.numDims(), false);
  for (AffineExpr result : map.results()) {
    if (result.isConstant(0)) continue;
    if (result.kind() != AffineKind::Dim)
      return op.emitOpError() << "requires a projected permutation_map (at most one dim or the "
                              << "zero constant can appear in each result)";
    if (seen[result.position()])
      return op.emitOpError() << "requires a permutation_map that is a permutation (found one dim "
                              << "used more than once)";
    seen[result.position()] = true;
  }
  return success();
}

/// The innermost dims must cover whole elements.
LogicalResult verifyWidths(Operation& op, ShapedType shaped, VectorType vector) {
  Type element = elementTypeOrSelf(shaped.elementType());
  if (!vector.elementType().isIntOrIndexOrFloat() || !element.isIntOrIndexOrFloat())
    return op.emitOpError() << "expected elements that are numbers, found " << element << " and "
                            << vector.elementType();
  int64_t last = vector.shape().empty() ? 1 : vector.shape().back();
  if (vector.elementType() == element ||
      (last * vector.elementType().bitWidth()) % static_cast<int64_t>(element.bitWidth()) == 0)
    return success();
  return op.emitOpError() << "requires the bitwidth of the minor 1-D vector to be an integral "
                          << "multiple of the bitwidth of the source element type";
}

LogicalResult verifyInBounds(Operation& op, TransferOp transfer, AffineMap map) {
  auto flags = op.attrOf<ArrayAttr>("in_bounds");
  if (flags && flags.size() != map.numResults())
    return op.emitOpError() << "expects the in_bounds attr of same rank as permutation_map "
                            << "results: " << Attribute(AffineMapAttr::get(map))
                            << " vs inBounds of size: " << flags.size();
  for (unsigned i = 0; i < map.numResults(); ++i) {
    if (!transfer.isBroadcastDim(i)) continue;
    if (!transfer.isInBounds(i))
      return op.emitOpError() << "requires broadcast dimensions to be in-bounds";
    if (!transfer.isRead()) return op.emitOpError() << "should not have broadcast dimensions";
  }
  return success();
}

LogicalResult verifyMask(Operation& op, TransferOp transfer, AffineMap map) {
  if (!transfer.mask()) return success();
  auto mask = transfer.mask().type().cast<VectorType>();
  auto isDim = [](AffineExpr expr) { return expr.kind() == AffineKind::Dim; };
  auto expected = static_cast<size_t>(std::ranges::count_if(map.results(), isDim));
  if (mask.shape().size() != std::max<size_t>(expected, 1))
    return op.emitOpError() << "inferred mask type and mask operand type don't match: found "
                            << Type(mask);
  return success();
}

}  // namespace

LogicalResult verifyTransfer(Operation& op) {
  TransferOp transfer(&op);
  ShapedType shaped = transfer.shapedType();
  VectorType vector = transfer.vectorType();
  AffineMap map = transfer.permutationMap();
  if (failed(verifyIndexCount(op, transfer.indices().size(), shaped.rank())) ||
      failed(verifyWidths(op, shaped, vector)) ||
      failed(verifyPermutationMap(op, map, shaped, vector)) ||
      failed(verifyInBounds(op, transfer, map)) || failed(verifyMask(op, transfer, map)))
    return failure();
  if (transfer.isRead() && TransferReadOp(&op).padding().type() != shaped.elementType())
    return op.emitOpError() << "requires formal padding and source of the same elemental type";
  bool tensor = shaped.isa<RankedTensorType>();
  if (!transfer.isRead() && op.numResults() != (tensor ? 1u : 0u))
    return op.emitOpError() << (tensor ? "expected one result, the new tensor"
                                       : "expected no result for a memref");
  if (!transfer.isRead() && tensor && op.result().type() != shaped)
    return op.emitOpError() << "expected the result to have the type of the tensor";
  return success();
}

}  // namespace airlite::vector
