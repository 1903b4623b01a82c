#include "StructuredTensors.hpp"

#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Tensor.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace airlite::tiling {

namespace {

/// A tensor of more elements would be a long chain of choices.
constexpr int64_t kMostElements = 16;

RankedTensorType typeOf(Operation& op) { return op.result().type().dynCast<RankedTensorType>(); }

Value emptyLike(Builder& builder, Operation& op, std::span<const Value> sizes) {
  const Type type = op.result().type();
  return builder.create(op.location(), "tensor.empty", sizes, std::span(&type, 1))->result();
}

void replace(Operation& op, Value with) {
  op.result().replaceAllUsesWith(with);
  op.erase();
}

void fillWith(Operation& op, Value number, std::span<const Value> sizes) {
  Builder builder = Builder::before(op);
  const Value empty = emptyLike(builder, op, sizes);
  replace(op, linalg::createNamedOp(builder, op.location(), "linalg.fill", std::span(&number, 1),
                                    std::span(&empty, 1))
                  ->result());
}

/// A linalg.generic without inputs that has the shape of the result of `op`.
linalg::StructuredOp genericLike(Operation& op, std::span<const Value> sizes) {
  Builder builder = Builder::before(op);
  const Value empty = emptyLike(builder, op, sizes);
  const auto rank = static_cast<unsigned>(typeOf(op).rank());
  const AffineMap maps[] = {AffineMap::identity(op.context(), rank)};
  const std::vector<linalg::IteratorKind> kinds(rank, linalg::IteratorKind::Parallel);
  return linalg::createGeneric(builder, op.location(), {}, std::span(&empty, 1), maps, kinds);
}

Value indexOf(Builder& body, Location location, size_t dim) {
  return body
      .create(location, "linalg.index", {}, {body.indexType()},
              {body.named("dim", body.i64Attr(static_cast<int64_t>(dim)))})
      ->result();
}

void generate(Operation& op) {
  linalg::StructuredOp made = genericLike(op, op.operands().vec());
  Builder body = Builder::atEnd(made.body());
  Block& from = op.region().front();
  IRMapping mapping;
  for (unsigned i = 0; i < from.numArguments(); ++i)
    mapping.map(from.argument(i), indexOf(body, op.location(), i));
  for (Operation& inner : from.ops())
    if (&inner != &from.back()) body.clone(inner, mapping);
  body.create(op.location(), "linalg.yield", {mapping.lookupOr(from.back().operand(0))}, {});
  replace(op, made->result());
}

/// Each element is chosen by its number.
void choose(Operation& op) {
  linalg::StructuredOp made = genericLike(op, {});
  const Location location = op.location();
  Builder body = Builder::atEnd(made.body());
  const auto shape = typeOf(op).shape();
  Value number = body.constantIndex(location, 0);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const Value size = body.constantIndex(location, shape[dim]), at = indexOf(body, location, dim);
    number = body.create(location, "arith.muli", {number, size}, {body.indexType()})->result();
    number = body.create(location, "arith.addi", {number, at}, {body.indexType()})->result();
  }
  Value element = op.operand(op.numOperands() - 1);
  for (unsigned i = op.numOperands() - 1; i-- > 0;) {
    const Value isIt =
        body.create(location, "arith.cmpi", {number, body.constantIndex(location, i)},
                    {body.intType(1)}, {body.named("predicate", body.i64Attr(0))})
            ->result();
    element =
        body.create(location, "arith.select", {isIt, op.operand(i), element}, {element.type()})
            ->result();
  }
  body.create(location, "linalg.yield", {element}, {});
  replace(op, made->result());
}

bool isKnownGather(Operation& op) {
  const auto positions = op.operand(1).type().dynCast<RankedTensorType>(), to = typeOf(op);
  return positions && to && positions.hasStaticShape() && to.hasStaticShape();
}

/// The first dimensions of the result are those of the positions, the others those of a slice of the source. A dimension
/// that the positions speak of has one element there or none.
void gather(Operation& op) {
  const Value source = op.operand(0), positions = op.operand(1);
  const auto picked = op.attrOf<DenseArrayAttr>("gather_dims").values();
  const int64_t rank = source.type().cast<RankedTensorType>().rank(),
                batch = positions.type().cast<RankedTensorType>().rank() - 1;
  const bool keepsDims = typeOf(op).rank() == batch + rank;
  linalg::StructuredOp made = genericLike(op, {});
  const Location location = op.location();
  Builder body = Builder::atEnd(made.body());
  const auto extract = [&](const std::vector<Value>& operands) {
    const Type type = elementTypeOrSelf(operands[0].type());
    return body.create(location, "tensor.extract", operands, std::span(&type, 1))->result();
  };
  const auto positionIn = [&](size_t number) {
    std::vector<Value> operands = {positions};
    for (int64_t dim = 0; dim < batch; ++dim)
      operands.push_back(indexOf(body, location, static_cast<size_t>(dim)));
    operands.push_back(body.constantIndex(location, static_cast<int64_t>(number)));
    const Value position = extract(operands);
    if (position.type().isa<IndexType>()) return position;
    return body.create(location, "arith.index_cast", {position}, {body.indexType()})->result();
  };
  std::vector<Value> element = {source};
  auto next = static_cast<size_t>(batch);
  for (int64_t dim = 0; dim < rank; ++dim) {
    const auto at = std::ranges::find(picked, dim);
    const bool isPicked = at != picked.end();
    element.push_back(isPicked ? positionIn(static_cast<size_t>(at - picked.begin()))
                               : indexOf(body, location, next));
    next += !isPicked || keepsDims;
  }
  body.create(location, "linalg.yield", {extract(element)}, {});
  replace(op, made->result());
}

/// One group of all dimensions.
NamedAttribute oneGroup(Builder& builder, int64_t rank) {
  std::vector<Attribute> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    dims.push_back(builder.i64Attr(dim));
  Context& context = builder.context();
  const Attribute group = ArrayAttr::get(context, dims);
  return builder.named("reassociation", ArrayAttr::get(context, std::vector{group}));
}

void reshape(Operation& op) {
  Builder builder = Builder::before(op);
  const auto from = op.operand(0).type().cast<RankedTensorType>(), to = typeOf(op);
  Value value = op.operand(0);
  const int64_t count[] = {from.numElements()};
  const Type line = RankedTensorType::get(op.context(), count, from.elementType());
  if (from.rank() > 1)
    value = builder
                .create(op.location(), "tensor.collapse_shape", {value}, {line},
                        {oneGroup(builder, from.rank())})
                ->result();
  if (to.rank() > 1)
    value = builder
                .create(op.location(), "tensor.expand_shape", {value}, {Type(to)},
                        {oneGroup(builder, to.rank()),
                         builder.named("static_output_shape",
                                       DenseArrayAttr::getI64(op.context(), to.shape()))})
                ->result();
  replace(op, value);
}

bool isKnownReshape(Operation& op) {
  const auto from = op.operand(0).type().dynCast<RankedTensorType>(), to = typeOf(op);
  return from && to && from.hasStaticShape() && to.hasStaticShape() && from.rank() > 0 &&
         to.rank() > 0;
}

bool structure(Operation& op) {
  if (op.is("tensor.splat")) {
    const std::vector<Value> operands = op.operands().vec();
    fillWith(op, operands[0], std::span(operands).subspan(1));
  } else if (op.is("tensor.from_elements") && op.numOperands() == 1) {
    fillWith(op, op.operand(0), {});
  } else if (op.is("tensor.from_elements") && op.numOperands() > 1 &&
             op.numOperands() <= kMostElements) {
    choose(op);
  } else if (op.is("tensor.generate")) {
    generate(op);
  } else if (op.is("tensor.gather") && isKnownGather(op)) {
    gather(op);
  } else if (op.is("tensor.reshape") && isKnownReshape(op)) {
    reshape(op);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool structureTensors(func::FuncOp function) {
  std::vector<Operation*> ops;
  function->walk([&](Operation& op) {
    if (op.def().dialect == "tensor") ops.push_back(&op);
  });
  bool changed = false;
  for (Operation* op : ops)
    changed |= structure(*op);
  return changed;
}

}  // namespace airlite::tiling
