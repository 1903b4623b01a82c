// Slot words: the bits of one instruction, both ways, from the same rows.
#include "airlite/npu/isa/Instruction.hpp"

#include <fmt/format.h>

#include <cassert>

namespace airlite::npu::isa {
namespace {

uint64_t bits(unsigned width) { return (uint64_t{1} << width) - 1; }

uint64_t gather(const OperandRow& op, uint64_t word) {
  uint64_t field = 0;
  for (unsigned i = 0; i < op.pieceCount; ++i) {
    const BitPiece& piece = op.pieces[i];
    field |= (word >> piece.word & bits(piece.width)) << piece.operand;
  }
  return field;
}

uint64_t scatter(const OperandRow& op, uint64_t field) {
  uint64_t word = 0;
  for (unsigned i = 0; i < op.pieceCount; ++i) {
    const BitPiece& piece = op.pieces[i];
    word |= (field >> piece.operand & bits(piece.width)) << piece.word;
  }
  return word;
}

/// Ranges that begin below zero are signed. Those that end there too have lost a sign bit of 1.
int32_t immediateOf(const ImmediateRow& range, uint64_t field) {
  auto value = static_cast<int64_t>(field);
  bool negative = range.smallest < 0 && (range.largest < 0 || (field >> (range.width - 1) & 1));
  if (negative) value -= int64_t{1} << range.width;
  return static_cast<int32_t>(value * range.step);
}

uint64_t fieldOf(const OperandRow& op, int32_t value) {
  if (op.kind == OperandKind::Immediate)
    return static_cast<uint64_t>(value / immediate(op.type).step);
  std::optional<unsigned> code = codeOf(op.type, static_cast<Reg>(value));
  assert(code && "instructions are checked when they are made");
  return code.value_or(0);
}

std::optional<int32_t> valueOf(const OperandRow& op, uint64_t field) {
  if (op.kind == OperandKind::Immediate) return immediateOf(immediate(op.type), field);
  std::optional<Reg> reg = registerOf(op.type, static_cast<unsigned>(field));
  return reg ? std::optional(static_cast<int32_t>(*reg)) : std::nullopt;
}

bool hasPieces(const OperandRow& op) { return op.pieceCount != 0; }

/// The first operand whose bits name nothing; null when all are fine.
const OperandRow* badOperand(const FormRow& form, uint64_t word) {
  for (const OperandRow& op : form.ops())
    if (hasPieces(op) && !valueOf(op, gather(op, word))) return &op;
  return nullptr;
}

/// Why no form of the slot takes the word: of a form whose fixed bits hold, or of none.
std::string whyUnknown(Slot slot, uint64_t word, const InstructionSet& set) {
  for (Form f : formsOf(slot, set)) {
    const FormRow& form = row(f);
    if ((word & form.fixedMask) != form.fixedValue) continue;
    const OperandRow* op = badOperand(form, word);
    return fmt::format(
        "slot {}: {:#x} would be '{}', but {:#x} in its operand '{}' names no register", name(slot),
        word, form.mnemonic(), gather(*op, word), op->name);
  }
  return fmt::format("slot {}: no instruction has the bits {:#x}", name(slot), word);
}

}  // namespace

Result<Instruction> Instruction::decode(Slot slot, uint64_t word, const InstructionSet& set) {
  for (Form f : formsOf(slot, set)) {
    const FormRow& form = isa::row(f);
    if ((word & form.fixedMask) != form.fixedValue || badOperand(form, word)) continue;
    if (word & form.ignoredMask)
      return Error{fmt::format("slot {}: '{}' has no meaning for the bits {:#x}, which must be 0",
                               name(slot), form.mnemonic(), word & form.ignoredMask)};
    Instruction made;
    made.form_ = f;
    for (unsigned i = 0; i < form.operandCount; ++i)
      if (hasPieces(form.operands[i]))
        made.setOperand(i, *valueOf(form.operands[i], gather(form.operands[i], word)));
    made.setImplied();
    return made;
  }
  return Error{whyUnknown(slot, word, set)};
}

uint64_t Instruction::encode() const {
  const FormRow& form = row();
  uint64_t word = form.fixedValue;
  for (unsigned i = 0; i < form.operandCount; ++i)
    if (hasPieces(form.operands[i]))
      word |= scatter(form.operands[i], fieldOf(form.operands[i], value(i)));
  return word;
}

}  // namespace airlite::npu::isa
