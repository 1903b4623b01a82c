#include "SelectProducts.hpp"

#include "VectorForms.hpp"
#include "airlite/ir/OpDef.hpp"

#include <utility>
#include <vector>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

constexpr AccessForms kStoreTo16 = {Form::VST_SRS_S16_S32_ag_idx, Form::VST_SRS_S16_S32_ag_idx_imm,
                                    Form::VST_SRS_S16_S32_ag_pstm_nrm,
                                    Form::VST_SRS_S16_S32_ag_pstm_nrm_imm, true};
constexpr AccessForms kStoreTo8 = {Form::VST_SRS_S8_S32_ag_idx, Form::VST_SRS_S8_S32_ag_idx_imm,
                                   Form::VST_SRS_S8_S32_ag_pstm_nrm,
                                   Form::VST_SRS_S8_S32_ag_pstm_nrm_imm, true};
// Of AIE2P: 32 lanes of 16 bits; 64 and 32 lanes of 8.
constexpr AccessForms kStoreTo16P = {Form::P_VST_SRS_2x_dm_sts_srs_cm_idx_srsSign1,
                                     Form::P_VST_SRS_2x_dm_sts_srs_cm_idx_imm_srsSign1,
                                     Form::P_VST_SRS_2x_dm_sts_srs_cm_pstm_nrm_srsSign1,
                                     Form::P_VST_SRS_2x_dm_sts_srs_cm_pstm_nrm_imm_srsSign1,
                                     true,
                                     false,
                                     2 * kHalfBytes};
constexpr AccessForms kStoreTo8P = {Form::P_VST_SRS_4x_dmx_sts_srs_dm_idx_srsSign1,
                                    Form::P_VST_SRS_4x_dmx_sts_srs_dm_idx_imm_srsSign1,
                                    Form::P_VST_SRS_4x_dmx_sts_srs_dm_pstm_nrm_srsSign1,
                                    Form::P_VST_SRS_4x_dmx_sts_srs_dm_pstm_nrm_imm_srsSign1,
                                    true,
                                    false,
                                    2 * kHalfBytes};

// Shuffles (docs/hardware/vector_facts.md, section 9).
constexpr uint32_t kEvenWords = 4;       // T32_16x2_lo
constexpr uint32_t kSwapHalfWords = 38;  // T16_1x2_flip

}  // namespace

/// One instruction has the products of both halves, exactly, and adds them to `sums` where there are some.
Operand ProductSelector::addShort(Operand left, Operand right, uint32_t configuration,
                                  const Operand* sums) {
  const std::tuple key(sums ? sums->number : -1, left.number, right.number, configuration);
  if (const Operand* found = shortProducts_.find(key)) return *found;
  const Operand a = left.at(Part::Whole), b = right.at(Part::Whole),
                how = emitter_.constant(configuration), to = emitter_.fresh(RegClass::Accumulator);
  if (sums)
    emitter_.emit(Form::VMAC_vmac_cm_core_dense, {to, *sums, a, b, how});
  else
    emitter_.emit(Form::VMUL_vmac_cm_core_dense, {to, a, b, how});
  return shortProducts_.set(key, to);
}

void ProductSelector::multiplyShort(Operation& op) {
  constexpr uint32_t kLeftSigned = 0x200, kRightSigned = 0x100;
  Operation *a = widenerOfLanes(op.operand(0)), *b = widenerOfLanes(op.operand(1));
  Operand left = rows_.halfOf(a->operand(0)), right = rows_.halfOf(b->operand(0));
  const uint32_t configuration = kProductsOf16 | (a->is("arith.extsi") ? kLeftSigned : 0) |
                                 (b->is("arith.extsi") ? kRightSigned : 0);
  Operation* previous = nullptr;
  const bool isOne = isSummed(op, previous);
  const Operand sums =
      addShort(left, right, configuration, previous ? &sums_.at(previous) : nullptr);
  if (isOne)
    sums_[&op] = sums;
  else
    moveRow(op, sums, values_.define(op.result()));
}

void ProductSelector::moveRow(Operation& product, Operand sums, Operand to) {
  const Operand row = sums.at(productsOfHalf(emitter_, halfOfProduct(product)));
  emitter_.emit(Form::VMOV_mv_x, {to, row});
}

bool ProductSelector::selectAddition(Operation& op) {
  const std::optional<ProductSum> sum = productSumOf(op);
  if (!sum) return lanes_.selectLanes(op);
  if (!sum->product) return true;
  const Operand sums = sums_.at(sum->product);
  if (!sum->start) return moveRow(*sum->product, sums, values_.define(op.result())), true;
  const Operand start = values_.reg(sum->start), products = emitter_.fresh(RegClass::Vector);
  moveRow(*sum->product, sums, products);
  emitter_.emit(Form::VADD_32, {values_.define(op.result()), start, products});
  return true;
}

/// The low 32 bits of 32 products of 16 bits.
Operand ProductSelector::products16(Operand a, Operand b) {
  Operand sums = emitter_.fresh(RegClass::Accumulator);
  emitter_.emit(Form::VMUL_vmac_cm_core_dense, {sums, a, b, emitter_.constant(kProductsOf16)});
  return sums;
}

/// Narrowing cuts what is too large, and shifts by nothing.
void ProductSelector::narrowWraps(Form form, Operand to, Operand sums) {
  setShift(emitter_);
  changeWidth(emitter_, form, to, sums, Operand::of(Reg::s0));
}

void ProductSelector::multiply16(Operation& op, Operand sums) {
  const bool isWide = vectorBytes(op.result().type()) > kHalfBytes, isAie2 = emitter_.isAie2();
  std::vector<Operand> halves = {sums.at(Part::Low)};
  if (isWide && isAie2) halves.push_back(sums.at(Part::High));
  const AccessForms& forms = isAie2 ? kStoreTo16 : kStoreTo16P;
  if (!(isWide || isAie2) || !lateStores_.leaveToStore(op, forms, std::move(halves)))
    narrowWraps(Form::VSRS_S16_S32_mv_x_srs, values_.define(op.result()), sums);
}

/// AIE2P multiplies 64 lanes at once.
void ProductSelector::multiplyAll8(Operation& op, Operand a, Operand b) {
  Operand sums = emitter_.fresh(RegClass::Accumulator);
  emitter_.emit(Form::P_VMUL_vmul_cm_core_X_X, {sums, a, b, emitter_.constant(kProductsOf8)});
  const bool isWide = vectorBytes(op.result().type()) > kHalfBytes;
  if (isWide && lateStores_.leaveToStore(op, kStoreTo8P, {sums})) return;
  Operand to = values_.define(op.result());
  setShift(emitter_);
  setSumWidth(emitter_, false);
  if (isWide)
    emitter_.emit(Form::P_VSRS_4x_mv_x_srs_dm_srsSign1, {to, sums, Operand::of(Reg::s0)});
  else
    changeWidth(emitter_, Form::VSRS_S8_S32_mv_w_srs, to.at(Part::Low), sums, Operand::of(Reg::s0));
}

void ProductSelector::multiply8(Operation& op, Operand a, Operand b) {
  if (!emitter_.isAie2()) return multiplyAll8(op, a, b);
  std::vector<Operand> sums;
  for (Part part : {Part::Low, Part::High}) {
    if (part == Part::High && vectorBytes(op.result().type()) <= kHalfBytes) break;
    Operand wideA = emitter_.fresh(RegClass::Vector), wideB = emitter_.fresh(RegClass::Vector);
    emitter_.emit(Form::VUNPACK_S16_S8, {wideA, a.at(part)});
    emitter_.emit(Form::VUNPACK_S16_S8, {wideB, b.at(part)});
    sums.push_back(products16(wideA, wideB));
  }
  if (lateStores_.leaveToStore(op, kStoreTo8, sums)) return;
  Operand to = values_.define(op.result());
  for (size_t i = 0; i < sums.size(); ++i)
    narrowWraps(Form::VSRS_S8_S32_mv_w_srs, to.at(i ? Part::High : Part::Low), sums[i]);
}

/// From halves: low * low, and above it the two mixed products, of which 16 bits count.
void ProductSelector::multiply32(Operand to, Operand a, Operand b) {
  auto shuffle = [&](Operand x, Operand y, uint32_t mode) {
    return shuffled(emitter_, x, y, mode);
  };
  Operand mixed = emitter_.fresh(RegClass::Vector);
  narrowWraps(Form::VSRS_S16_S32_mv_x_srs, mixed, products16(a, shuffle(b, b, kSwapHalfWords)));
  Operand sums =
      computeVector(emitter_, Form::VADD_16, mixed, shuffle(mixed, mixed, kSwapHalfWords));
  Operand mask = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VBCST_32, {mask, emitter_.constant(0xffff0000)});
  Operand high = computeVector(emitter_, Form::VBAND, sums, mask);
  Operand straight = products16(a, b);
  Operand first = emitter_.fresh(RegClass::Vector), second = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VMOV_mv_x, {first, straight.at(productsOfHalf(emitter_, Part::Low))});
  emitter_.emit(Form::VMOV_mv_x, {second, straight.at(productsOfHalf(emitter_, Part::High))});
  emitter_.emit(Form::VADD_32, {to, shuffle(first, second, kEvenWords), high});
}

bool ProductSelector::selectProduct(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  if (isShortProduct(op)) {
    multiplyShort(op);
    return true;
  }
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  switch (laneIndex(type)) {
    case 0: multiply8(op, a, b); return true;
    case 1: multiply16(op, products16(a, b)); return true;
    default: multiply32(values_.define(op.result()), a, b); return true;
  }
}

}  // namespace airlite::npu::codegen
