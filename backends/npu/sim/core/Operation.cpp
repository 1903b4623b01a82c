#include "Operation.hpp"

#include "airlite/npu/isa/Timing.hpp"

#include <algorithm>

namespace airlite::npu::sim::core {
namespace {

using isa::AddressMode;
using isa::Reg;

constexpr std::string_view kAddressNames[] = {"ptr", "ptr_out", "res", "mod", "dj", "imm"};

/// The widest access of the memory ports: 32 bytes on AIE2, 64 on AIE2P.
constexpr uint8_t kWidestAlignment = 64;

bool makesAddress(const isa::FormRow& form, unsigned operand) {
  const isa::OperandRow& op = form.operands[operand];
  return form.address != AddressMode::None &&
         (op.kind == isa::OperandKind::Part ||
          std::ranges::find(kAddressNames, op.name) != std::end(kAddressNames));
}

/// Exceptions of the float units are not modelled, the stack pointer belongs to the address.
bool isLeftOut(Reg reg, const isa::FormRow& form) {
  switch (reg) {
    case Reg::crFPMask:
    case Reg::crF2IMask:
    case Reg::crF2FMask:
    case Reg::crF2BMask:
    case Reg::srFPFlags:
    case Reg::srF2IFlags:
    case Reg::srF2FFlags:
    case Reg::srF2BFlags:
    case Reg::tile_cntr:
    case Reg::DMb:
    case Reg::DMh:
    case Reg::pe2_ads: return true;
    case Reg::SP:
      return form.address == AddressMode::Stack || form.address == AddressMode::StackImm;
    default: return false;
  }
}

void addAddressOperand(AddressUse& address, const isa::Instruction& instruction, unsigned i) {
  const isa::OperandRow& operand = instruction.row().operands[i];
  if (operand.name == "ptr") address.pointer = instruction.reg(i);
  if (operand.name == "imm") address.immediate = instruction.imm(i);
  if (operand.name != "mod" && operand.name != "dj") return;
  address.modifier = instruction.reg(i);
  address.hasModifier = true;
}

void addAccess(Operation& op, const isa::Access& access) {
  const Place* place = &placeOf(access.reg);
  if (access.isDef)
    op.out[op.outCount++] = {place, access.cycle, access.bypass};
  else
    op.in[op.inCount++] = {place, 0, access.cycle, access.bypass};
  if (access.isDef && (access.reg == Reg::LS || access.reg == Reg::LE || access.reg == Reg::LC))
    op.setsLoop = true;
}

/// Operands in the order of the form: immediates stand between the registers.
void addOperands(Operation& op, const isa::Instruction& instruction) {
  const isa::FormRow& form = instruction.row();
  isa::Accesses accesses = accessesOf(instruction);
  const isa::Access* access = accesses.begin();
  for (unsigned i = 0; i < form.operandCount; ++i) {
    bool isImmediate = form.operands[i].kind == isa::OperandKind::Immediate;
    if (makesAddress(form, i))
      addAddressOperand(op.address, instruction, i);
    else if (isImmediate)
      op.in[op.inCount++] = {nullptr, instruction.imm(i)};
    else
      addAccess(op, *access);
    access += !isImmediate;
  }
  for (; access != accesses.end(); ++access)
    if (!isLeftOut(access->reg, form)) addAccess(op, *access);
}

void addStep(Operation& op, StepKind kind, unsigned cycle, unsigned input = 0) {
  op.steps[op.stepCount++] = {kind, static_cast<uint8_t>(cycle), static_cast<uint8_t>(input)};
}

/// A result is computed when the last operand is there.
void addSteps(Operation& op, const isa::FormRow& form, const isa::ItineraryRow& itinerary) {
  unsigned run = 1;
  for (unsigned i = 0; i < op.inCount; ++i) {
    addStep(op, StepKind::Read, op.in[i].cycle, i);
    run = std::max<unsigned>(run, op.in[i].cycle);
  }
  if (form.is(isa::kLoads)) addStep(op, StepKind::Load, itinerary.firstMemoryCycle());
  if (form.is(isa::kLoads)) run = std::max(run, itinerary.firstMemoryCycle());
  if (op.semantic.ask) addStep(op, StepKind::Ask, op.semantic.askCycle);
  if (op.semantic.ask) run = std::max<unsigned>(run, op.semantic.askCycle);
  if (op.semantic.run) addStep(op, StepKind::Run, run);
  if (form.is(isa::kStores)) addStep(op, StepKind::Store, itinerary.lastMemoryCycle());
  std::stable_sort(op.steps.begin(), op.steps.begin() + op.stepCount,
                   [](const Step& a, const Step& b) { return a.cycle < b.cycle; });
}

}  // namespace

bool makeOperation(const isa::Instruction& instruction, Operation& op) {
  const Semantic* semantic = semanticOf(instruction.form());
  op.form = instruction.form();
  if (!semantic) return false;
  const isa::FormRow& form = instruction.row();
  op.semantic = *semantic;
  op.address.mode = form.address;
  op.memoryBytes = form.is(isa::kPartWord) ? 4 : form.memoryBytes;
  op.alignment = std::min(form.memoryBytes, kWidestAlignment);
  op.isJump = form.isJump();
  op.isOnBus = form.mnemonic().starts_with("lda.tm") || form.mnemonic().starts_with("st.tm");
  addOperands(op, instruction);
  addSteps(op, form, row(itineraryOf(instruction)));
  return true;
}

}  // namespace airlite::npu::sim::core
