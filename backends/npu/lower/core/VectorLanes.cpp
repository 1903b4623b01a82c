#include "VectorLanes.hpp"

namespace airlite::npu {

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
  if (Value buffer = buffers_.bufferOf(vector)) return buffers_.loadLane(buffer, type, at);
  Operation* op = vector.definingOp();
  const LaneRule* rule = op ? laneRuleOf(*op) : nullptr;
  if (rule && rule->lane && (isFree(*op) || deferred_.contains(op)))
    return rule->lane(*this, *op, vector.index(), at);
  return buffers_.loadLane(buffers_.spill(vector), type, at);
}

/// Are its lanes found by their number as well as by an index for each dimension?
bool VectorLanes::isLinear(Value vector) const {
  auto type = vector.type().dynCast<VectorType>();
  if (!type || type.rank() <= 1 || buffers_.bufferOf(vector)) return true;
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
  LaneShape shape(type.shape().begin(), type.shape().end());
  bool linear = rule.isLanewise || op.is("vector.shape_cast") || op.is("vector.bitcast");
  for (Value operand : op.operands())
    linear = linear && isLinear(operand);
  LaneBuilder::Body body = [&](const LanePosition& at) {
    buffers_.storeLane(rule.lane(*this, op, result, at), buffer, type, at);
  };
  linear ? build_.forEachLinear(shape, body) : build_.forEach(shape, body);
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
  build_.setLocation(op.location());
  Value reused = overwritten(op);
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value buffer = reused ? buffers_.bufferOf(reused) : Value();
    if (!buffer) buffer = buffers_.makeBuffer(op.result(i).type().cast<VectorType>());
    if (rule.fill)
      rule.fill(*this, op, buffer);
    else
      fillLanes(op, rule, i, buffer);
    buffers_.setBuffer(op.result(i), buffer);
  }
}

void VectorLanes::copyInto(Value buffer, Value vector) {
  if (buffers_.bufferOf(vector) == buffer) return;
  auto type = vector.type().cast<VectorType>();
  LaneShape shape(type.shape().begin(), type.shape().end());
  LaneBuilder::Body body = [&](const LanePosition& at) {
    buffers_.storeLane(lane(vector, at), buffer, type, at);
  };
  isLinear(vector) ? build_.forEachLinear(shape, body) : build_.forEach(shape, body);
}

}  // namespace airlite::npu
