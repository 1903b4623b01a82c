// Canonical forms of the linalg ops: what computes nothing goes away. What is done to memrefs is
// kept unless the memory stays as it was.
#include <algorithm>

#include "LinalgInternal.hpp"

namespace airlite::linalg {

/// An op on a buffer or tensor without elements does nothing. Tensors give their outputs back.
LogicalResult eraseEmpty(Operation& op, Rewriter& rewriter) {
  auto isEmpty = [](Value value) {
    auto type = value.type().dynCast<MemRefType>();
    std::span<const int64_t> shape = type ? type.shape() : std::span<const int64_t>();
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
  };
  OperandRange operands = op.operands();
  if (op.numResults() || std::none_of(operands.begin(), operands.end(), isEmpty)) return failure();
  rewriter.eraseOp(op);
  return success();
}

namespace {

/// The operands that the op hands on unchanged, one per output; empty when it computes something.
std::vector<Value> forwardedOperands(StructuredOp op) {
  if (!op.op()->region().hasOneBlock() || op.body().numOps() != 1) return {};
  std::vector<AffineMap> maps = op.indexingMaps();
  auto isIdentity = [](AffineMap map) { return map.isIdentity(); };
  if (!std::all_of(maps.begin(), maps.end(), isIdentity)) return {};
  std::vector<Value> forwarded;
  for (Value value : op.body().back().operands()) {
    if (value.argumentBlock() != &op.body()) return {};
    forwarded.push_back(op->operand(value.index()));
  }
  return forwarded;
}

}  // namespace

/// A generic that writes back what stands there, or that gives an input tensor as it is.
LogicalResult eraseIdentityGeneric(Operation& op, Rewriter& rewriter) {
  StructuredOp generic(&op);
  std::vector<Value> forwarded = forwardedOperands(generic);
  if (forwarded.empty()) return failure();
  if (generic.onBuffers()) {
    for (unsigned i = 0; i < forwarded.size(); ++i)
      if (forwarded[i] != generic.outputs()[i]) return failure();
    rewriter.eraseOp(op);
    return success();
  }
  if (!generic.onTensors() || forwarded.size() != op.numResults()) return failure();
  for (unsigned i = 0; i < forwarded.size(); ++i)
    if (forwarded[i].type() != op.result(i).type()) return failure();
  rewriter.replaceOp(op, forwarded);
  return success();
}

LogicalResult eraseSelfCopy(Operation& op, Rewriter& rewriter) {
  if (op.operand(0) != op.operand(1)) return failure();
  if (op.numResults())
    rewriter.replaceOp(op, op.operand(0));
  else
    rewriter.eraseOp(op);
  return success();
}

/// fill(x, fill(x, t)) on tensors, and a fill that comes right after the same fill of a buffer.
LogicalResult eraseRepeatedFill(Operation& op, Rewriter& rewriter) {
  if (op.numOperands() != 2) return failure();
  if (op.numResults()) {
    Operation* before = op.operand(1).definingOp();
    if (!before || !before->is("linalg.fill") || before->operand(0) != op.operand(0))
      return failure();
    rewriter.replaceOp(op, op.operand(1));
    return success();
  }
  Operation* before = op.prev();
  if (!before || !before->is("linalg.fill") || before->operands().vec() != op.operands().vec())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

/// A transpose of tensors that keeps the order gives its input.
LogicalResult foldTransposes(Operation& op, Rewriter& rewriter) {
  auto permutation = op.attrOf<DenseArrayAttr>("permutation");
  if (!permutation || !op.numResults() || op.operand(0).type() != op.result().type())
    return failure();
  for (size_t i = 0; i < permutation.size(); ++i)
    if (permutation.values()[i] != static_cast<int64_t>(i)) return failure();
  rewriter.replaceOp(op, op.operand(0));
  return success();
}

}  // namespace airlite::linalg
