#include "Retarget.hpp"

#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::vector<Value> valuesOf(const MachineInst& inst) {
  std::vector<Value> values;
  for (const Operand& operand : inst.ops()) {
    if (operand.kind == Operand::Kind::Immediate) values.push_back(Value::of(operand.number));
    if (operand.isPhysical()) values.push_back(Value::of(operand.physical()));
  }
  return values;
}

bool isIn(const isa::InstructionSet& set, const MachineInst& inst) {
  return bool(inSet(set, inst.form, valuesOf(inst)));
}

class Retargeter {
 public:
  explicit Retargeter(MachineFunction& function) : function_(function), set_(*function.set) {}

  std::optional<NotInSet> run() {
    for (MachineBlock& block : function_.blocks) {
      out_.clear();
      for (const MachineInst& inst : block.instructions) {
        std::optional<Error> error = rewrite(inst);
        if (error) return NotInSet{error->message, inst.location};
      }
      block.instructions = std::move(out_);
    }
    return std::nullopt;
  }

 private:
  std::optional<Error> rewrite(const MachineInst& inst) {
    if (isIn(set_, inst)) return put(inst);
    switch (inst.row().address) {
      case AddressMode::IndexImm: return indexed(inst);
      case AddressMode::PostImm: return stepped(inst);
      default: return put(inst);
    }
  }

  /// [p, #i] as [p, dj].
  std::optional<Error> indexed(const MachineInst& inst) {
    return through(kScratchIndex, AddressMode::Index, inst);
  }
  /// [p], #i as [p], m.
  std::optional<Error> stepped(const MachineInst& inst) {
    return through(kScratchStep, AddressMode::Post, inst);
  }

  std::optional<Error> through(Reg scratch, AddressMode mode, const MachineInst& inst) {
    const unsigned last = inst.operandCount - 1u;
    const std::optional<Form> other = formWith(inst, mode);
    if (!other) return put(inst);  // which says what is missing
    const int32_t offset = inst.operands[last].number;
    const bool isShort = offset >= -kShortConstant - 1 && offset <= kShortConstant;
    const MachineInst constant(isShort ? Form::MOV_mv_cg : Form::MOVXM_lng_cg,
                               {Operand::of(scratch), Operand::imm(offset)}, inst.location);
    if (auto error = put(constant)) return error;
    MachineInst changed = inst;
    changed.form = *other;
    changed.operands[last] = Operand::of(scratch);
    return put(changed);
  }

  /// The form with the same mnemonic and data, and another address.
  static std::optional<Form> formWith(const MachineInst& inst, AddressMode mode) {
    for (Form form : isa::formsNamed(inst.row().mnemonic())) {
      const isa::FormRow& row = isa::row(form);
      if (row.address != mode || row.textCount != inst.row().textCount) continue;
      const auto dataOf = [](const isa::FormRow& f) {
        return f.textCount > 2 ? f.operands[f.textOrder[0]].type : isa::OperandType{};
      };
      if (dataOf(row) == dataOf(inst.row())) return form;
    }
    return std::nullopt;
  }

  std::optional<Error> put(const MachineInst& inst) {
    auto made = inSet(set_, inst.form, valuesOf(inst));
    if (!made) return made.error();
    MachineInst changed = inst;
    changed.form = made->form();
    out_.push_back(changed);
    return std::nullopt;
  }

  MachineFunction& function_;
  const isa::InstructionSet& set_;
  std::vector<MachineInst> out_;
};

}  // namespace

Result<isa::Instruction> inSet(const isa::InstructionSet& set, Form form,
                               std::span<const Value> values) {
  if (&set == &isa::aie2()) return isa::Instruction::make(form, values);
  const isa::FormRow& row = isa::row(form);
  // Where the stack is moved with another mnemonic.
  const bool movesStack = row.address == AddressMode::StackImm;
  const std::string mnemonic(movesStack ? "paddxm" : row.mnemonic());
  const std::string shape = movesStack ? "paddxm [sp], $i" : shapeOf(row);
  if (mnemonic.starts_with('v'))
    return Error{fmt::format("not supported: vectors in cores of {} ('{}')", set.name, row.text)};
  std::string why;
  for (Form other : isa::formsNamed(mnemonic, set)) {
    if (shapeOf(isa::row(other)) != shape) continue;
    auto made = isa::Instruction::make(other, values);
    if (made) return made;
    why = made.error().message;
  }
  return Error{fmt::format("not supported: '{}' on {}{}{}", row.text, set.name,
                           why.empty() ? "" : ": ", why)};
}

std::optional<NotInSet> retarget(MachineFunction& function) {
  if (function.set == &isa::aie2()) return std::nullopt;
  return Retargeter(function).run();
}

}  // namespace airlite::npu::codegen
