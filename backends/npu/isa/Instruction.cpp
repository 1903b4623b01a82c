// Making instructions: whatever leaves here can be encoded.
#include "airlite/npu/isa/Instruction.hpp"

#include <fmt/format.h>

namespace airlite::npu::isa {
namespace {

bool isEncoded(const OperandRow& op) {
  return op.kind == OperandKind::Register || op.kind == OperandKind::Immediate;
}

/// `mac r0, r0, r1, r2`: the text names both, the bits are the same.
bool areOne(const OperandRow& a, const OperandRow& b) {
  return isEncoded(a) && isEncoded(b) && a.letter == b.letter;
}

Error wrongOperand(const FormRow& form, const OperandRow& op, std::string_view why) {
  return {fmt::format("operand '{}' of '{}' {}", op.name, form.mnemonic(), why)};
}

Result<void> checkRegister(const FormRow& form, const OperandRow& op, Value value,
                           const InstructionSet& set) {
  if (!value.isRegister) return wrongOperand(form, op, "is a register: " + describe(op.type, set));
  if (contains(op.type, value.reg())) return {};
  return wrongOperand(
      form, op, fmt::format("cannot be {}: {}", textOf(value.reg(), set), describe(op.type, set)));
}

Result<void> checkImmediate(const FormRow& form, const OperandRow& op, int64_t value) {
  if (auto fitting = fits(op.type, value); !fitting)
    return wrongOperand(form, op, "is " + fitting.error().message);
  return {};
}

Result<void> check(const FormRow& form, const OperandRow& op, Value value,
                   const InstructionSet& set) {
  if (op.kind == OperandKind::Register) return checkRegister(form, op, value, set);
  if (value.isRegister) return wrongOperand(form, op, "is a number: " + describe(op.type));
  return checkImmediate(form, op, value.number);
}

std::string describeRun(const RegRun& run, const InstructionSet& set) {
  std::string first(textOf(run.first, set));
  if (run.count == 1) return first;
  auto last = static_cast<Reg>(static_cast<int>(run.first) + (run.count - 1) * run.step);
  return first + "-" + std::string(textOf(last, set));
}

}  // namespace

Result<void> fits(OperandType type, int64_t value) {
  const ImmediateRow& range = immediate(type);
  if (value >= range.smallest && value <= range.largest && value % range.step == 0) return {};
  return Error{fmt::format("{}, it takes {}", value, describe(type))};
}

std::string describe(OperandType type, const InstructionSet& set) {
  std::string text;
  if (isRegister(type)) {
    for (const RegRun& run : regClass(type).runs)
      if (run.count) text += (text.empty() ? "" : ", ") + describeRun(run, set);
    return text;
  }
  const ImmediateRow& range = immediate(type);
  text = fmt::format("{} to {}", range.smallest, range.largest);
  return range.step > 1 ? fmt::format("multiples of {} from {}", range.step, text) : text;
}

int32_t Instruction::value(unsigned i) const {
  return row().operands[i].kind == OperandKind::Immediate ? imm(i) : values_[i];
}

void Instruction::setOperand(unsigned i, int32_t value) {
  const OperandRow& op = row().operands[i];
  bool isImmediate = op.kind == OperandKind::Immediate;
  values_[i] = static_cast<int16_t>(isImmediate ? op.immediate : value);
  if (isImmediate) immediates_[op.immediate] = value;
}

bool Instruction::setLetter(char letter, int32_t value) {
  bool found = false;
  const FormRow& form = row();
  for (unsigned i = 0; i < form.operandCount; ++i) {
    if (!isEncoded(form.operands[i]) || form.operands[i].letter != letter) continue;
    setOperand(i, value);
    found = true;
  }
  return found;
}

void Instruction::setImplied() {
  const FormRow& form = row();
  for (unsigned i = 0; i < form.operandCount; ++i) {
    const OperandRow& op = form.operands[i];
    if (op.kind == OperandKind::Fixed) values_[i] = static_cast<int16_t>(op.reg);
    if (op.kind == OperandKind::Part)
      values_[i] = static_cast<int16_t>(partOf(reg(op.of), op.part));
  }
}

Result<Instruction> Instruction::make(Form form, std::span<const Value> values) {
  Instruction made;
  made.form_ = form;
  const FormRow& f = made.row();
  size_t next = 0;
  for (unsigned i = 0; i < f.textCount; ++i) {
    const OperandRow& op = f.operands[f.textOrder[i]];
    if (!isEncoded(op)) continue;
    if (next == values.size()) return wrongOperand(f, op, "is missing");
    Value value = values[next++];
    if (auto checked = check(f, op, value, setOf(form)); !checked) return checked.error();
    for (unsigned j = 0; j < i; ++j)
      if (const OperandRow& twin = f.operands[f.textOrder[j]]; areOne(twin, op))
        if (made.value(f.textOrder[j]) != value.number)
          return wrongOperand(f, op, fmt::format("is the same register as '{}'", twin.name));
    made.setLetter(op.letter, value.number);
  }
  if (next != values.size())
    return Error{fmt::format("'{}' takes {} operands, not {}", f.mnemonic(), next, values.size())};
  made.setImplied();
  return made;
}

Instruction Instruction::nop(Slot slot, const InstructionSet& set) {
  Instruction made;
  made.form_ = set.row(slot).nop;
  return made;
}

std::array<Value, kMaxOperands> Instruction::textValues() const {
  std::array<Value, kMaxOperands> values{};
  const FormRow& form = row();
  size_t next = 0;
  for (unsigned i = 0; i < form.textCount; ++i) {
    unsigned at = form.textOrder[i];
    const OperandRow& op = form.operands[at];
    if (isEncoded(op)) values[next++] = {op.kind == OperandKind::Register, value(at)};
  }
  return values;
}

Result<Instruction> Instruction::withImmediate(unsigned operand, int64_t value) const {
  const OperandRow& op = row().operands[operand];
  if (auto checked = checkImmediate(row(), op, value); !checked) return checked.error();
  Instruction changed = *this;
  changed.setLetter(op.letter, static_cast<int32_t>(value));
  return changed;
}

}  // namespace airlite::npu::isa
