#include "Retarget.hpp"

#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace airlite::npu::codegen {
namespace {

using isa::AddressMode;
using isa::Form;
using isa::Reg;
using isa::Value;

constexpr int32_t kShortConstant = 1023;  // of mov

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// `lda $r, [$r, $i]`: the text with what stands for operands, whatever they are called.
std::string shapeOf(const isa::FormRow& form) {
  std::string shape;
  std::string_view text = form.text;
  unsigned next = 0;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      shape += lowered(text[at++]);
      continue;
    }
    const isa::OperandRow& op = form.operands[form.textOrder[next++]];
    shape += op.kind == isa::OperandKind::Immediate ? "$i" : "$r";
    at += 1 + op.name.size();
  }
  return shape;
}

/// Forms of a set by the text of a form of AIE2 with what stands for operands.
class Counterparts {
 public:
  explicit Counterparts(const isa::InstructionSet& set) : set_(set) {}

  const std::vector<Form>& of(Form form) {
    auto [found, isNew] = forms_.try_emplace(form);
    if (isNew) found->second = search(isa::row(form));
    return found->second;
  }

 private:
  std::vector<Form> search(const isa::FormRow& row) const {
    std::vector<Form> forms;
    // Where the stack is moved with another mnemonic.
    const bool movesStack = row.address == AddressMode::StackImm;
    const std::string shape = movesStack ? "paddxm [sp], $i" : shapeOf(row);
    for (Form other : isa::formsNamed(movesStack ? "paddxm" : row.mnemonic(), set_))
      if (shapeOf(isa::row(other)) == shape) forms.push_back(other);
    return forms;
  }

  const isa::InstructionSet& set_;
  std::map<Form, std::vector<Form>> forms_;
};

class Retargeter {
 public:
  Retargeter(MachineFunction& function, bool areVirtual)
      : function_(function), areVirtual_(areVirtual), set_(*function.set), counterparts_(set_) {}

  std::optional<NotInSet> run() {
    for (MachineBlock& block : function_.blocks) {
      out_.clear();
      constants_.clear();
      for (const MachineInst& inst : block.instructions)
        if (!rewrite(inst)) return NotInSet{missing(inst), inst.location};
      block.instructions = std::move(out_);
    }
    return std::nullopt;
  }

 private:
  bool rewrite(const MachineInst& inst) {
    if (&isa::setOf(inst.form) == &set_) return out_.push_back(inst), true;
    if (isShortConstant(inst) && put(inDifferentForm(inst, Form::MOV_mv_cg))) return true;
    if (put(inst)) return true;
    switch (inst.row().address) {
      case AddressMode::IndexImm: return through(RegClass::Modifier, AddressMode::Index, inst);
      case AddressMode::PostImm: return through(RegClass::Step, AddressMode::Post, inst);
      default: return isa::row(inst.form).mnemonic().starts_with("padd") && stepped(inst);
    }
  }

  /// A constant that more slots can write than that of 32 bits.
  static bool isShortConstant(const MachineInst& inst) {
    return inst.form == Form::MOVXM_lng_cg && isShort(inst.operands[1].number);
  }
  static bool isShort(int32_t number) {
    return number >= -kShortConstant - 1 && number <= kShortConstant;
  }
  static MachineInst inDifferentForm(MachineInst inst, Form form) {
    inst.form = form;
    return inst;
  }

  /// padda [p], #i as padda [p], m.
  bool stepped(const MachineInst& inst) {
    return inst.operandCount == 2 && through(RegClass::Step, inst.row().address, inst);
  }

  /// [p, #i] as [p, dj], or [p], #i as [p], m.
  bool through(RegClass regClass, AddressMode mode, const MachineInst& inst) {
    const unsigned last = inst.operandCount - 1u;
    if (!areVirtual_ || inst.operands[last].kind != Operand::Kind::Immediate) return false;
    const std::optional<Form> other = formWith(inst, mode);
    if (!other) return false;
    MachineInst changed = inst;
    changed.form = *other;
    changed.operands[last] = constant(regClass, inst.operands[last].number, inst.location);
    return put(changed);
  }

  /// A register of the block that has the number.
  Operand constant(RegClass regClass, int32_t number, Location location) {
    auto [found, isNew] = constants_.try_emplace({regClass, number});
    if (isNew) {
      found->second = Operand::reg(function_.newRegister(regClass));
      setConstant(found->second, number, location);
    }
    return found->second;
  }

  void setConstant(Operand to, int32_t number, Location location) {
    put(MachineInst(isShort(number) ? Form::MOV_mv_cg : Form::MOVXM_lng_cg,
                    {to, Operand::imm(number)}, location));
  }

  /// The form with the same mnemonic and data, and another address.
  static std::optional<Form> formWith(const MachineInst& inst, AddressMode mode) {
    for (Form form : isa::formsNamed(inst.row().mnemonic())) {
      const isa::FormRow& row = isa::row(form);
      const unsigned last = row.textCount - 1u;
      if (row.address != mode || row.textCount != inst.row().textCount ||
          row.operands[row.textOrder[last]].kind != isa::OperandKind::Register)
        continue;
      const auto dataOf = [](const isa::FormRow& f) {
        return f.textCount > 2 ? f.operands[f.textOrder[0]].type : isa::OperandType{};
      };
      if (dataOf(row) == dataOf(inst.row())) return form;
    }
    return std::nullopt;
  }

  /// The instruction in the first form of the set that takes all registers which its operands may
  /// become; false when there is none.
  bool put(const MachineInst& inst) {
    for (Form form : counterparts_.of(inst.form)) {
      if (!takes(isa::row(form), inst)) continue;
      MachineInst changed = inst;
      changed.form = form;
      out_.push_back(changed);
      return true;
    }
    return false;
  }

  bool takes(const isa::FormRow& row, const MachineInst& inst) const {
    if (row.textCount != inst.operandCount) return false;
    for (unsigned i = 0; i < inst.operandCount; ++i)
      if (!takes(row.operands[row.textOrder[i]], inst.operands[i])) return false;
    return true;
  }
  bool takes(const isa::OperandRow& row, const Operand& operand) const {
    if (operand.kind == Operand::Kind::Immediate)
      return row.kind == isa::OperandKind::Immediate && bool(fits(row.type, operand.number));
    if (row.kind != isa::OperandKind::Register) return false;
    if (operand.isPhysical()) return contains(row.type, operand.physical());
    const RegClass regClass = function_.registers[static_cast<uint32_t>(operand.number)];
    return std::ranges::all_of(registersOf(regClass, set_), [&](Reg reg) {
      return contains(row.type, partOf(reg, operand.part));
    });
  }

  std::string missing(const MachineInst& inst) {
    const std::vector<Form>& forms = counterparts_.of(inst.form);
    if (forms.empty()) return fmt::format("not supported: '{}' on {}", inst.row().text, set_.name);
    return fmt::format("not supported: '{}' on {} with these operands", isa::row(forms[0]).text,
                       set_.name);
  }

  MachineFunction& function_;
  const bool areVirtual_;
  const isa::InstructionSet& set_;
  Counterparts counterparts_;
  std::vector<MachineInst> out_;
  std::map<std::pair<RegClass, int32_t>, Operand> constants_;  // of the block
};

}  // namespace

Result<isa::Instruction> inSet(const isa::InstructionSet& set, Form form,
                               std::span<const Value> values) {
  if (&set == &isa::aie2()) return isa::Instruction::make(form, values);
  std::string why;
  Counterparts counterparts(set);
  for (Form other : counterparts.of(form)) {
    auto made = isa::Instruction::make(other, values);
    if (made) return made;
    why = made.error().message;
  }
  return Error{fmt::format("not supported: '{}' on {}{}{}", isa::row(form).text, set.name,
                           why.empty() ? "" : ": ", why)};
}

std::optional<NotInSet> retarget(MachineFunction& function, bool areVirtual) {
  if (function.set == &isa::aie2()) return std::nullopt;
  return Retargeter(function, areVirtual).run();
}

}  // namespace airlite::npu::codegen
