#include "SelectFloats.hpp"

#include "VectorForms.hpp"
#include "airlite/ir/OpDef.hpp"

#include <array>
#include <vector>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr AccessForms kRoundingStore = {Form::VST_CONV_BF16_FP32_ag_idx,
                                        Form::VST_CONV_BF16_FP32_ag_idx_imm,
                                        Form::VST_CONV_BF16_FP32_ag_pstm_nrm,
                                        Form::VST_CONV_BF16_FP32_ag_pstm_nrm_imm,
                                        false,
                                        true};

}  // namespace

/// 16 lanes as f32 in an accumulator: `part` of a vector of bf16, or all of one of f32.
Operand FloatSelector::widened(Operand vector, Part part, bool isF32) {
  Operand sums = emitter_.fresh(RegClass::HalfAccumulator);
  emitter_.emit(isF32 ? Form::VMOV_mv_x : Form::VCONV_FP32_BF16,
                {sums, isF32 ? vector : vector.at(part)});
  return sums;
}

void FloatSelector::narrowed(Operand to, Part part, Operand sums, bool isF32) {
  if (isF32) {
    emitter_.emit(Form::VMOV_mv_x, {to, sums});
    return;
  }
  setRounding(emitter_);
  emitter_.emit(Form::VCONV_BF16_FP32, {to.at(part), sums});
}

/// Sums of f32; of bf16 too, rounded twice, which gives the same with so many bits between.
Operand FloatSelector::sumOfFloats(Operation& op, Part part, bool isF32) {
  Operand a = widened(values_.reg(op.operand(0)), part, isF32);
  Operand b = widened(values_.reg(op.operand(1)), part, isF32);
  Operand sums = emitter_.fresh(RegClass::HalfAccumulator);
  emitter_.emit(op.is("arith.addf") ? Form::VADD_F : Form::VSUB_F,
                {sums, a, b, emitter_.constant(kFloatSum)});
  return sums;
}

/// The unit adds a second product to each: zeros. That makes -0 of a product 0, so that the sign is
/// put in again.
void FloatSelector::multiplyBf16(Operation& op, Operand to, Part part) {
  Operand zero = lanes_.splat(op.result().type(), 0);
  auto alone = [&](Operand vector) {
    Operand result = emitter_.fresh(RegClass::Vector);
    emitter_.emit(Form::VMOV_mv_w, {result.at(Part::Low), vector.at(part)});
    emitter_.emit(Form::VMOV_mv_w, {result.at(Part::High), zero.at(Part::Low)});
    return result;
  };
  Operand a = alone(values_.reg(op.operand(0))), b = alone(values_.reg(op.operand(1)));
  Operand sums = emitter_.fresh(RegClass::HalfAccumulator);
  emitter_.emit(Form::VMUL_F_vmac_bm_core_dense, {sums, a, b, emitter_.constant(kProductsOfBf16)});
  Operand product = emitter_.fresh(RegClass::Vector);
  narrowed(product, Part::Low, sums, false);
  Operand signs = exclusiveOr(emitter_, a, b);
  signs = computeVector(emitter_, Form::VBAND, signs, lanes_.splat(op.result().type(), 0x8000));
  Operand signedProduct = computeVector(emitter_, Form::VBOR, product, signs);
  emitter_.emit(Form::VMOV_mv_w, {to.at(part), signedProduct.at(Part::Low)});
}

bool FloatSelector::selectFloatLanes(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  bool isF32 = elementTypeOrSelf(type).isF32();
  if (isF32 && op.is("arith.mulf")) {
    op.emitOpError() << "multiplies lanes of f32, for which the machine has nothing";
    return false;
  }
  if (isFloatRow(type)) {
    Operand a = rows_.sumOf(op.operand(0)), b = rows_.sumOf(op.operand(1));
    emitter_.emit(op.is("arith.addf") ? Form::VADD_F : Form::VSUB_F,
                  {values_.define(op.result()), a, b, emitter_.constant(kFloatSum)});
    return true;
  }
  const unsigned parts = isF32 || vectorBytes(type) <= kHalfBytes ? 1 : 2;
  constexpr std::array kParts = {Part::Low, Part::High};
  if (op.is("arith.mulf")) {
    Operand to = values_.define(op.result());
    for (unsigned i = 0; i < parts; ++i)
      multiplyBf16(op, to, kParts[i]);
    return true;
  }
  std::vector<Operand> sums;
  for (unsigned i = 0; i < parts; ++i)
    sums.push_back(sumOfFloats(op, kParts[i], isF32));
  if (!isF32 && lateStores_.leaveToStore(op, kRoundingStore, sums)) return true;
  Operand to = values_.define(op.result());
  for (unsigned i = 0; i < parts; ++i)
    narrowed(to, kParts[i], sums[i], isF32);
  return true;
}

/// `onSet` in the lanes in which `a` is less than `b` as integers, else `onClear`.
Operand FloatSelector::selectLess16(Operand a, Operand b, Operand onSet, Operand onClear) {
  Operand mask = emitter_.fresh(RegClass::Mask), result = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VLT_S16, {mask, a, b});
  emitter_.emit(Form::VSEL_16, {result, onClear, onSet, mask});
  return result;
}

/// The machine's own comparison takes -0 for 0 and ignores NaN. As integers, with the magnitude of
/// negative ones inverted, bf16 are in their order, -0 before 0; a NaN wins afterwards.
bool FloatSelector::selectFloatExtreme(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  if (!elementTypeOrSelf(type).isBF16()) {
    op.emitOpError() << "compares lanes of f32, for which the machine has nothing";
    return false;
  }
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  Operand zero = lanes_.splat(type, 0), magnitude = lanes_.splat(type, 0x7fff),
          infinity = lanes_.splat(type, 0x7f80);
  auto key = [&](Operand x) {
    return selectLess16(x, zero, exclusiveOr(emitter_, x, magnitude), x);
  };
  Operand keyA = key(a), keyB = key(b);
  bool largest = op.is("arith.maximumf");
  Operand result = selectLess16(keyA, keyB, largest ? b : a, largest ? a : b);
  for (Operand x : {a, b})
    result = selectLess16(infinity, computeVector(emitter_, Form::VBAND, x, magnitude), x, result);
  values_.alias(op.result(), result);
  return true;
}

bool FloatSelector::selectFloatWidth(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  bool widens = op.is("arith.extf");
  if (widens && isFloatRow(op.result().type())) {
    Operand value = rows_.halfOf(op.operand(0));
    emitter_.emit(Form::VCONV_FP32_BF16, {values_.define(op.result()), value});
    return true;
  }
  if (!widens && isFloatRow(op.operand(0).type())) {
    Operand sums = rows_.sumOf(op.operand(0));
    if (!lateStores_.leaveToStore(op, kRoundingStore, {sums}))
      narrowed(values_.define(op.result()), Part::Low, sums, false);
    return true;
  }
  Operand value = values_.reg(op.operand(0)), result = values_.define(op.result());
  Operand sums = widened(value, Part::Low, !widens);
  narrowed(result, Part::Low, sums, widens);
  return true;
}

}  // namespace airlite::npu::codegen
