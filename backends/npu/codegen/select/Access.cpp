#include "Access.hpp"

#include "VectorForms.hpp"

#include <array>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr AccessForms kVectorLoad = {Form::VLDA_dmw_lda_w_ag_idx, Form::VLDA_dmw_lda_w_ag_idx_imm,
                                     Form::VLDA_dmw_lda_w_ag_pstm_nrm,
                                     Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm};
constexpr AccessForms kVectorStore = {Form::VST_dmw_sts_w_ag_idx, Form::VST_dmw_sts_w_ag_idx_imm,
                                      Form::VST_dmw_sts_w_ag_pstm_nrm,
                                      Form::VST_dmw_sts_w_ag_pstm_nrm_imm};
// Accumulators, by quarters.
constexpr AccessForms kSumLoad = {Form::VLDA_dmw_lda_am_ag_idx, Form::VLDA_dmw_lda_am_ag_idx_imm,
                                  Form::VLDA_dmw_lda_am_ag_pstm_nrm,
                                  Form::VLDA_dmw_lda_am_ag_pstm_nrm_imm};
constexpr AccessForms kSumStore = {Form::VST_dmw_sts_am_ag_idx, Form::VST_dmw_sts_am_ag_idx_imm,
                                   Form::VST_dmw_sts_am_ag_pstm_nrm,
                                   Form::VST_dmw_sts_am_ag_pstm_nrm_imm};

// Of AIE2P: 256 bits, 512 bits, and quarters of accumulators.
constexpr AccessForms kHalfLoadP = {Form::P_VLDA_dmw_lda_w_idx, Form::P_VLDA_dmw_lda_w_idx_imm,
                                    Form::P_VLDA_dmw_lda_w_pstm_nrm,
                                    Form::P_VLDA_dmw_lda_w_pstm_nrm_imm};
constexpr AccessForms kHalfStoreP = {Form::P_VST_dmw_sts_w_idx, Form::P_VST_dmw_sts_w_idx_imm,
                                     Form::P_VST_dmw_sts_w_pstm_nrm,
                                     Form::P_VST_dmw_sts_w_pstm_nrm_imm};

constexpr AccessForms wide(Form indexed, Form immediate, Form stepped, Form steppedImmediate,
                           Part alone) {
  return {indexed, immediate, stepped, steppedImmediate, false, false, 2 * kHalfBytes, alone};
}
constexpr AccessForms kVectorLoadP =
    wide(Form::P_VLDA_dmx_lda_x_idx, Form::P_VLDA_dmx_lda_x_idx_imm,
         Form::P_VLDA_dmx_lda_x_pstm_nrm, Form::P_VLDA_dmx_lda_x_pstm_nrm_imm, Part::Whole);
constexpr AccessForms kVectorStoreP =
    wide(Form::P_VST_dmx_sts_x_idx, Form::P_VST_dmx_sts_x_idx_imm, Form::P_VST_dmx_sts_x_pstm_nrm,
         Form::P_VST_dmx_sts_x_pstm_nrm_imm, Part::Whole);
constexpr AccessForms kSumLoadP =
    wide(Form::P_VLDA_dmx_lda_bm_idx, Form::P_VLDA_dmx_lda_bm_idx_imm,
         Form::P_VLDA_dmx_lda_bm_pstm_nrm, Form::P_VLDA_dmx_lda_bm_pstm_nrm_imm, Part::Quarter0);
constexpr AccessForms kSumStoreP =
    wide(Form::P_VST_dmx_sts_bm_idx, Form::P_VST_dmx_sts_bm_idx_imm,
         Form::P_VST_dmx_sts_bm_pstm_nrm, Form::P_VST_dmx_sts_bm_pstm_nrm_imm, Part::Quarter0);

}  // namespace

const AccessForms& vectorLoad(const Emitter& emitter, unsigned bytes) {
  if (emitter.isAie2()) return kVectorLoad;
  return bytes > kHalfBytes ? kVectorLoadP : kHalfLoadP;
}
const AccessForms& vectorStore(const Emitter& emitter, unsigned bytes) {
  if (emitter.isAie2()) return kVectorStore;
  return bytes > kHalfBytes ? kVectorStoreP : kHalfStoreP;
}
const AccessForms& sumLoad(const Emitter& emitter) {
  return emitter.isAie2() ? kSumLoad : kSumLoadP;
}
const AccessForms& sumStore(const Emitter& emitter) {
  return emitter.isAie2() ? kSumStore : kSumStoreP;
}

const isa::ImmediateRow& offsetRange(const AccessForms& forms) {
  const isa::FormRow& form = isa::row(forms.immediate);
  return isa::immediate(form.operands[form.textOrder[forms.hasShift ? 3 : 2]].type);
}

Address fixedAddress(Emitter& emitter, uint32_t target, unsigned bytes, const AccessForms& forms) {
  const isa::ImmediateRow& range = offsetRange(forms);
  const auto reach = static_cast<uint32_t>(range.largest - range.smallest + range.step);
  uint32_t middle = target / reach * reach - static_cast<uint32_t>(range.smallest);
  return {emitter.constant(middle, RegClass::Pointer),
          Operand::imm(int64_t{target} - middle),
          {false, target, target + bytes}};
}

Address nextPart(Emitter& emitter, const Address& address, const AccessForms& forms) {
  Address next = address;
  const auto bytes = static_cast<int32_t>(forms.partBytes);
  next.inLoop.offset += bytes;
  if (!address.steps.empty()) {
    next.steps = address.steps.subspan(1);
    return next;
  }
  const int32_t largest = offsetRange(forms).largest;
  if (address.isImmediate() && address.offset.number + bytes <= largest) {
    next.offset.number += bytes;
    return next;
  }
  next.inLoop = {};
  next.pointer = emitter.fresh(RegClass::Pointer);
  emitter.copy(next.pointer, address.pointer, RegClass::Pointer);
  emitter.emit(Form::PADDA_lda_ptr_inc_idx_imm, {next.pointer, Operand::imm(bytes)});
  return next;
}

bool hasStep(const AccessForms& forms, int32_t step, bool isFar) {
  constexpr int32_t kSmallestNear = -256, kLargestNear = 224;
  const isa::FormRow& form = isa::row(forms.steppedImmediate);
  const bool hasTwoSlots = forms.steppedImmediate == Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm;
  if (hasTwoSlots && !isFar && (step < kSmallestNear || step > kLargestNear)) return false;
  return bool(isa::fits(form.operands[form.textOrder[forms.hasShift ? 3 : 2]].type, step));
}

MachineInst& accessPart(Emitter& emitter, const AccessForms& forms, Operand value,
                        const Address& at) {
  Form form = at.isImmediate() ? forms.immediate : forms.indexed;
  Operand offset = at.offset;
  if (!at.steps.empty()) {
    const int32_t step = at.steps.front();
    const bool isShort = hasStep(forms, step, at.hasFarSteps);
    form = isShort ? forms.steppedImmediate : forms.stepped;
    offset = isShort ? Operand::imm(step)
                     : emitter.constant(static_cast<uint32_t>(step), RegClass::Step);
  }
  if (forms.hasShift) setShift(emitter);
  if (forms.hasShift) setSumWidth(emitter, false);
  if (forms.rounds) setRounding(emitter);
  MachineInst& access =
      forms.hasShift ? emitter.emit(form, {value, Operand::of(isa::Reg::s0), at.pointer, offset})
                     : emitter.emit(form, {value, at.pointer, offset});
  access.memory = at.place;
  access.inLoop = at.inLoop;
  return access;
}

void accessParts(Emitter& emitter, const AccessForms& forms, Operand value, unsigned bytes,
                 Address at) {
  constexpr std::array kHalves = {Part::Low, Part::High};
  constexpr std::array kQuarters = {Part::Quarter0, Part::Quarter1, Part::Quarter2, Part::Quarter3};
  const unsigned parts = bytes / forms.partBytes;
  if (parts == 1) {
    accessPart(emitter, forms, value.at(forms.alone), at);
    return;
  }
  for (unsigned i = 0; i < parts; ++i) {
    if (i) at = nextPart(emitter, at, forms);
    accessPart(emitter, forms, value.at(parts > 2 ? kQuarters[i] : kHalves[i]), at);
  }
}

}  // namespace airlite::npu::codegen
