// Instruction forms: the rows of Forms*.inc and what follows from their patterns and texts.
#include "airlite/npu/isa/Tables.hpp"

#include <algorithm>
#include <bit>

namespace airlite::npu::isa {
namespace {

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
/// `letter` is that of the modifier it is a part of.
constexpr OperandText part(std::string_view name, char letter, RegPart part) {
  return {name, OperandKind::Part, true, {}, {}, part, letter};
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
  Reg implicitDefs[3];  // r0 is never one, it ends the list
  Reg implicitUses[3];
};

// An array per slot: compilers bound the steps of one constant expression.
constexpr FormText kLdaTexts[] = {
#include "FormsLda.inc"
};
constexpr FormText kLdbTexts[] = {
#include "FormsLdb.inc"
};
constexpr FormText kStTexts[] = {
#include "FormsSt.inc"
};
constexpr FormText kAluTexts[] = {
#include "FormsAlu.inc"
};
constexpr FormText kMvTexts[] = {
#include "FormsMv.inc"
};
constexpr FormText kLngTexts[] = {
#include "FormsLng.inc"
};
constexpr FormText kVecTexts[] = {
#include "FormsVec.inc"
};
constexpr FormText kNopTexts[] = {
#include "FormsNop.inc"
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

/// `a` to `h`, which is more than any form has.
using Letters = std::array<Letter, 8>;

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
  for (const OperandText& o : t.operands) {
    if (o.name.empty()) break;
    OperandRow& op = form.operands[form.operandCount++];
    op = {o.name, o.kind, o.isDef, o.type, o.reg, o.part, 0, o.letter, 0, {}};
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

constexpr uint8_t copyRegs(const Reg (&from)[3], std::array<Reg, 3>& to) {
  uint8_t count = 0;
  for (Reg reg : from)
    if (reg != Reg::r0) to[count++] = reg;
  return count;
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
  form.implicitDefCount = copyRegs(t.implicitDefs, form.implicitDefs);
  form.implicitUseCount = copyRegs(t.implicitUses, form.implicitUses);
  return form;
}

template <size_t N> constexpr std::array<FormRow, N> makeRows(const FormText (&texts)[N]) {
  std::array<FormRow, N> rows{};
  for (size_t i = 0; i < N; ++i)
    rows[i] = makeRow(texts[i]);
  return rows;
}

constexpr auto kLda = makeRows(kLdaTexts);
constexpr auto kLdb = makeRows(kLdbTexts);
constexpr auto kSt = makeRows(kStTexts);
constexpr auto kAlu = makeRows(kAluTexts);
constexpr auto kMv = makeRows(kMvTexts);
constexpr auto kLng = makeRows(kLngTexts);
constexpr auto kVec = makeRows(kVecTexts);
constexpr auto kNopRows = makeRows(kNopTexts);

template <size_t... N>
constexpr std::array<FormRow, kFormCount> concat(const std::array<FormRow, N>&... parts) {
  static_assert((N + ...) == kFormCount);
  std::array<FormRow, kFormCount> rows{};
  size_t at = 0;
  auto append = [&](const auto& part) {
    for (const FormRow& form : part)
      rows[at++] = form;
  };
  (append(parts), ...);
  return rows;
}

// In the order of the enum Form: by slot, then by name.
constexpr auto kForms = concat(kLda, kLdb, kSt, kAlu, kMv, kLng, kVec, kNopRows);

/// A part that is a part of nothing would read beyond the operands.
static_assert(std::ranges::all_of(kForms, [](const FormRow& form) {
  return std::ranges::all_of(form.ops(), [](const OperandRow& op) { return op.of < kMaxOperands; });
}));

constexpr SlotRow kSlots[] = {{"lda", 21, Form::NOPA}, {"ldb", 16, Form::NOPB},
                              {"st", 21, Form::NOPS},  {"alu", 20, Form::NOPX},
                              {"mv", 22, Form::NOPM},  {"lng", 42, Form::NOPXM},
                              {"vec", 26, Form::NOPV}, {"nop", 1, Form::NOP}};

struct BySlot {
  std::array<Form, kFormCount> order;
  std::array<std::span<const Form>, kSlotCount> spans;
};

int fixedBits(Form form) { return std::popcount(row(form).fixedMask); }

BySlot sortBySlot() {
  BySlot all;
  for (unsigned i = 0; i < kFormCount; ++i)
    all.order[i] = static_cast<Form>(i);
  std::ranges::stable_sort(all.order, [](Form a, Form b) {
    if (row(a).slot != row(b).slot) return row(a).slot < row(b).slot;
    return fixedBits(a) > fixedBits(b);
  });
  return all;
}

}  // namespace

const SlotRow& row(Slot slot) { return kSlots[static_cast<unsigned>(slot)]; }
const FormRow& row(Form form) { return kForms[static_cast<unsigned>(form)]; }
std::span<const FormRow> forms() { return kForms; }

std::span<const Form> formsOf(Slot slot) {
  static const BySlot all = sortBySlot();
  auto slotOf = [](Form form) { return row(form).slot; };
  auto begin = std::ranges::lower_bound(all.order, slot, {}, slotOf);
  auto end = std::ranges::upper_bound(all.order, slot, {}, slotOf);
  return {begin, end};
}

}  // namespace airlite::npu::isa
