#include "VectorForms.hpp"

#include <algorithm>
#include <array>

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

namespace {

/// A form that changes widths, and what AIE2P has for it.
struct WidthRow {
  Form form, ofAie2p;
  bool is64;        ///< sums of 64 bits
  Reg size;         ///< where AIE2P has the width
  Part sumOfAie2p;  ///< the part of an accumulator that it reads or writes
};
constexpr WidthRow kWidths[] = {
    {Form::VUPS_S32_S16_mv_ups_w2b, Form::P_VUPS_2x_mv_ups_w2b_upsSign1, false, Reg::crUPSMode,
     Part::Quarter0},
    {Form::VUPS_S32_S16_mv_ups_x2c, Form::P_VUPS_2x_mv_ups_x2c_upsSign1, false, Reg::crUPSMode,
     Part::Low},
    {Form::VUPS_S64_S32_mv_ups_x2c, Form::P_VUPS_2x_mv_ups_x2c_upsSign1, true, Reg::crUPSMode,
     Part::Low},
    {Form::VUPS_S32_S8_mv_ups_w2c, Form::P_VUPS_4x_mv_ups_w2c_upsSign1, false, Reg::crUPSMode,
     Part::Low},
    {Form::VSRS_S16_S32_mv_x_srs, Form::P_VSRS_2x_mv_x_srs_cm_srsSign1, false, Reg::crSRSMode,
     Part::Low},
    {Form::VSRS_S32_S64_mv_x_srs, Form::P_VSRS_2x_mv_x_srs_cm_srsSign1, true, Reg::crSRSMode,
     Part::Low},
    {Form::VSRS_S8_S32_mv_w_srs, Form::P_VSRS_4x_mv_w_srs_cm_srsSign1, false, Reg::crSRSMode,
     Part::Low},
};

void setControl(Emitter& emitter, Reg reg, bool value) {
  emitter.emit(Form::MOV_mv_cg, {Operand::of(reg), Operand::imm(value)});
}

bool isSumClass(RegClass regClass) {
  return regClass == RegClass::Accumulator || regClass == RegClass::HalfAccumulator;
}

void changeWidthAie2p(Emitter& emitter, Form form, Operand to, Operand from, Operand shift) {
  if (form == Form::VUNPACK_S16_S8) {
    setControl(emitter, Reg::crUnpackSize, true);
    emitter.emit(Form::P_VUNPACK_mv_unpack_w_unpackSign1, {to, from});
    return;
  }
  const WidthRow& row = *std::ranges::find(kWidths, form, &WidthRow::form);
  setControl(emitter, row.size, row.is64);
  Operand& sum = isSumClass(emitter.classOf(to)) ? to : from;
  sum = sum.at(row.sumOfAie2p);
  emitter.emit(row.ofAie2p, {to, from, shift});
}

}  // namespace

void changeWidth(Emitter& emitter, Form form, Operand to, Operand from, Operand shift) {
  if (!emitter.isAie2()) return changeWidthAie2p(emitter, form, to, from, shift);
  if (shift.isRegister())
    emitter.emit(form, {to, from, shift});
  else
    emitter.emit(form, {to, from});
}

void setSumWidth(Emitter& emitter, bool is64) {
  if (!emitter.isAie2()) setControl(emitter, Reg::crSRSMode, is64);
}

void setLoadedWidth(Emitter& emitter, bool is64) {
  if (!emitter.isAie2()) setControl(emitter, Reg::crUPSMode, is64);
}

uint32_t floatSum(const Emitter& emitter) {
  return emitter.isAie2() ? kFloatSum : kProductsOfBf16P;
}

bool fitsAccumulator(Type type, const Emitter& emitter) {
  auto vector = type.dynCast<VectorType>();
  const int64_t bits = emitter.isAie2() ? 1024 : 2048;
  return vector && vector.numElements() * vector.elementType().bitWidth() == bits;
}

Part rowOfSums(const Emitter& emitter) { return emitter.isAie2() ? Part::Whole : Part::Quarter0; }

Part productsOfHalf(const Emitter& emitter, Part half) {
  if (emitter.isAie2()) return half;
  return half == Part::High ? Part::Quarter1 : Part::Quarter0;
}

namespace {

/// By lane: of AIE2 signed, of AIE2 with crVaddSign, of AIE2P unsigned and signed.
using LaneForms = std::array<std::array<Form, 3>, 4>;
constexpr LaneForms kLess = {
    {{Form::VLT_S8, Form::VLT_S16, Form::VLT_S32},
     {Form::VLT_D8, Form::VLT_D16, Form::VLT_D32},
     {Form::P_VLT_8_vaddSign0, Form::P_VLT_16_vaddSign0, Form::P_VLT_32_vaddSign0},
     {Form::P_VLT_8_vaddSign1, Form::P_VLT_16_vaddSign1, Form::P_VLT_32_vaddSign1}}};
constexpr LaneForms kLargest = {
    {{Form::VMAX_LT_S8, Form::VMAX_LT_S16, Form::VMAX_LT_S32},
     {Form::VMAX_LT_D8, Form::VMAX_LT_D16, Form::VMAX_LT_D32},
     {Form::P_VMAX_LT_8_vaddSign0, Form::P_VMAX_LT_16_vaddSign0, Form::P_VMAX_LT_32_vaddSign0},
     {Form::P_VMAX_LT_8_vaddSign1, Form::P_VMAX_LT_16_vaddSign1, Form::P_VMAX_LT_32_vaddSign1}}};
constexpr LaneForms kLeast = {
    {{Form::VMIN_GE_S8, Form::VMIN_GE_S16, Form::VMIN_GE_S32},
     {Form::VMIN_GE_D8, Form::VMIN_GE_D16, Form::VMIN_GE_D32},
     {Form::P_VMIN_GE_8_vaddSign0, Form::P_VMIN_GE_16_vaddSign0, Form::P_VMIN_GE_32_vaddSign0},
     {Form::P_VMIN_GE_8_vaddSign1, Form::P_VMIN_GE_16_vaddSign1, Form::P_VMIN_GE_32_vaddSign1}}};

/// Of AIE2 the form without a sign reads it from a register.
Form signedForm(Emitter& emitter, const LaneForms& forms, size_t lane, bool isSigned) {
  if (!emitter.isAie2()) return forms[isSigned ? 3 : 2][lane];
  if (!isSigned) setControl(emitter, Reg::crVaddSign, false);
  return forms[isSigned ? 0 : 1][lane];
}

}  // namespace

Operand laneMask(Emitter& emitter, size_t lane) {
  return lane == 0 ? Operand::of(Reg::l0) : emitter.fresh(RegClass::Mask);
}

Operand choose(Emitter& emitter, size_t lane, Operand a, Operand b, Operand mask) {
  constexpr std::array kChoices = {Form::VSEL_8, Form::VSEL_16, Form::VSEL_32};
  Operand chosen = emitter.fresh(RegClass::Vector);
  emitter.emit(kChoices[lane], {chosen, a, b, mask});
  return chosen;
}

void compareLess(Emitter& emitter, size_t lane, bool isSigned, Operand mask, Operand a, Operand b) {
  emitter.emit(signedForm(emitter, kLess, lane, isSigned), {mask, a, b});
}

/// On AIE2P the mask has a place of its own.
void takeExtreme(Emitter& emitter, size_t lane, bool isSigned, bool isLargest, Operand to,
                 Operand mask, Operand a, Operand b) {
  const Form form = signedForm(emitter, isLargest ? kLargest : kLeast, lane, isSigned);
  if (emitter.isAie2())
    emitter.emit(form, {to, mask, a, b});
  else
    emitter.emit(form, {to, a, b});
}

void setShift(Emitter& emitter) {
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::crSat), Operand::imm(0)});
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::s0), Operand::imm(0)});
}

void setRounding(Emitter& emitter) {
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::crRnd), Operand::imm(kRoundToEven)});
}

void setRoundingDown(Emitter& emitter) {
  emitter.emit(Form::MOV_mv_cg, {Operand::of(Reg::crRnd), Operand::imm(0)});
}

}  // namespace airlite::npu::codegen
