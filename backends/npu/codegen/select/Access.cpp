#include "Access.hpp"

#include "VectorForms.hpp"

#include <array>

namespace airlite::npu::codegen {

using isa::Form;

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
  next.inLoop.offset += kHalfBytes;
  if (!address.steps.empty()) {
    next.steps = address.steps.subspan(1);
    return next;
  }
  const int32_t largest = offsetRange(forms).largest;
  if (address.isImmediate() &&
      address.offset.number + static_cast<int32_t>(kHalfBytes) <= largest) {
    next.offset.number += kHalfBytes;
    return next;
  }
  next.inLoop = {};
  next.pointer = emitter.fresh(RegClass::Pointer);
  emitter.copy(next.pointer, address.pointer, RegClass::Pointer);
  emitter.emit(Form::PADDA_lda_ptr_inc_idx_imm, {next.pointer, Operand::imm(kHalfBytes)});
  return next;
}

namespace {

/// The immediates that may follow a load of 32 bytes of a vector: the second load slot has short
/// ones only, and a load had better fit both slots.
constexpr int32_t kSmallestLoadStep = -256, kLargestLoadStep = 224;

/// Whether an immediate can be the step.
bool hasStep(const AccessForms& forms, int32_t step) {
  const isa::FormRow& form = isa::row(forms.steppedImmediate);
  bool isLoad = forms.steppedImmediate == Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm;
  if (isLoad && (step < kSmallestLoadStep || step > kLargestLoadStep)) return false;
  return bool(isa::fits(form.operands[form.textOrder[forms.hasShift ? 3 : 2]].type, step));
}

}  // namespace

MachineInst& accessPart(Emitter& emitter, const AccessForms& forms, Operand value,
                        const Address& at) {
  Form form = at.isImmediate() ? forms.immediate : forms.indexed;
  Operand offset = at.offset;
  if (!at.steps.empty()) {
    const int32_t step = at.steps.front();
    const bool isShort = hasStep(forms, step);
    form = isShort ? forms.steppedImmediate : forms.stepped;
    offset = isShort ? Operand::imm(step)
                     : emitter.constant(static_cast<uint32_t>(step), RegClass::Step);
  }
  if (forms.hasShift) setShift(emitter);
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
  const bool isWhole = bytes > 2 * kHalfBytes;
  for (unsigned i = 0; i < bytes / kHalfBytes; ++i) {
    if (i) at = nextPart(emitter, at, forms);
    accessPart(emitter, forms, value.at(isWhole ? kQuarters[i] : kHalves[i]), at);
  }
}

}  // namespace airlite::npu::codegen
