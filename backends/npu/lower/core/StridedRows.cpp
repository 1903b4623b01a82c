#include "StridedRows.hpp"

#include "VectorUnit.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

namespace airlite::npu {
namespace {

bool isInside(Value value, scf::ForOp loop) { return value.parentBlock() == &loop.body(); }

/// The variable of the loop, or its product with a step.
std::optional<RowPlace> movingPlaceOf(Value index, scf::ForOp loop) {
  if (index == loop.inductionVar()) return RowPlace{1, index, {}};
  Operation* op = isInside(index, loop) ? index.definingOp() : nullptr;
  if (!op || !op->is("arith.muli")) return std::nullopt;
  for (const unsigned variable : {0U, 1U}) {
    const auto step = constantIntOf(op->operand(1 - variable));
    if (step && isRowStep(*step) && op->operand(variable) == loop.inductionVar())
      return RowPlace{*step, index, {}};
  }
  return std::nullopt;
}

/// What is added to the rest, where that is a constant.
struct Split {
  Value rest;  ///< null: 0
  int64_t constant = 0;
};

Split splitOf(Value start) {
  if (!start) return {};
  if (const auto number = constantIntOf(start)) return {{}, *number};
  Operation* op = start.definingOp();
  if (op && op->is("arith.addi"))
    for (const unsigned i : {0U, 1U})
      if (const auto number = constantIntOf(op->operand(i))) return {op->operand(1 - i), *number};
  return {start, 0};
}

}  // namespace

std::optional<RowPlace> rowPlaceOf(Value index, scf::ForOp loop) {
  if (auto place = movingPlaceOf(index, loop)) return place;
  Operation* op = isInside(index, loop) ? index.definingOp() : nullptr;
  if (!op || !op->is("arith.addi")) return std::nullopt;
  for (const unsigned i : {0U, 1U}) {
    if (isInside(op->operand(1 - i), loop)) continue;
    auto place = movingPlaceOf(op->operand(i), loop);
    if (place) place->start = op->operand(1 - i);
    if (place) return place;
  }
  return std::nullopt;
}

bool choosePhase(RowPlace& place, Value index, MemRefType memory) {
  if (place.step == 1) return true;
  const auto range = rangeOf(index);
  if (!range || !memory.hasStaticShape()) return false;
  const int64_t constant = splitOf(place.start).constant, last = place.step - 1;
  for (const int64_t phase : {constant > 0 ? constant % place.step : 0, int64_t{0}, last}) {
    if (range->least < phase || range->most + last - phase >= memory.dim(0)) continue;
    place.phase = phase;
    return true;
  }
  return false;
}

Value startOfRow(Builder& builder, Location location, const RowPlace& place) {
  if (place.phase == 0) return place.start;
  const Split split = splitOf(place.start);
  const int64_t constant = split.constant - place.phase;
  if (constant == 0) return split.rest;
  const Value first = builder.constantIndex(location, constant);
  if (!split.rest) return first;
  return builder.create(location, "arith.addi", {split.rest, first}, {first.type()})->result();
}

}  // namespace airlite::npu
