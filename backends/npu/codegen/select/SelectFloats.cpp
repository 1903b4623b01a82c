#include "SelectFloats.hpp"

#include "VectorForms.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr AccessForms kRoundingStore = {Form::VST_CONV_BF16_FP32_ag_idx,
                                        Form::VST_CONV_BF16_FP32_ag_idx_imm,
                                        Form::VST_CONV_BF16_FP32_ag_pstm_nrm,
                                        Form::VST_CONV_BF16_FP32_ag_pstm_nrm_imm,
                                        false,
                                        true};
// Of AIE2P: 16 and 32 lanes.
constexpr AccessForms kRoundingStoreP = {Form::P_VST_CONV_bf16_fp32_dmw_sts_srs_bf_idx,
                                         Form::P_VST_CONV_bf16_fp32_dmw_sts_srs_bf_idx_imm,
                                         Form::P_VST_CONV_bf16_fp32_dmw_sts_srs_bf_pstm_nrm,
                                         Form::P_VST_CONV_bf16_fp32_dmw_sts_srs_bf_pstm_nrm_imm,
                                         false,
                                         true};
constexpr AccessForms kWideRoundingStoreP = {Form::P_VST_CONV_bf16_fp32_dmx_sts_srs_bf_idx,
                                             Form::P_VST_CONV_bf16_fp32_dmx_sts_srs_bf_idx_imm,
                                             Form::P_VST_CONV_bf16_fp32_dmx_sts_srs_bf_pstm_nrm,
                                             Form::P_VST_CONV_bf16_fp32_dmx_sts_srs_bf_pstm_nrm_imm,
                                             false,
                                             true,
                                             2 * kHalfBytes};

}  // namespace

/// 32 lanes of bf16 lie in half of an accumulator of AIE2P; AIE2 takes them by halves.
std::vector<Part> FloatSelector::partsOf(Type type) const {
  if (elementTypeOrSelf(type).isF32() || vectorBytes(type) <= kHalfBytes) return {Part::Low};
  if (emitter_.isAie2()) return {Part::Low, Part::High};
  return {Part::Whole};
}

RegClass FloatSelector::classOfSums(Part part) {
  return part == Part::Whole ? RegClass::Accumulator : RegClass::HalfAccumulator;
}

Operand FloatSelector::sumsFor(Operand sums, Part part) const {
  return part == Part::Whole ? sums.at(Part::Low) : sums.at(rowOfSums(emitter_));
}

/// The sums of each part in the register that a store reads them from.
bool FloatSelector::leaveToStore(Operation& op, std::vector<Operand> sums) {
  const bool isWide = vectorBytes(op.result().type()) > kHalfBytes;
  if (emitter_.isAie2()) return lateStores_.leaveToStore(op, kRoundingStore, std::move(sums));
  for (Operand& sum : sums)
    sum = sumsFor(sum, isWide ? Part::Whole : Part::Low);
  return lateStores_.leaveToStore(op, isWide ? kWideRoundingStoreP : kRoundingStoreP,
                                  std::move(sums));
}

/// Lanes as f32 in an accumulator: `part` of a vector of bf16, or all of one of f32.
Operand FloatSelector::widened(Operand vector, Part part, bool isF32) {
  Operand sums = emitter_.fresh(classOfSums(part));
  emitter_.emit(isF32 ? Form::VMOV_mv_x : Form::VCONV_FP32_BF16,
                {sumsFor(sums, part), isF32 ? vector : vector.at(part)});
  return sums;
}

void FloatSelector::narrowed(Operand to, Part part, Operand sums, bool isF32) {
  if (isF32) {
    emitter_.emit(Form::VMOV_mv_x, {to, sumsFor(sums, part)});
    return;
  }
  setRounding(emitter_);
  emitter_.emit(Form::VCONV_BF16_FP32, {to.at(part), sumsFor(sums, part)});
}

/// Sums of f32; of bf16 too, rounded twice, which gives the same with so many bits between.
Operand FloatSelector::sumOfFloats(Operation& op, Part part, bool isF32) {
  Operand a = widened(values_.reg(op.operand(0)), part, isF32);
  Operand b = widened(values_.reg(op.operand(1)), part, isF32);
  Operand sums = emitter_.fresh(classOfSums(part));
  emitter_.emit(op.is("arith.addf") ? Form::VADD_F : Form::VSUB_F,
                {sums, a, b, emitter_.constant(floatSum(emitter_))});
  return sums;
}

/// The products of bf16 with the sign that they have: the machine may make 0 of -0.
Operand FloatSelector::withSigns(Type type, Operand product, Operand a, Operand b) {
  Operand signs = exclusiveOr(emitter_, a, b);
  signs = computeVector(emitter_, Form::VBAND, signs, lanes_.splat(type, 0x8000));
  return computeVector(emitter_, Form::VBOR, product, signs);
}

/// On AIE2P all lanes at once.
void FloatSelector::multiplyLanes(Operation& op) {
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  const Part part = partsOf(op.result().type()).front();
  Operand sums = emitter_.fresh(classOfSums(part)), product = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::P_VMUL_f_vmul_bf_vmul_bf_core_X_X,
                {sums, a, b, emitter_.constant(kProductsOfBf16P)});
  narrowed(product, part, sums, false);
  values_.alias(op.result(), withSigns(op.result().type(), product, a, b));
}

/// The unit of AIE2 adds a second product to each: zeros.
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
  Operand signedProduct = withSigns(op.result().type(), product, a, b);
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
                  {values_.define(op.result()), a, b, emitter_.constant(floatSum(emitter_))});
    return true;
  }
  const std::vector<Part> parts = partsOf(type);
  if (op.is("arith.mulf")) {
    if (!emitter_.isAie2()) {
      multiplyLanes(op);
      return true;
    }
    Operand to = values_.define(op.result());
    for (Part part : parts)
      multiplyBf16(op, to, part);
    return true;
  }
  std::vector<Operand> sums;
  for (Part part : parts)
    sums.push_back(sumOfFloats(op, part, isF32));
  if (!isF32 && leaveToStore(op, sums)) return true;
  Operand to = values_.define(op.result());
  for (size_t i = 0; i < parts.size(); ++i)
    narrowed(to, parts[i], sums[i], isF32);
  return true;
}

/// `onSet` in the lanes in which `a` is less than `b` as integers, else `onClear`.
Operand FloatSelector::selectLess16(Operand a, Operand b, Operand onSet, Operand onClear) {
  Operand mask = emitter_.fresh(RegClass::Mask), result = emitter_.fresh(RegClass::Vector);
  compareLess(emitter_, 1, true, mask, a, b);
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

/// A function whose bf16 nobody uses as f32: each of these makes it.
static bool isMadeByUses(const Operation* function) {
  return function && isUnitFunction(function->name()) &&
         std::ranges::all_of(function->result().uses(), [&](OpOperand& use) {
           return use.owner()->is("arith.truncf") && use.owner()->block() == function->block();
         });
}

/// As bf16 in half of a vector register.
void FloatSelector::emitFunction(Operation& op, Operand half) {
  emitter_.emit(op.is("math.exp2") ? Form::P_VEXP2 : Form::P_VTANH,
                {half, rows_.sumOf(op.operand(0)).at(rowOfSums(emitter_))});
}

bool FloatSelector::selectFunction(Operation& op) {
  if (emitter_.isAie2() || !isFloatRow(op.result().type()) || !op.hasAttr(kBf16Result)) {
    op.emitOpError() << "computes " << op.result().type()
                     << "; not supported: anything but 16 lanes of f32 with '" << kBf16Result
                     << "' on AIE2P";
    return false;
  }
  if (isMadeByUses(&op)) return true;
  const Operand half = emitter_.fresh(RegClass::Vector).at(Part::Low);
  emitFunction(op, half);
  emitter_.emit(Form::VCONV_FP32_BF16, {values_.define(op.result()).at(rowOfSums(emitter_)), half});
  return true;
}

bool FloatSelector::selectFloatWidth(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  bool widens = op.is("arith.extf");
  if (widens && isFloatRow(op.result().type())) {
    Operand value = rows_.halfOf(op.operand(0));
    emitter_.emit(Form::VCONV_FP32_BF16,
                  {values_.define(op.result()).at(rowOfSums(emitter_)), value});
    return true;
  }
  Operation* from = op.operand(0).definingOp();
  if (!widens && isMadeByUses(from)) {
    emitFunction(*from, values_.define(op.result()).at(Part::Low));
    return true;
  }
  if (!widens && isFloatRow(op.operand(0).type())) {
    Operand sums = rows_.sumOf(op.operand(0));
    if (!leaveToStore(op, {sums})) narrowed(values_.define(op.result()), Part::Low, sums, false);
    return true;
  }
  Operand value = values_.reg(op.operand(0)), result = values_.define(op.result());
  Operand sums = widened(value, Part::Low, !widens);
  narrowed(result, Part::Low, sums, widens);
  return true;
}

}  // namespace airlite::npu::codegen
