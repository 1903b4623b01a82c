// Tensors that a loop carries under a type that forgets their sizes.
#include "RegionRewrites.hpp"
#include "ScfInternal.hpp"
#include "TensorInternal.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite::scf {

namespace {

/// Ops looked at for one loop before it is left as it is, so that the time per op does not grow
/// with the program.
constexpr unsigned kBudget = 256;

/// The tensor that `value` is after something was written into it, or under another type; null
/// when it is neither.
Value sameShapeBefore(Value value) {
  Operation* op = value.definingOp();
  if (!op) return Value();
  linalg::StructuredOp structured = linalg::asStructured(op);
  if (structured && op->numResults() == structured.numOutputs())
    return structured.outputs()[value.index()];
  if (op->is("tensor.cast")) return op->operand(0);
  bool writes =
      op->is("tensor.insert") || op->is("tensor.insert_slice") || op->is("vector.transfer_write");
  return writes ? op->operand(1) : Value();
}

/// Each run of the loop gives argument `i` to the next one with the shape that it has.
bool keepsShape(ForOp loop, unsigned i, unsigned& budget) {
  Value value = loop.yielded(i);
  while (value && value != loop.regionIterArg(i)) {
    if (budget == 0) return false;
    --budget;
    ForOp inner = dynCast<ForOp>(value.definingOp());
    if (inner && !keepsShape(inner, value.index(), budget)) return false;
    value = inner ? inner.initArgs()[value.index()] : sameShapeBefore(value);
  }
  return bool(value);
}

/// Argument `i` is a `type` at every run.
bool isAlways(ForOp loop, unsigned i, Type type) {
  unsigned budget = kBudget;
  Value known = tensor::forgottenSource(loop.yielded(i));
  return (known && known.type() == type) || keepsShape(loop, i, budget);
}

/// Makes argument `i` a `type` at both ends of the body, which continues with what it had.
void retypeArgument(ForOp loop, unsigned i, Type type, Rewriter& rewriter) {
  Value argument = loop.regionIterArg(i);
  Type before = argument.type();
  std::vector<OpOperand*> uses;
  for (OpOperand& use : argument.uses())
    uses.push_back(&use);
  argument.setType(type);
  rewriter.setBefore(loop.body().front());
  Value inside = tensor::CastOp::create(rewriter, loop->location(), argument, before).result();
  for (OpOperand* use : uses)
    rewriter.modify(*use->owner(), [&] { use->set(inside); });
  Operation& yield = loop.body().back();
  rewriter.setBefore(yield);
  Value yielded =
      tensor::CastOp::create(rewriter, loop->location(), yield.operand(i), type).result();
  rewriter.modify(yield, [&] { yield.setOperand(i, yielded); });
}

}  // namespace

/// A loop carries the tensor that was cast on its way in, where it keeps its shape.
LogicalResult forTensorCasts(Operation& op, Rewriter& rewriter) {
  ForOp loop(&op);
  std::vector<Value> operands = op.operands().vec();
  std::vector<Type> types = op.resultTypes();
  for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
    Value source = tensor::forgottenSource(loop.initArgs()[i]);
    if (!source || !isAlways(loop, i, source.type())) continue;
    operands[3 + i] = source;
    types[i] = source.type();
  }
  if (types == op.resultTypes()) return failure();
  ForOp other(recreate(rewriter, op, operands, types));
  std::vector<Value> results;
  for (unsigned i = 0; i < types.size(); ++i) {
    results.push_back(other->result(i));
    if (types[i] == op.result(i).type()) continue;
    retypeArgument(other, i, types[i], rewriter);
    rewriter.setBefore(op);
    results[i] =
        tensor::CastOp::create(rewriter, op.location(), results[i], op.result(i).type()).result();
  }
  rewriter.replaceOp(op, results);
  return success();
}

}  // namespace airlite::scf
