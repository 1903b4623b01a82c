#include "RowPlaces.hpp"

#include "VectorForms.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::npu::codegen {

using isa::Form;

bool RowPlaces::isInSum(Operand operand) const {
  return operand.isVirtual() && emitter_.classOf(operand) == RegClass::HalfAccumulator;
}

Operand RowPlaces::rowOf(Value value) {
  Operand home = values_.reg(value);
  return isInSum(home) ? copied(value, home, RegClass::Vector) : home;
}

Operand RowPlaces::sumOf(Value value) {
  if (auto bits = splatBits(value); bits && emitter_.isInRow()) {
    if (const Operand* found = copies_.find(value.impl())) return *found;
    LaneWords words;
    words.fill(static_cast<uint32_t>(*bits));
    if (auto loaded = lanes_.loaded(words, RegClass::HalfAccumulator))
      return copies_.set(value.impl(), *loaded);
  }
  Operand home = values_.reg(value);
  return isInSum(home) ? home : copied(value, home, RegClass::HalfAccumulator);
}

Operand RowPlaces::copied(Value value, Operand home, RegClass toClass) {
  if (const Operand* found = copies_.find(value.impl())) return *found;
  Operand copy = emitter_.fresh(toClass);
  const bool isToSum = toClass == RegClass::HalfAccumulator;
  const Part part = rowOfSums(emitter_);
  emitter_.emit(Form::VMOV_mv_x, {isToSum ? copy.at(part) : copy, isToSum ? home : home.at(part)});
  return copies_.set(value.impl(), copy);
}

Operand RowPlaces::halfOf(Value value) {
  Operation* slice = value.definingOp();
  if (!slice || !slice->is("vector.extract_strided_slice")) return rowOf(value).at(Part::Low);
  return rowOf(slice->operand(0)).at(halfTaken(*slice));
}

}  // namespace airlite::npu::codegen
