#include "VectorBuffers.hpp"

#include "CoreMemory.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Symbols.hpp"

#include <fmt/format.h>

#include <string>

namespace airlite::npu {

namespace {

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

Value VectorBuffers::makeBuffer(VectorType type) {
  return makeGlobal(root_, table_, bufferType(type), build_.rewriter().unitAttr(), false);
}

Value VectorBuffers::bufferOf(Value vector) const {
  auto found = buffers_.find(vector);
  return found == buffers_.end() ? Value() : found->second;
}

/// A vector that a register holds is stored where it is made.
Value VectorBuffers::spill(Value vector) {
  auto type = vector.type().cast<VectorType>();
  Value buffer = makeBuffer(type);
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

Value VectorBuffers::keepConstant(Operation& constant) {
  auto elements = constant.attrOf<DenseElementsAttr>("value");
  MemRefType memory = bufferType(constant.result().type().cast<VectorType>());
  return buffers_[constant.result()] =
             makeGlobal(root_, table_, memory, storedElements(elements, memory), true);
}

Value VectorBuffers::loadLane(Value buffer, VectorType type, const LanePosition& at) {
  Type stored = storedType(type.elementType());
  LaneShape shape(type.shape().begin(), type.shape().end());
  Value value = build_.make("memref.load", {buffer, build_.linearOf(at, shape)}, stored);
  if (stored == type.elementType()) return value;
  return build_.make(type.elementType().isIndex() ? "arith.index_cast" : "arith.trunci", {value},
                     type.elementType());
}

void VectorBuffers::storeLane(Value value, Value buffer, VectorType type, const LanePosition& at) {
  Type stored = storedType(type.elementType());
  LaneShape shape(type.shape().begin(), type.shape().end());
  if (stored != value.type())
    value =
        build_.make(value.type().isIndex() ? "arith.index_cast" : "arith.extui", {value}, stored);
  build_.rewriter().create(build_.location(), "memref.store",
                           {value, buffer, build_.linearOf(at, shape)}, {});
}

Value VectorBuffers::loadVector(Value buffer, VectorType type) {
  return build_.make("vector.load", {buffer, build_.number(0)}, type);
}

void VectorBuffers::copyBuffer(Value to, Value from) {
  auto type = to.type().cast<MemRefType>();
  build_.forEachLinear({type.numElements()}, [&](const LanePosition& at) {
    Value element = build_.make("memref.load", {from, at.linear}, type.elementType());
    build_.rewriter().create(build_.location(), "memref.store", {element, to, at.linear}, {});
  });
}

}  // namespace airlite::npu
