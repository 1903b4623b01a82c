// Making instructions: whatever leaves here can be encoded.
#include "airlite/npu/isa/Instruction.hpp"

#include <fmt/format.h>

namespace airlite::npu::isa {
namespace {

bool isEncoded(const OperandRow& op) {
  return op.kind == OperandKind::Register || op.kind == OperandKind::Immediate;
}

std::string wrongOperand(const FormRow& form, const OperandRow& op, std::string_view why) {
  return fmt::format("operand '{}' of '{}' {}", op.name, form.mnemonic(), why);
}

bool checkRegister(const FormRow& form, const OperandRow& op, Value value, std::string& error) {
  if (!value.isRegister) {
    error = wrongOperand(form, op, "is a register: " + describe(op.type));
    return false;
  }
  if (contains(op.type, value.reg())) return true;
  error = wrongOperand(form, op,
                       fmt::format("cannot be {}: {}", row(value.reg()).text, describe(op.type)));
  return false;
}

bool check(const FormRow& form, const OperandRow& op, Value value, std::string& error) {
  if (op.kind == OperandKind::Register) return checkRegister(form, op, value, error);
  if (value.isRegister) {
    error = wrongOperand(form, op, "is a number: " + describe(op.type));
    return false;
  }
  if (fits(op.type, value.number, error)) return true;
  error = wrongOperand(form, op, "is " + error);
  return false;
}

std::string describeRun(const RegRun& run) {
  std::string first(row(run.first).text);
  if (run.count == 1) return first;
  auto last = static_cast<Reg>(static_cast<int>(run.first) + (run.count - 1) * run.step);
  return first + "-" + std::string(row(last).text);
}

}  // namespace

bool fits(OperandType type, int64_t value, std::string& error) {
  const ImmediateRow& range = immediate(type);
  if (value >= range.smallest && value <= range.largest && value % range.step == 0) return true;
  error = fmt::format("{}, it takes {}", value, describe(type));
  return false;
}

std::string describe(OperandType type) {
  std::string text;
  if (isRegister(type)) {
    for (const RegRun& run : regClass(type).runs)
      if (run.count) text += (text.empty() ? "" : ", ") + describeRun(run);
    return text;
  }
  const ImmediateRow& range = immediate(type);
  text = fmt::format("{} to {}", range.smallest, range.largest);
  return range.step > 1 ? fmt::format("multiples of {} from {}", range.step, text) : text;
}

bool Instruction::setLetter(char letter, int32_t value) {
  bool found = false;
  const FormRow& form = row();
  for (unsigned i = 0; i < form.operandCount; ++i) {
    if (!isEncoded(form.operands[i]) || form.operands[i].letter != letter) continue;
    values_[i] = value;
    found = true;
  }
  return found;
}

void Instruction::setImplied() {
  const FormRow& form = row();
  for (unsigned i = 0; i < form.operandCount; ++i) {
    const OperandRow& op = form.operands[i];
    if (op.kind == OperandKind::Fixed) values_[i] = static_cast<int32_t>(op.reg);
    if (op.kind == OperandKind::Part)
      values_[i] = static_cast<int32_t>(partOf(reg(op.of), op.part));
  }
}

std::optional<Instruction> Instruction::make(Form form, std::span<const Value> values,
                                             std::string& error) {
  Instruction made;
  made.form_ = form;
  const FormRow& f = made.row();
  size_t next = 0;
  for (unsigned i = 0; i < f.textCount; ++i) {
    const OperandRow& op = f.operands[f.textOrder[i]];
    if (!isEncoded(op)) continue;
    if (next == values.size()) {
      error = wrongOperand(f, op, "is missing");
      return std::nullopt;
    }
    Value value = values[next++];
    if (!check(f, op, value, error)) return std::nullopt;
    made.setLetter(op.letter, value.number);
  }
  if (next != values.size()) {
    error = fmt::format("'{}' takes {} operands, not {}", f.mnemonic(), next, values.size());
    return std::nullopt;
  }
  made.setImplied();
  return made;
}

Instruction Instruction::nop(Slot slot) {
  Instruction made;
  made.form_ = isa::row(slot).nop;
  return made;
}

std::array<Value, kMaxOperands> Instruction::textValues() const {
  std::array<Value, kMaxOperands> values{};
  const FormRow& form = row();
  size_t next = 0;
  for (unsigned i = 0; i < form.textCount; ++i) {
    unsigned at = form.textOrder[i];
    const OperandRow& op = form.operands[at];
    if (isEncoded(op)) values[next++] = {op.kind == OperandKind::Register, values_[at]};
  }
  return values;
}

std::optional<Instruction> Instruction::withImmediate(unsigned operand, int64_t value,
                                                      std::string& error) const {
  const OperandRow& op = row().operands[operand];
  if (!fits(op.type, value, error)) {
    error = wrongOperand(row(), op, "is " + error);
    return std::nullopt;
  }
  Instruction changed = *this;
  changed.setLetter(op.letter, static_cast<int32_t>(value));
  return changed;
}

}  // namespace airlite::npu::isa
