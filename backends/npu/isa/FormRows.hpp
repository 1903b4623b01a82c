// How the rows of Forms*.inc are written, and what follows from their patterns and texts.
#pragma once

#include "RegList.hpp"
#include "airlite/npu/isa/Tables.hpp"

#include <algorithm>

namespace airlite::npu::isa::rows {

struct OperandText {
  std::string_view name;
  OperandKind kind;
  bool isDef;
  OperandType type;
  Reg reg;
  RegPart part;
  char letter;
};

using T = OperandType;
using Address = AddressMode;

constexpr OperandText operand(std::string_view name, bool isDef, T type, char letter) {
  OperandKind kind =
      static_cast<unsigned>(type) < kRegClassCount ? OperandKind::Register : OperandKind::Immediate;
  return {name, kind, isDef, type, {}, {}, letter};
}
constexpr OperandText out(std::string_view name, T type, char letter) {
  return operand(name, true, type, letter);
}
constexpr OperandText in(std::string_view name, T type, char letter) {
  return operand(name, false, type, letter);
}
constexpr OperandText fixed(std::string_view name, bool isDef, Reg reg) {
  return {name, OperandKind::Fixed, isDef, {}, reg, {}, 0};
}
/// `letter` is that of the operand it follows from.
constexpr OperandText part(std::string_view name, bool isDef, char letter, RegPart part) {
  return {name, OperandKind::Part, isDef, {}, {}, part, letter};
}

struct FormText {
  std::string_view name, text, pattern;
  Slot slot;
  Itinerary itinerary;
  int choices;
  int memoryBytes;
  AddressMode address;
  unsigned flags;
  OperandText operands[kMaxOperands];
  RegList<4> implicitDefs, implicitUses;
};

/// The bit of the slot word that character `at` of the pattern stands for.
constexpr unsigned bitOf(std::string_view pattern, size_t at) { return pattern.size() - 1 - at; }

/// The bits of one letter of a pattern, from the lowest up, so that operand bits come in order.
struct Letter {
  uint8_t width = 0;
  uint8_t pieceCount = 0;
  std::array<BitPiece, 3> pieces{};

  constexpr void add(uint8_t bit) {
    BitPiece* last = pieceCount ? &pieces[pieceCount - 1] : nullptr;
    if (last && last->word + last->width == bit)
      ++last->width;
    else
      pieces[pieceCount++] = {bit, width, 1};
    ++width;
  }
};

/// `a` to `j`: as many as a form has operands.
using Letters = std::array<Letter, kMaxOperands>;

/// Sets the fixed bits, and gives the others to their letters.
constexpr Letters readPattern(FormRow& form) {
  Letters letters;
  for (size_t at = form.pattern.size(); at-- > 0;) {
    char c = form.pattern[at];
    unsigned bit = bitOf(form.pattern, at);
    uint64_t mask = uint64_t{1} << bit;
    if (c >= 'a') {
      letters[c - 'a'].add(static_cast<uint8_t>(bit));
      continue;
    }
    (c == '-' ? form.ignoredMask : form.fixedMask) |= mask;
    if (c == '1') form.fixedValue |= mask;
  }
  return letters;
}

constexpr uint8_t operandWithLetter(const FormRow& form, char letter) {
  for (uint8_t i = 0; i < form.operandCount; ++i)
    if (form.operands[i].letter == letter && form.operands[i].kind == OperandKind::Register &&
        !form.operands[i].isDef)
      return i;
  return kMaxOperands;
}

constexpr void setOperands(FormRow& form, const FormText& t, const Letters& letters) {
  uint8_t immediates = 0;
  for (const OperandText& o : t.operands) {
    if (o.name.empty()) break;
    OperandRow& op = form.operands[form.operandCount++];
    op = {o.name, o.kind, o.isDef, o.type, o.reg, o.part, 0, o.letter, 0, 0, {}};
    if (o.kind == OperandKind::Immediate) op.immediate = immediates++;
    if (o.isDef) ++form.defCount;
    if (o.kind != OperandKind::Register && o.kind != OperandKind::Immediate) continue;
    op.pieceCount = letters[o.letter - 'a'].pieceCount;
    op.pieces = letters[o.letter - 'a'].pieces;
  }
  for (OperandRow& op : form.operands)
    if (op.kind == OperandKind::Part) op.of = operandWithLetter(form, op.letter);
}

constexpr bool isFormNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr uint8_t operandNamed(const FormRow& form, std::string_view name) {
  uint8_t index = 0;
  while (form.operands[index].name != name)
    ++index;  // a name that is none does not compile
  return index;
}

constexpr void setTextOrder(FormRow& form) {
  std::string_view text = form.text;
  for (size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && isFormNameChar(text[end]))
      ++end;
    form.textOrder[form.textCount++] = operandNamed(form, text.substr(at + 1, end - at - 1));
  }
}

constexpr FormRow makeRow(const FormText& t) {
  FormRow form{};
  form.name = t.name;
  form.text = t.text;
  form.pattern = t.pattern;
  form.slot = t.slot;
  form.itinerary = t.itinerary;
  form.choices = static_cast<int16_t>(t.choices);
  form.memoryBytes = static_cast<uint8_t>(t.memoryBytes);
  form.flags = static_cast<uint16_t>(t.flags);
  form.address = t.address;
  setOperands(form, t, readPattern(form));
  setTextOrder(form);
  form.implicitDefs = t.implicitDefs.regs;
  form.implicitDefCount = t.implicitDefs.count;
  form.implicitUses = t.implicitUses.regs;
  form.implicitUseCount = t.implicitUses.count;
  return form;
}

template <size_t N> constexpr std::array<FormRow, N> makeRows(const FormText (&texts)[N]) {
  std::array<FormRow, N> rows{};
  for (size_t i = 0; i < N; ++i)
    rows[i] = makeRow(texts[i]);
  return rows;
}

template <size_t Count, size_t... N>
constexpr std::array<FormRow, Count> concat(const std::array<FormRow, N>&... parts) {
  static_assert((N + ...) == Count);
  std::array<FormRow, Count> rows{};
  size_t at = 0;
  auto append = [&](const auto& part) {
    for (const FormRow& form : part)
      rows[at++] = form;
  };
  (append(parts), ...);
  return rows;
}

/// A part that is a part of nothing would read beyond the operands, and so would an immediate
/// beyond those of an instruction.
constexpr bool isSound(const FormRow& form) {
  return std::ranges::all_of(form.ops(), [](const OperandRow& op) {
    return op.of < kMaxOperands && op.immediate < kMaxImmediates;
  });
}

}  // namespace airlite::npu::isa::rows
