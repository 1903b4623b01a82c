// Buffers of vectors, positions in them and loops over them, see VectorLanes.hpp.
#include "VectorLanes.hpp"

#include "CoreMemory.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Symbols.hpp"

#include <fmt/format.h>

#include <numeric>

namespace airlite::npu {

namespace {

int64_t productOf(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// An element as memory of a core has it.
Type storedType(Type element) {
  if (element.isInteger(1)) return IntegerType::get(element.context(), 8);
  return element.isIndex() ? IntegerType::get(element.context(), 32) : element;
}

MemRefType bufferType(VectorType type) {
  int64_t size = type.numElements();
  return MemRefType::get(type.context(), std::span(&size, 1), storedType(type.elementType()));
}

/// The elements of a constant as its buffer holds them.
Attribute storedElements(DenseElementsAttr elements, MemRefType type) {
  Type stored = type.elementType();
  std::vector<Attribute> values;
  for (int64_t i = 0; i < type.numElements(); ++i) {
    Attribute value = elements.isSplat() ? elements.splatValue() : elements.element(i);
    auto integer = value.dynCast<IntegerAttr>();
    values.push_back(integer ? IntegerAttr::get(stored, integer.value()) : value);
  }
  int64_t size = type.numElements();
  return DenseElementsAttr::get(RankedTensorType::get(type.context(), std::span(&size, 1), stored),
                                values);
}

/// The memref of a new memref.global of `table`, known in all of `root`.
Value makeGlobal(Operation& root, Operation& table, MemRefType type, Attribute initial,
                 bool isConstant) {
  Context& context = root.context();
  Block& block = table.region().front();
  Builder builder = Builder::atEnd(block);
  if (block.terminator()) builder.setBefore(block.back());
  std::string name;
  for (size_t n = 0; name.empty() || lookupSymbolIn(table, name); ++n)
    name = fmt::format("{}{}", kVectorBuffer, n);
  std::vector<NamedAttribute> attributes = {
      builder.named("sym_name", builder.stringAttr(name)),
      builder.named("sym_visibility", builder.stringAttr("private")),
      builder.named("type", TypeAttr::get(type)), builder.named("initial_value", initial)};
  if (isConstant) attributes.push_back(builder.named("constant", builder.unitAttr()));
  builder.create(root.location(), "memref.global", {}, {}, attributes);
  Builder inside = Builder::atStart(root.region().front());
  NamedAttribute reference = inside.named("name", SymbolRefAttr::get(context, name));
  const Type result[] = {type};
  return inside.create(root.location(), "memref.get_global", {}, result, std::span(&reference, 1))
      ->result();
}

}  // namespace

// -- Small ops ------------------------------------------------------------------------------------

Value VectorLanes::make(std::string_view name, std::vector<Value> operands, Type type) {
  return rewriter_.create(location_, name, operands, std::span<const Type>(&type, 1))->result();
}

Value VectorLanes::add(Value a, Value b) {
  if (constantIntOf(a) == 0) return b;
  return constantIntOf(b) == 0 ? a : make("arith.addi", {a, b}, a.type());
}

Value VectorLanes::scaled(Value index, int64_t factor, int64_t offset) {
  if (auto known = constantIntOf(index)) return number(*known * factor + offset);
  if (factor != 1) index = make("arith.muli", {index, number(factor)}, index.type());
  return offset ? add(index, number(offset)) : index;
}

Value VectorLanes::less(Value index, Value size, bool isUnsigned) {
  auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Attribute attr = rewriter_.i64Attr(static_cast<int64_t>(predicate));
  return rewriter_
      .create(location_, "arith.cmpi", {index, size}, {rewriter_.intType(1)},
              {rewriter_.named("predicate", attr)})
      ->result();
}

Value VectorLanes::both(Value a, Value b) {
  if (!a || !b) return a ? a : b;
  return make("arith.andi", {a, b}, a.type());
}

Value VectorLanes::indexOfLane(Value lane) {
  return lane.type().isIndex() ? lane : make("arith.index_cast", {lane}, rewriter_.indexType());
}

Value VectorLanes::choose(Value condition, Type type, const std::function<Value()>& yes,
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

void VectorLanes::when(Value condition, const std::function<void()>& body) {
  if (!condition) return body();
  scf::IfOp conditional = scf::IfOp::create(rewriter_, location_, {}, condition);
  rewriter_.setBefore(*conditional.thenYield());
  body();
  rewriter_.setAfter(*conditional);
}

// -- Positions and loops --------------------------------------------------------------------------

Value VectorLanes::linearOf(const LanePosition& at, const Shape& shape) {
  if (at.linear) return at.linear;
  Value linear;
  for (size_t d = 0; d < at.index.size(); ++d)
    linear = linear ? add(scaled(linear, shape[d]), at.index[d]) : at.index[d];
  return linear ? linear : number(0);
}

std::vector<Value> VectorLanes::indexOf(const LanePosition& at, const Shape& shape) {
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

void VectorLanes::forEach(const Shape& shape, const Body& body) {
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

void VectorLanes::forEachLinear(const Shape& shape, const Body& body) {
  forEach({productOf(shape)}, [&](const LanePosition& at) { body({{}, at.index[0]}); });
}

Value VectorLanes::reduceFrom(const Shape& shape, LanePosition& at, Value value, const Fold& fold,
                              int64_t first) {
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

Value VectorLanes::reduce(const Shape& shape, Value value, const Fold& fold, int64_t first) {
  LanePosition at;
  return reduceFrom(shape, at, value, fold, first);
}

// -- Buffers --------------------------------------------------------------------------------------

Value VectorLanes::newBuffer(VectorType type) {
  return makeGlobal(root_, table_, bufferType(type), rewriter_.unitAttr(), false);
}

Value VectorLanes::bufferOf(Value vector) const {
  auto found = buffers_.find(vector);
  return found == buffers_.end() ? Value() : found->second;
}

Value VectorLanes::loadLane(Value buffer, VectorType type, const LanePosition& at) {
  Type stored = storedType(type.elementType());
  Shape shape(type.shape().begin(), type.shape().end());
  Value value = make("memref.load", {buffer, linearOf(at, shape)}, stored);
  if (stored == type.elementType()) return value;
  return make(type.elementType().isIndex() ? "arith.index_cast" : "arith.trunci", {value},
              type.elementType());
}

void VectorLanes::storeLane(Value value, Value buffer, VectorType type, const LanePosition& at) {
  Type stored = storedType(type.elementType());
  Shape shape(type.shape().begin(), type.shape().end());
  if (stored != value.type())
    value = make(value.type().isIndex() ? "arith.index_cast" : "arith.extui", {value}, stored);
  rewriter_.create(location_, "memref.store", {value, buffer, linearOf(at, shape)}, {});
}

/// A vector that a register holds is stored where it is made.
Value VectorLanes::spill(Value vector) {
  auto type = vector.type().cast<VectorType>();
  Value buffer = newBuffer(type);
  buffers_[vector] = buffer;
  if (!isUnitVector(type)) {
    if (!failed_)
      emitError(vector.context(), vector.location())
          << "not supported in a core: a vector of type " << type << " that is made here";
    failed_ = true;
    return buffer;
  }
  Operation* op = vector.definingOp();
  Builder builder = op ? Builder::after(*op) : Builder::atStart(*vector.argumentBlock());
  Value zero = builder.constantIndex(vector.location(), 0);
  builder.create(vector.location(), "vector.store", {vector, buffer, zero}, {});
  return buffer;
}

Value VectorLanes::loadVector(Value buffer, VectorType type) {
  return make("vector.load", {buffer, number(0)}, type);
}

// -- Lanes ----------------------------------------------------------------------------------------

bool VectorLanes::isFree(Operation& op) {
  if (op.is("vector.broadcast")) return !op.operand(0).type().isa<VectorType>();
  if (op.is("arith.constant")) return true;
  for (std::string_view name : {"vector.step", "vector.constant_mask", "vector.create_mask"})
    if (op.is(name)) return true;
  return false;
}

Value VectorLanes::lane(Value vector, const LanePosition& at) {
  auto type = vector.type().dynCast<VectorType>();
  if (!type) return vector;
  if (Value buffer = bufferOf(vector)) return loadLane(buffer, type, at);
  Operation* op = vector.definingOp();
  const LaneRule* rule = op ? laneRuleOf(*op) : nullptr;
  if (rule && rule->lane && (isFree(*op) || deferred_.contains(op)))
    return (this->*rule->lane)(*op, vector.index(), at);
  return loadLane(spill(vector), type, at);
}

/// Are its lanes found by their number as well as by an index for each dimension?
bool VectorLanes::isLinear(Value vector) const {
  auto type = vector.type().dynCast<VectorType>();
  if (!type || type.rank() <= 1 || bufferOf(vector)) return true;
  Operation* op = vector.definingOp();
  if (!op || !deferred_.contains(op))
    return !op || !isFree(*op) || op->is("arith.constant") || op->is("vector.broadcast");
  if (!laneRuleOf(*op)->isLanewise) return op->is("vector.shape_cast") && isLinear(op->operand(0));
  for (Value operand : op->operands())
    if (!isLinear(operand)) return false;
  return true;
}

void VectorLanes::fillLanes(Operation& op, const LaneRule& rule, unsigned result, Value buffer) {
  auto type = op.result(result).type().cast<VectorType>();
  Shape shape(type.shape().begin(), type.shape().end());
  bool linear = rule.isLanewise || op.is("vector.shape_cast") || op.is("vector.bitcast");
  for (Value operand : op.operands())
    linear = linear && isLinear(operand);
  Body body = [&](const LanePosition& at) {
    storeLane((this->*rule.lane)(op, result, at), buffer, type, at);
  };
  linear ? forEachLinear(shape, body) : forEach(shape, body);
}

namespace {

/// What an op that changes a part of a vector may overwrite: a vector that nobody else reads.
Value overwritten(Operation& op) {
  bool changesPart = op.is("vector.insert") || op.is("vector.insertelement") ||
                     op.is("vector.insert_strided_slice");
  if (!changesPart) return Value();
  Value whole = op.operand(1);
  Operation* made = whole.definingOp();
  bool isOwn = made && made->block() == op.block() && !made->is("arith.constant");
  return isOwn && whole.hasOneUse() ? whole : Value();
}

}  // namespace

void VectorLanes::materialize(Operation& op, const LaneRule& rule) {
  setLocation(op.location());
  Value reused = overwritten(op);
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value buffer = reused ? bufferOf(reused) : Value();
    if (!buffer) buffer = newBuffer(op.result(i).type().cast<VectorType>());
    if (rule.fill)
      (this->*rule.fill)(op, buffer);
    else
      fillLanes(op, rule, i, buffer);
    buffers_[op.result(i)] = buffer;
  }
}

void VectorLanes::copyInto(Value buffer, Value vector) {
  if (bufferOf(vector) == buffer) return;
  auto type = vector.type().cast<VectorType>();
  Shape shape(type.shape().begin(), type.shape().end());
  Body body = [&](const LanePosition& at) { storeLane(lane(vector, at), buffer, type, at); };
  isLinear(vector) ? forEachLinear(shape, body) : forEach(shape, body);
}

void VectorLanes::copyBuffer(Value to, Value from) {
  auto type = to.type().cast<MemRefType>();
  forEachLinear({type.numElements()}, [&](const LanePosition& at) {
    Value element = make("memref.load", {from, at.linear}, type.elementType());
    rewriter_.create(location_, "memref.store", {element, to, at.linear}, {});
  });
}

// -- Constants ------------------------------------------------------------------------------------

Value VectorLanes::constantLane(Operation& op, unsigned, const LanePosition& at) {
  auto elements = op.attrOf<DenseElementsAttr>("value");
  auto type = op.result().type().cast<VectorType>();
  if (elements.isSplat()) return constant(elements.splatValue());
  MemRefType memory = bufferType(type);
  buffers_[op.result()] = makeGlobal(root_, table_, memory, storedElements(elements, memory), true);
  return loadLane(bufferOf(op.result()), type, at);
}

}  // namespace airlite::npu
