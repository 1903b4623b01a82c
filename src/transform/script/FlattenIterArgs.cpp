// transform.air.flatten_for_iter_args: what a loop carries as vectors of several dimensions, it carries
// as vectors of one, with vector.shape_cast where they go in and come out. Vectors of one dimension
// stay.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"

namespace airlite {

namespace {

Value reshaped(Builder& builder, Location where, Value value, Type type) {
  return builder.create(where, "vector.shape_cast", {value}, {type})->result();
}

/// `first`: of the body as it was; `next`: what follows the loop.
void flatten(scf::ForOp loop, unsigned number, VectorType shaped, Operation& first,
             Operation& next) {
  constexpr unsigned kFirstInit = 3;  // after the bounds and the step
  Operation& op = *loop.op();
  const Location where = op.location();
  const int64_t elements[] = {shaped.numElements()};
  const Type flat = VectorType::get(shaped.context(), elements, shaped.elementType());
  Builder builder = Builder::before(op);
  op.setOperand(kFirstInit + number,
                reshaped(builder, where, op.operand(kFirstInit + number), flat));

  Value argument = loop.regionIterArg(number);
  argument.setType(flat);
  builder.setBefore(first);
  const Value inside = reshaped(builder, where, argument, shaped);
  argument.replaceUsesIf(inside,
                         [&](OpOperand& use) { return use.owner() != inside.definingOp(); });

  Operation& yield = *loop.yield().op();
  builder.setBefore(yield);
  yield.setOperand(number, reshaped(builder, where, yield.operand(number), flat));

  Value result = op.result(number);
  result.setType(flat);
  builder.setBefore(next);
  const Value after = reshaped(builder, where, result, shaped);
  result.replaceUsesIf(after, [&](OpOperand& use) { return use.owner() != after.definingOp(); });
}

}  // namespace

void flattenIterArgs(Operation& op) {
  scf::ForOp loop(&op);
  Operation &first = loop.body().front(), &next = *op.next();  // a block ends with a terminator
  for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
    auto vector = op.result(i).type().dynCast<VectorType>();
    if (vector && vector.shape().size() > 1) flatten(loop, i, vector, first, next);
  }
}

}  // namespace airlite
