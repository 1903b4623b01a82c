// Canonical forms of the linalg ops: what computes nothing goes away. What is done to memrefs is
// kept unless the memory stays as it was.
#include "LinalgInternal.hpp"
#include "RegionRewrites.hpp"
#include "TensorInternal.hpp"

#include <algorithm>

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

namespace {

bool isIdentity(std::span<const int64_t> permutation) {
  for (size_t i = 0; i < permutation.size(); ++i)
    if (permutation[i] != static_cast<int64_t>(i)) return false;
  return true;
}

}  // namespace

/// A transpose of tensors that keeps the order gives its input; a transpose of a transpose is one.
LogicalResult foldTransposes(Operation& op, Rewriter& rewriter) {
  auto attr = op.attrOf<DenseArrayAttr>("permutation");
  if (!attr || !op.numResults()) return failure();
  if (isIdentity(attr.values()) && op.operand(0).type() == op.result().type()) {
    rewriter.replaceOp(op, op.operand(0));
    return success();
  }
  Operation* inner = op.operand(0).definingOp();
  if (!inner || !inner->is("linalg.transpose")) return failure();
  std::vector<int64_t> composed;
  auto before = inner->attrOf<DenseArrayAttr>("permutation").values();
  for (int64_t dim : attr.values())
    composed.push_back(before[static_cast<size_t>(dim)]);
  rewriter.modify(op, [&] {
    op.setOperand(0, inner->operand(0));
    op.setAttr("permutation", DenseArrayAttr::getI64(op.context(), composed));
  });
  return success();
}

/// A copy of a filled tensor is filled right away.
LogicalResult foldCopyOfFill(Operation& op, Rewriter& rewriter) {
  Operation* fill = op.numOperands() == 2 ? op.operand(0).definingOp() : nullptr;
  if (!op.numResults() || !fill || !fill->is("linalg.fill") ||
      op.operand(0).type() != op.result().type())
    return failure();
  Value element[] = {fill->operand(0)}, dest[] = {op.operand(1)};
  rewriter.setBefore(op);
  rewriter.replaceOp(op, *createNamedOp(rewriter, op.location(), "linalg.fill", element, dest));
  return success();
}

namespace {

/// The sizes of operands that one loop steps through do not contradict each other.
bool loopSizesAgree(StructuredOp op, std::span<const Value> operands) {
  std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<int64_t> sizes(op.numLoops(), kDynamic);
  for (size_t i = 0; i < operands.size() && i < maps.size(); ++i) {
    auto type = operands[i].type().dynCast<RankedTensorType>();
    for (unsigned r = 0; type && r < maps[i].numResults(); ++r) {
      AffineExpr expr = maps[i].result(r);
      if (expr.kind() != AffineKind::Dim || type.isDynamicDim(r)) continue;
      int64_t& size = sizes[expr.position()];
      if (size != kDynamic && size != type.dim(r)) return false;
      size = type.dim(r);
    }
  }
  return true;
}

}  // namespace

/// Structured ops work on what was cast when that says more about its shape.
LogicalResult foldTensorCasts(Operation& op, Rewriter& rewriter) {
  StructuredOp structured(&op);
  if (op.numResults() != 0 && op.numResults() != structured.numOutputs()) return failure();
  std::vector<Value> operands;
  for (Value value : op.operands()) {
    Value source = tensor::forgottenSource(value);
    operands.push_back(source ? source : value);
  }
  if (operands == op.operands().vec() || !loopSizesAgree(structured, operands)) return failure();
  std::vector<Type> types;
  for (unsigned i = 0; i < op.numResults(); ++i)
    types.push_back(operands[structured.numInputs() + i].type());
  Operation* next = recreate(rewriter, op, operands, types);
  std::vector<Value> results;
  for (unsigned i = 0; i < types.size(); ++i) {
    bool same = types[i] == op.result(i).type();
    results.push_back(
        same ? next->result(i)
             : tensor::CastOp::create(rewriter, op.location(), next->result(i), op.result(i).type())
                   .result());
  }
  rewriter.replaceOp(op, results);
  return success();
}

}  // namespace airlite::linalg
