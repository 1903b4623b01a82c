// Vectors from and to memory, lane by lane (src/interp/VectorMemory.cpp, VectorGather.cpp).
#include "VectorLanes.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"

namespace airlite::npu {

namespace {

std::vector<int64_t> shapeOf(Value value) {
  auto type = value.type().cast<VectorType>();
  return {type.shape().begin(), type.shape().end()};
}

}  // namespace

Value VectorLanes::loadElement(Value memory, const std::vector<Value>& indices) {
  std::vector<Value> operands{memory};
  operands.insert(operands.end(), indices.begin(), indices.end());
  return make("memref.load", operands, memory.type().cast<MemRefType>().elementType());
}

void VectorLanes::storeElement(Value value, Value memory, const std::vector<Value>& indices) {
  std::vector<Value> operands{value, memory};
  operands.insert(operands.end(), indices.begin(), indices.end());
  rewriter_.create(location_, "memref.store", operands, std::span<const Type>());
}

/// The vector lies along the innermost dimensions.
std::vector<Value> VectorLanes::minorIndices(OperandRange start, const LanePosition& at,
                                             const Shape& shape) {
  std::vector<Value> indices(start.begin(), start.end()), lanes = indexOf(at, shape);
  size_t lead = indices.size() - lanes.size();
  for (size_t d = 0; d < lanes.size(); ++d)
    indices[lead + d] = add(indices[lead + d], lanes[d]);
  return indices;
}

// -- Whole rows -----------------------------------------------------------------------------------

Value VectorLanes::load(Operation& op, unsigned, const LanePosition& at) {
  return loadElement(op.operand(0),
                     minorIndices(op.operandGroup("indices"), at, shapeOf(op.result())));
}

Value VectorLanes::store(Operation& op) {
  Shape shape = shapeOf(op.operand(0));
  forEach(shape, [&](const LanePosition& at) {
    Value value = lane(op.operand(0), at);
    storeElement(value, op.operand(1), minorIndices(op.operandGroup("indices"), at, shape));
  });
  return {};
}

// -- Transfers ------------------------------------------------------------------------------------

std::vector<Value> VectorLanes::transferIndices(Operation& op, const LanePosition& at) {
  vector::TransferOp transfer(&op);
  OperandRange start = transfer.indices();
  std::vector<Value> indices(start.begin(), start.end());
  VectorType type = transfer.vectorType();
  std::vector<Value> lanes = indexOf(at, {type.shape().begin(), type.shape().end()});
  AffineMap map = transfer.permutationMap();
  for (unsigned d = 0; d < lanes.size(); ++d) {
    if (transfer.isBroadcastDim(d)) continue;
    Value& index = indices[map.result(d).position()];
    index = add(index, lanes[d]);
  }
  return indices;
}

Value VectorLanes::sizeOf(Value memory, unsigned dim) {
  auto type = memory.type().cast<MemRefType>();
  if (!type.isDynamicDim(dim)) return number(type.dim(dim));
  return make("memref.dim", {memory, number(dim)}, rewriter_.indexType());
}

/// Is the element there? Null when it always is.
Value VectorLanes::transferCondition(Operation& op, const std::vector<Value>& indices,
                                     const LanePosition& at) {
  vector::TransferOp transfer(&op);
  Value there;
  for (unsigned d = 0; d < transfer.vectorType().shape().size(); ++d) {
    if (staysInside(op, d)) continue;
    unsigned dim = transfer.permutationMap().result(d).position();
    there = both(there, less(indices[dim], sizeOf(transfer.source(), dim), true));
  }
  if (Value mask = transfer.mask()) there = both(there, lane(mask, at));
  return there;
}

Value VectorLanes::transferRead(Operation& op, unsigned, const LanePosition& at) {
  vector::TransferReadOp transfer(&op);
  std::vector<Value> indices = transferIndices(op, at);
  return choose(
      transferCondition(op, indices, at), transfer.vectorType().elementType(),
      [&] { return loadElement(transfer.source(), indices); }, [&] { return transfer.padding(); });
}

Value VectorLanes::transferWrite(Operation& op) {
  vector::TransferWriteOp transfer(&op);
  forEach(shapeOf(transfer.value()), [&](const LanePosition& at) {
    std::vector<Value> indices = transferIndices(op, at);
    when(transferCondition(op, indices, at),
         [&] { storeElement(lane(transfer.value(), at), transfer.source(), indices); });
  });
  return {};
}

// -- Elements that a mask selects -----------------------------------------------------------------

Value VectorLanes::maskedLoad(Operation& op, unsigned, const LanePosition& at) {
  Value others = op.operand(op.numOperands() - 1);
  return choose(
      mask(op, at), elementTypeOrSelf(others.type()), [&] { return load(op, 0, at); },
      [&] { return lane(others, at); });
}

Value VectorLanes::maskedStore(Operation& op) {
  Value values = op.operand(op.numOperands() - 1);
  Shape shape = shapeOf(values);
  forEach(shape, [&](const LanePosition& at) {
    when(mask(op, at), [&] {
      storeElement(lane(values, at), op.operand(0),
                   minorIndices(op.operandGroup("indices"), at, shape));
    });
  });
  return {};
}

/// Of gather and scatter: the vector of distances stands in front of the mask.
std::vector<Value> VectorLanes::pickedIndices(Operation& op, const LanePosition& at) {
  OperandRange start = op.operandGroup("indices");
  std::vector<Value> indices(start.begin(), start.end());
  Value distance = indexOfLane(lane(op.operand(op.numOperands() - 3), at));
  indices.back() = add(indices.back(), distance);
  return indices;
}

Value VectorLanes::gather(Operation& op, unsigned, const LanePosition& at) {
  Value others = op.operand(op.numOperands() - 1);
  return choose(
      mask(op, at), elementTypeOrSelf(others.type()),
      [&] { return loadElement(op.operand(0), pickedIndices(op, at)); },
      [&] { return lane(others, at); });
}

Value VectorLanes::scatter(Operation& op) {
  Value values = op.operand(op.numOperands() - 1);
  forEach(shapeOf(values), [&](const LanePosition& at) {
    when(mask(op, at),
         [&] { storeElement(lane(values, at), op.operand(0), pickedIndices(op, at)); });
  });
  return {};
}

/// Those that are selected follow each other in memory.
void VectorLanes::expandLoad(Operation& op, Value buffer) {
  Value others = op.operand(op.numOperands() - 1);
  auto type = op.result().type().cast<VectorType>();
  OperandRange start = op.operandGroup("indices");
  reduce(shapeOf(others), number(0), [&](const LanePosition& at, Value taken) {
    Value selected = mask(op, at);
    std::vector<Value> indices(start.begin(), start.end());
    Value value = choose(
        selected, type.elementType(),
        [&] {
          indices.back() = add(indices.back(), taken);
          return loadElement(op.operand(0), indices);
        },
        [&] { return lane(others, at); });
    storeLane(value, buffer, type, at);
    return make("arith.select", {selected, add(taken, number(1)), taken}, taken.type());
  });
}

Value VectorLanes::compressStore(Operation& op) {
  Value values = op.operand(op.numOperands() - 1);
  OperandRange start = op.operandGroup("indices");
  reduce(shapeOf(values), number(0), [&](const LanePosition& at, Value taken) {
    Value selected = mask(op, at);
    when(selected, [&] {
      std::vector<Value> indices(start.begin(), start.end());
      indices.back() = add(indices.back(), taken);
      storeElement(lane(values, at), op.operand(0), indices);
    });
    return make("arith.select", {selected, add(taken, number(1)), taken}, taken.type());
  });
  return {};
}

}  // namespace airlite::npu
