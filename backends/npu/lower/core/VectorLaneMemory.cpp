// Vectors from and to memory, lane by lane (src/interp/VectorMemory.cpp, VectorGather.cpp).
#include "VectorLanes.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"

namespace airlite::npu {

namespace {

/// The vector lies along the innermost dimensions.
std::vector<Value> minorIndices(LaneBuilder& build, OperandRange start, const LanePosition& at,
                                const LaneShape& shape) {
  std::vector<Value> indices(start.begin(), start.end()), index = build.indexOf(at, shape);
  size_t lead = indices.size() - index.size();
  for (size_t d = 0; d < index.size(); ++d)
    indices[lead + d] = build.add(indices[lead + d], index[d]);
  return indices;
}

// -- Whole rows -----------------------------------------------------------------------------------

Value load(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  return build.loadElement(
      op.operand(0), minorIndices(build, op.operandGroup("indices"), at, laneShapeOf(op.result())));
}

Value store(VectorLanes& lanes, Operation& op) {
  LaneBuilder& build = lanes.build();
  LaneShape shape = laneShapeOf(op.operand(0));
  build.forEach(shape, [&](const LanePosition& at) {
    Value value = lanes.lane(op.operand(0), at);
    build.storeElement(value, op.operand(1),
                       minorIndices(build, op.operandGroup("indices"), at, shape));
  });
  return {};
}

// -- Transfers ------------------------------------------------------------------------------------

std::vector<Value> transferIndices(LaneBuilder& build, Operation& op, const LanePosition& at) {
  vector::TransferOp transfer(&op);
  std::vector<Value> indices = transfer.indices().vec();
  VectorType type = transfer.vectorType();
  std::vector<Value> index = build.indexOf(at, {type.shape().begin(), type.shape().end()});
  AffineMap map = transfer.permutationMap();
  for (unsigned d = 0; d < index.size(); ++d) {
    if (transfer.isBroadcastDim(d)) continue;
    Value& start = indices[map.result(d).position()];
    start = build.add(start, index[d]);
  }
  return indices;
}

/// Is the element there? Null when it always is.
Value transferCondition(VectorLanes& lanes, Operation& op, const std::vector<Value>& indices,
                        const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  vector::TransferOp transfer(&op);
  Value there;
  for (unsigned d = 0; d < transfer.vectorType().shape().size(); ++d) {
    if (staysInside(op, d)) continue;
    unsigned dim = transfer.permutationMap().result(d).position();
    there = build.both(there, build.less(indices[dim], build.sizeOf(transfer.source(), dim), true));
  }
  if (Value mask = transfer.mask()) there = build.both(there, lanes.lane(mask, at));
  return there;
}

Value transferRead(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  vector::TransferReadOp transfer(&op);
  std::vector<Value> indices = transferIndices(build, op, at);
  return build.choose(
      transferCondition(lanes, op, indices, at), transfer.vectorType().elementType(),
      [&] { return build.loadElement(transfer.source(), indices); },
      [&] { return transfer.padding(); });
}

Value transferWrite(VectorLanes& lanes, Operation& op) {
  LaneBuilder& build = lanes.build();
  vector::TransferWriteOp transfer(&op);
  build.forEach(laneShapeOf(transfer.value()), [&](const LanePosition& at) {
    std::vector<Value> indices = transferIndices(build, op, at);
    build.when(transferCondition(lanes, op, indices, at), [&] {
      build.storeElement(lanes.lane(transfer.value(), at), transfer.source(), indices);
    });
  });
  return {};
}

// -- Elements that a mask selects -----------------------------------------------------------------

/// Whether the mask of an access has the lane.
Value mask(VectorLanes& lanes, Operation& op, const LanePosition& at) {
  return lanes.lane(op.operand(op.numOperands() - 2), at);
}

Value maskedLoad(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  Value others = op.operand(op.numOperands() - 1);
  return build.choose(
      mask(lanes, op, at), elementTypeOrSelf(others.type()), [&] { return load(lanes, op, 0, at); },
      [&] { return lanes.lane(others, at); });
}

Value maskedStore(VectorLanes& lanes, Operation& op) {
  LaneBuilder& build = lanes.build();
  Value values = op.operand(op.numOperands() - 1);
  LaneShape shape = laneShapeOf(values);
  build.forEach(shape, [&](const LanePosition& at) {
    build.when(mask(lanes, op, at), [&] {
      build.storeElement(lanes.lane(values, at), op.operand(0),
                         minorIndices(build, op.operandGroup("indices"), at, shape));
    });
  });
  return {};
}

/// Of gather and scatter: the vector of distances stands in front of the mask.
std::vector<Value> pickedIndices(VectorLanes& lanes, Operation& op, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  OperandRange start = op.operandGroup("indices");
  std::vector<Value> indices(start.begin(), start.end());
  Value distance = build.indexOfLane(lanes.lane(op.operand(op.numOperands() - 3), at));
  indices.back() = build.add(indices.back(), distance);
  return indices;
}

Value gather(VectorLanes& lanes, Operation& op, unsigned, const LanePosition& at) {
  LaneBuilder& build = lanes.build();
  Value others = op.operand(op.numOperands() - 1);
  return build.choose(
      mask(lanes, op, at), elementTypeOrSelf(others.type()),
      [&] { return build.loadElement(op.operand(0), pickedIndices(lanes, op, at)); },
      [&] { return lanes.lane(others, at); });
}

Value scatter(VectorLanes& lanes, Operation& op) {
  LaneBuilder& build = lanes.build();
  Value values = op.operand(op.numOperands() - 1);
  build.forEach(laneShapeOf(values), [&](const LanePosition& at) {
    build.when(mask(lanes, op, at), [&] {
      build.storeElement(lanes.lane(values, at), op.operand(0), pickedIndices(lanes, op, at));
    });
  });
  return {};
}

/// Those that are selected follow each other in memory.
void expandLoad(VectorLanes& lanes, Operation& op, Value buffer) {
  LaneBuilder& build = lanes.build();
  Value others = op.operand(op.numOperands() - 1);
  auto type = op.result().type().cast<VectorType>();
  OperandRange start = op.operandGroup("indices");
  build.reduce(laneShapeOf(others), build.number(0), [&](const LanePosition& at, Value taken) {
    Value selected = mask(lanes, op, at);
    std::vector<Value> indices(start.begin(), start.end());
    Value value = build.choose(
        selected, type.elementType(),
        [&] {
          indices.back() = build.add(indices.back(), taken);
          return build.loadElement(op.operand(0), indices);
        },
        [&] { return lanes.lane(others, at); });
    lanes.buffers().storeLane(value, buffer, type, at);
    return build.make("arith.select", {selected, build.add(taken, build.number(1)), taken},
                      taken.type());
  });
}

Value compressStore(VectorLanes& lanes, Operation& op) {
  LaneBuilder& build = lanes.build();
  Value values = op.operand(op.numOperands() - 1);
  OperandRange start = op.operandGroup("indices");
  build.reduce(laneShapeOf(values), build.number(0), [&](const LanePosition& at, Value taken) {
    Value selected = mask(lanes, op, at);
    build.when(selected, [&] {
      std::vector<Value> indices(start.begin(), start.end());
      indices.back() = build.add(indices.back(), taken);
      build.storeElement(lanes.lane(values, at), op.operand(0), indices);
    });
    return build.make("arith.select", {selected, build.add(taken, build.number(1)), taken},
                      taken.type());
  });
  return {};
}

constexpr LaneRule kMemoryRules[] = {
    {"vector.load", &load},
    {"vector.transfer_read", &transferRead},
    {"vector.maskedload", &maskedLoad, nullptr, nullptr, true, true},
    {"vector.gather", &gather, nullptr, nullptr, true, true},
    {"vector.expandload", nullptr, &expandLoad},
    {"vector.store", nullptr, nullptr, &store, true, true},
    {"vector.transfer_write", nullptr, nullptr, &transferWrite, false, true},
    {"vector.maskedstore", nullptr, nullptr, &maskedStore, true, true},
    {"vector.scatter", nullptr, nullptr, &scatter, true, true},
    {"vector.compressstore", nullptr, nullptr, &compressStore, true, true},
};

}  // namespace

std::span<const LaneRule> memoryRules() { return kMemoryRules; }

}  // namespace airlite::npu
