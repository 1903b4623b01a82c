// transform.air.convert_size1_vector_to_scalar: vectors of one element become scalars.
//
// Matches elementwise ops of arith and math, reads and writes of memory inside its bounds, and
// broadcasts, on vectors of one element of any rank. Each computes the scalar; a vector.broadcast
// makes a vector of it for what still needs one, a vector.extract takes it out of arguments and of
// values that loops carry, whose types stay.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/pass/GreedyRewriter.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool hasOneElement(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.numElements() == 1;
}

Value scalarOf(Rewriter& rewriter, Location location, Value value) {
  auto type = value.type().dynCast<VectorType>();
  if (!type) return value;
  const std::vector<int64_t> first(type.shape().size(), 0);
  return vector::ExtractOp::create(rewriter, location, value, first).result();
}

void replaceByVectorOf(Rewriter& rewriter, Operation& op, Value scalar) {
  Operation* vector =
      rewriter.create(op.location(), "vector.broadcast", {scalar}, {op.result().type()});
  rewriter.replaceOp(op, vector->result());
}

LogicalResult computeScalar(Operation& op, Rewriter& rewriter) {
  const bool isMath = op.def().dialect == "arith" || op.def().dialect == "math";
  const bool isElementwise = isMath && vector::isElementwise(op);
  if (!isElementwise || op.numResults() != 1 || op.numOperands() == 0) return failure();
  if (!hasOneElement(op.result().type())) return failure();
  rewriter.setBefore(op);
  OperationState state(op.location(), op.def());
  for (Value operand : op.operands())
    state.operands.push_back(scalarOf(rewriter, op.location(), operand));
  state.resultTypes = {elementTypeOrSelf(op.result().type())};
  state.attributes = op.attributes();
  replaceByVectorOf(rewriter, op, rewriter.create(state)->result());
  return success();
}

/// The memory holds elements of the vector, not vectors.
bool holdsElements(Value memory, Type vector) {
  auto type = memory.type().dynCast<MemRefType>();
  return type && type.elementType() == elementTypeOrSelf(vector);
}

/// A transfer of one element that is in its memory.
bool movesOneElement(vector::TransferOp transfer) {
  return hasOneElement(transfer.vectorType()) && !transfer.mask() && transfer.isAllInBounds() &&
         holdsElements(transfer.source(), transfer.vectorType());
}

bool accessesOneElement(Value memory, Type vector) {
  return hasOneElement(vector) && holdsElements(memory, vector);
}

LogicalResult readScalar(Operation& op, Rewriter& rewriter) {
  const bool isOne = op.is("vector.load") ? accessesOneElement(op.operand(0), op.result().type())
                                          : movesOneElement(vector::TransferOp(&op));
  if (!isOne) return failure();
  rewriter.setBefore(op);
  const std::vector<Value> indices = op.operandGroup("indices").vec();
  const Value scalar =
      memref::LoadOp::create(rewriter, op.location(), op.operand(0), indices).result();
  replaceByVectorOf(rewriter, op, scalar);
  return success();
}

LogicalResult writeScalar(Operation& op, Rewriter& rewriter) {
  const bool isOne = op.is("vector.store") ? accessesOneElement(op.operand(1), op.operand(0).type())
                                           : movesOneElement(vector::TransferOp(&op));
  if (!isOne) return failure();
  if (op.numResults() > 0) return failure();  // of a tensor
  rewriter.setBefore(op);
  const std::vector<Value> indices = op.operandGroup("indices").vec();
  const Value scalar = scalarOf(rewriter, op.location(), op.operand(0));
  memref::StoreOp::create(rewriter, op.location(), scalar, op.operand(1), indices);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult broadcastScalar(Operation& op, Rewriter& rewriter) {
  if (!hasOneElement(op.operand(0).type())) return failure();
  rewriter.setBefore(op);
  replaceByVectorOf(rewriter, op, scalarOf(rewriter, op.location(), op.operand(0)));
  return success();
}

/// The scalar that a vector was made of.
LogicalResult takeBroadcast(Operation& op, Rewriter& rewriter) {
  Operation* broadcast = op.operand(0).definingOp();
  if (!broadcast || !broadcast->is("vector.broadcast")) return failure();
  const Value scalar = broadcast->operand(0);
  if (scalar.type() != op.result().type()) return failure();
  rewriter.replaceOp(op, scalar);
  return success();
}

}  // namespace

void oneElementVectorsToScalars(Operation& root, std::unordered_set<Operation*>& erased) {
  static const RootedPattern kPatterns[] = {
      {"", {"compute-scalar", computeScalar}},
      {"vector.transfer_read", {"read-scalar", readScalar}},
      {"vector.load", {"read-scalar", readScalar}},
      {"vector.transfer_write", {"write-scalar", writeScalar}},
      {"vector.store", {"write-scalar", writeScalar}},
      {"vector.broadcast", {"broadcast-scalar", broadcastScalar}},
      {"vector.extract", {"take-broadcast", takeBroadcast}},
  };
  root.walk([&](Operation& op) {
    if (&op != &root) erased.insert(&op);  // any of them may be folded or replaced
  });
  applyPatterns(root, kPatterns);
}

}  // namespace airlite
