// transform.air.fuse_truncf_linalg: an op on tensors computes the narrow floats itself that a linalg
// op makes of its result.
//
// Matches a linalg op that does nothing but arith.truncf, element by element, and the op before it.
// Elements that are computed alone are truncated in its body: the numbers stay the same. A named op
// that adds to its output (linalg.matmul) gets an output of the narrow type, so that each sum is
// rounded to it: results differ, which the script that asks for this accepts. What filled the wide
// output fills the narrow one.
//
// Declines, with an error: ops that do not fit each other, a linalg.generic that reads its output, an
// output that is neither filled nor empty, an output of unknown size.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Tensor.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::StructuredOp;

/// One input, one output, both in the order of the loops, and an arith.truncf between them.
bool isTruncation(StructuredOp op) {
  if (!op || !op.onTensors() || op.numInputs() != 1 || op->numResults() != 1) return false;
  const auto maps = op.indexingMaps();
  if (!std::ranges::all_of(maps, [](AffineMap map) { return map.isIdentity(); })) return false;
  if (op.body().numOps() != 2) return false;
  Operation& cast = op.body().front();
  return cast.is("arith.truncf") && cast.operand(0) == op.bodyArgument(0) &&
         op.body().back().operand(0) == cast.result();
}

Value emptyTensor(Builder& builder, Location location, RankedTensorType like, Type element) {
  const std::vector<memref::MixedIndex> sizes(like.shape().begin(), like.shape().end());
  return tensor::EmptyOp::create(builder, location, sizes, element)->result();
}

/// What the narrow op begins with; null when that is not known.
Value narrowOutput(Builder& builder, StructuredOp producer, Type element) {
  const Value before = producer.outputs()[0];
  auto type = before.type().cast<RankedTensorType>();
  const Location location = producer->location();
  Operation* fill = before.definingOp();
  const bool isEmpty = !producer.readsOutput(0) || (fill && fill->is("tensor.empty"));
  if (isEmpty) return emptyTensor(builder, location, type, element);
  if (!fill || !fill->is("linalg.fill") || !StructuredOp(fill).onTensors()) return {};
  const Value output = emptyTensor(builder, location, type, element);
  const Value number =
      builder.create(location, "arith.truncf", {fill->operand(0)}, {element})->result();
  return linalg::createNamedOp(builder, location, "linalg.fill", std::span(&number, 1),
                               std::span(&output, 1))
      ->result();
}

/// The op with the truncation in its body.
StructuredOp truncateInBody(Builder& builder, StructuredOp producer, Value output) {
  StructuredOp made =
      linalg::createGeneric(builder, producer->location(), producer.inputs().vec(),
                            std::span(&output, 1), producer.indexingMaps(), producer.iterators());
  IRMapping mapping;
  for (unsigned i = 0; i < producer->numOperands(); ++i)
    if (Value element = producer.bodyArgument(i)) mapping.map(element, made.body().argument(i));
  Builder inner = Builder::atEnd(made.body());
  for (Operation& op : producer.body().ops())
    if (!op.hasTrait(Trait::Terminator)) inner.clone(op, mapping);
  const Value wide = mapping.lookupOr(producer.body().back().operand(0));
  const Location location = producer->location();
  const Type element = elementTypeOrSelf(output.type());
  const Value narrow = inner.create(location, "arith.truncf", {wide}, {element})->result();
  inner.create(location, "linalg.yield", {narrow}, {});
  return made;
}

std::string_view obstacleTo(StructuredOp truncation, StructuredOp producer) {
  if (!isTruncation(truncation)) return "it is not an arith.truncf of a whole tensor";
  if (!producer || !producer.onTensors() || producer->numResults() != 1)
    return "what it truncates is no linalg op with one result";
  if (truncation->operand(0) != producer->result()) return "it does not truncate that op";
  auto type = producer->result().type().dynCast<RankedTensorType>();
  if (!type || std::ranges::find(type.shape(), kDynamic) != type.shape().end())
    return "the size of the output is not known";
  if (producer.readsOutput(0) && producer->is("linalg.generic"))
    return "a linalg.generic that reads its output would be another one with a narrow output";
  if (producer.readsOutput(0) && !linalg::findNamedOp(producer->name()))
    return "the op reads its output, and has none of another type";
  return {};
}

}  // namespace

Operation* fuseTruncation(Operation& op, Operation& wide) {
  StructuredOp truncation = linalg::asStructured(&op), producer = linalg::asStructured(&wide);
  std::string_view why = obstacleTo(truncation, producer);
  Operation* made = nullptr;
  if (why.empty()) {
    Builder builder = Builder::before(op);
    const Type element = elementTypeOrSelf(op.result().type());
    const Value output = narrowOutput(builder, producer, element);
    if (!output)
      why = "the op adds to an output that is neither filled nor empty";
    else if (producer.readsOutput(0))
      made = linalg::createNamedOp(builder, wide.location(), wide.name(), producer.inputs().vec(),
                                   std::span(&output, 1));
    else
      made = truncateInBody(builder, producer, output).op();
  }
  if (!made) {
    op.emitOpError() << "cannot be fused: " << why;
    return nullptr;
  }
  op.result().replaceAllUsesWith(made->result());
  op.erase();
  if (!wide.hasResultUses()) wide.erase();
  return made;
}

}  // namespace airlite
