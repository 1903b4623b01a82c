// From instructions to text: the form's text with the operands filled in.
#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <cctype>

namespace airlite::npu::isa {
namespace {

std::string operandText(const Instruction& instruction, unsigned index, const SymbolNames* names) {
  const OperandRow& op = instruction.row().operands[index];
  if (op.kind != OperandKind::Immediate)
    return std::string(textOf(instruction.reg(index), instruction.set()));
  int32_t value = instruction.imm(index);
  if (names)
    if (std::string name = names->nameOf(instruction, index); !name.empty()) return "#" + name;
  if (names && immediate(op.type).isTarget)
    if (std::string name = names->nameOf(value); !name.empty()) return "#" + name;
  return fmt::format("#{}", value);
}

bool isFieldChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string print(const Instruction& instruction, const SymbolNames* names) {
  const FormRow& form = instruction.row();
  std::string text;
  unsigned next = 0;
  for (size_t at = 0; at < form.text.size();) {
    if (form.text[at] != '$') {
      text += form.text[at++];
      continue;
    }
    text += operandText(instruction, form.textOrder[next++], names);
    for (++at; at < form.text.size() && isFieldChar(form.text[at]);)
      ++at;
  }
  return text;
}

std::string print(const Bundle& bundle, const SymbolNames* names) {
  std::string text;
  for (unsigned slot = 0; slot < kSlotCount; ++slot) {
    const Instruction* instruction = bundle.find(static_cast<Slot>(slot));
    if (!instruction) continue;
    if (!text.empty()) text += " ; ";
    text += print(*instruction, names);
  }
  return text;
}

}  // namespace airlite::npu::isa
