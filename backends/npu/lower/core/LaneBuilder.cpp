#include "LaneBuilder.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"

#include <numeric>

namespace airlite::npu {

LaneShape laneShapeOf(Value value) {
  auto type = value.type().dynCast<VectorType>();
  if (!type) return {};
  return {type.shape().begin(), type.shape().end()};
}

Value LaneBuilder::make(std::string_view name, std::vector<Value> operands, Type type) {
  return rewriter_.create(location_, name, operands, std::span<const Type>(&type, 1))->result();
}

Value LaneBuilder::add(Value a, Value b) {
  if (constantIntOf(a) == 0) return b;
  return constantIntOf(b) == 0 ? a : make("arith.addi", {a, b}, a.type());
}

Value LaneBuilder::scaled(Value index, int64_t factor, int64_t offset) {
  if (auto known = constantIntOf(index)) return number(*known * factor + offset);
  if (factor != 1) index = make("arith.muli", {index, number(factor)}, index.type());
  return offset ? add(index, number(offset)) : index;
}

Value LaneBuilder::less(Value index, Value size, bool isUnsigned) {
  auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Attribute attr = rewriter_.i64Attr(static_cast<int64_t>(predicate));
  return rewriter_
      .create(location_, "arith.cmpi", {index, size}, {rewriter_.intType(1)},
              {rewriter_.named("predicate", attr)})
      ->result();
}

Value LaneBuilder::both(Value a, Value b) {
  if (!a || !b) return a ? a : b;
  return make("arith.andi", {a, b}, a.type());
}

Value LaneBuilder::indexOfLane(Value lane) {
  return lane.type().isIndex() ? lane : make("arith.index_cast", {lane}, rewriter_.indexType());
}

/// The verifier has seen that the kind fits the elements.
Value LaneBuilder::combine(std::string_view kind, Value a, Value b) {
  return make(vector::combiningOp(kind, a.type().isFloat()), {a, b}, a.type());
}

Value LaneBuilder::widened(Value value, Type type) {
  if (value.type() == type) return value;
  return make(type.isFloat() ? "arith.extf" : "arith.extsi", {value}, type);
}

Value LaneBuilder::choose(Value condition, Type type, const std::function<Value()>& yes,
                          const std::function<Value()>& no) {
  if (!condition) return yes();
  scf::IfOp conditional = scf::IfOp::create(rewriter_, location_, std::span(&type, 1), condition);
  for (bool isYes : {true, false}) {
    rewriter_.setToEnd(isYes ? conditional.thenBlock() : conditional.elseBlock());
    Value value = isYes ? yes() : no();
    scf::YieldOp::create(rewriter_, location_, std::span(&value, 1));
  }
  rewriter_.setAfter(*conditional);
  return conditional->result();
}

void LaneBuilder::when(Value condition, const std::function<void()>& body) {
  if (!condition) return body();
  scf::IfOp conditional = scf::IfOp::create(rewriter_, location_, {}, condition);
  rewriter_.setBefore(*conditional.thenYield());
  body();
  rewriter_.setAfter(*conditional);
}

Value LaneBuilder::linearOf(const LanePosition& at, const LaneShape& shape) {
  if (at.linear) return at.linear;
  Value linear;
  for (size_t d = 0; d < at.index.size(); ++d)
    linear = linear ? add(scaled(linear, shape[d]), at.index[d]) : at.index[d];
  return linear ? linear : number(0);
}

std::vector<Value> LaneBuilder::indexOf(const LanePosition& at, const LaneShape& shape) {
  if (!at.linear) return at.index;
  std::vector<Value> index(shape.size());
  Value rest = at.linear;
  for (size_t d = shape.size(); d-- > 0;) {
    auto known = constantIntOf(rest);
    bool isOuter = d == 0;
    if (isOuter)
      index[d] = rest;
    else if (known)
      index[d] = number(*known % shape[d]), rest = number(*known / shape[d]);
    else {
      Value size = number(shape[d]);
      index[d] = make("arith.remui", {rest, size}, rest.type());
      rest = make("arith.divui", {rest, size}, rest.type());
    }
  }
  return index;
}

void LaneBuilder::forEach(const LaneShape& shape, const Body& body) {
  auto point = rewriter_.insertPoint();
  LanePosition at;
  for (int64_t size : shape) {
    if (size == 1) {
      at.index.push_back(number(0));
      continue;
    }
    scf::ForOp loop = scf::ForOp::create(rewriter_, location_, number(0), number(size), number(1));
    at.index.push_back(loop.inductionVar());
    rewriter_.setBefore(*loop.yield());
  }
  body(at);
  rewriter_.setInsertPoint(point);
}

void LaneBuilder::forEachLinear(const LaneShape& shape, const Body& body) {
  const int64_t lanes =
      std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  forEach({lanes}, [&](const LanePosition& at) { body({{}, at.index[0]}); });
}

Value LaneBuilder::reduceFrom(const LaneShape& shape, LanePosition& at, Value value,
                              const Fold& fold, int64_t first) {
  size_t d = at.index.size();
  if (d == shape.size()) return fold(at, value);
  if (shape[d] <= first) return value;
  scf::ForOp loop = scf::ForOp::create(rewriter_, location_, number(first), number(shape[d]),
                                       number(1), std::span(&value, 1));
  rewriter_.setToEnd(loop.body());
  at.index.push_back(loop.inductionVar());
  Value next = reduceFrom(shape, at, loop.regionIterArg(0), fold, 0);
  at.index.pop_back();
  scf::YieldOp::create(rewriter_, location_, std::span(&next, 1));
  rewriter_.setAfter(*loop);
  return loop->result();
}

Value LaneBuilder::reduce(const LaneShape& shape, Value value, const Fold& fold, int64_t first) {
  LanePosition at;
  return reduceFrom(shape, at, value, fold, first);
}

Value LaneBuilder::loadElement(Value memory, const std::vector<Value>& indices) {
  std::vector<Value> operands{memory};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return make("memref.load", operands, memory.type().cast<MemRefType>().elementType());
}

void LaneBuilder::storeElement(Value value, Value memory, const std::vector<Value>& indices) {
  std::vector<Value> operands{value, memory};
  operands.insert(operands.end(), indices.begin(), indices.end());
  rewriter_.create(location_, "memref.store", operands, std::span<const Type>());
}

Value LaneBuilder::sizeOf(Value memory, unsigned dim) {
  auto type = memory.type().cast<MemRefType>();
  if (!type.isDynamicDim(dim)) return number(type.dim(dim));
  return make("memref.dim", {memory, number(dim)}, rewriter_.indexType());
}

}  // namespace airlite::npu
