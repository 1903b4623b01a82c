#include "VectorForms.hpp"

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

Operand computeVector(Emitter& emitter, Form form, Operand a, Operand b) {
  Operand result = emitter.fresh(RegClass::Vector);
  emitter.emit(form, {result, a, b});
  return result;
}

Operand shuffled(Emitter& emitter, Operand low, Operand high, uint32_t mode) {
  Operand result = emitter.fresh(RegClass::Vector);
  emitter.emit(Form::VSHUFFLE, {result, low, high, emitter.constant(mode)});
  return result;
}

Operand exclusiveOr(Emitter& emitter, Operand a, Operand b) {
  Operand both = computeVector(emitter, Form::VBAND, a, b),
          any = computeVector(emitter, Form::VBOR, a, b);
  return computeVector(emitter, Form::VSUB_32, any, both);
}

void setShift(Emitter& emitter) {
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::crSat), Operand::imm(0)});
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::s0), Operand::imm(0)});
}

void setRounding(Emitter& emitter) {
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::crRnd), Operand::imm(kRoundToEven)});
}

}  // namespace airlite::npu::codegen
