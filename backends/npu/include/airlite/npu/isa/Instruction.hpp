// One instruction: a form and the values of its operands, always legal.
//
//   std::array values = {Value::of(Reg::r0), Value::of(7)};
//   Result<Instruction> move = Instruction::make(form, values);
//   uint64_t word = move->encode();
#pragma once

#include "airlite/npu/isa/Tables.hpp"
#include "airlite/support/Result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace airlite::npu::isa {

/// What is written for an operand: a register or an immediate.
struct Value {
  bool isRegister = false;
  int32_t number = 0;

  static Value of(Reg reg) { return {true, static_cast<int32_t>(reg)}; }
  static Value of(int32_t immediate) { return {false, immediate}; }
  Reg reg() const { return static_cast<Reg>(number); }
  bool operator==(const Value&) const = default;
};

/// An instruction that can be encoded: its values were checked when it was made.
class Instruction {
 public:
  /// The no-operation of the slot `nop`.
  Instruction() = default;

  /// `values` are those of the encoded operands in the order of the form's text, as a reader of the
  /// assembly sees them: fixed registers and parts are not among them. The error says which
  /// operand is wrong and what it may be.
  static Result<Instruction> make(Form form, std::span<const Value> values);
  /// The no-operation of a slot.
  static Instruction nop(Slot slot, const InstructionSet& set = aie2());
  /// What a slot word says. Words that mean nothing give an error that names the bits.
  static Result<Instruction> decode(Slot slot, uint64_t word, const InstructionSet& set = aie2());

  /// The slot word.
  uint64_t encode() const;

  Form form() const { return form_; }
  const FormRow& row() const { return isa::row(form_); }
  const InstructionSet& set() const { return setOf(form_); }
  Slot slot() const { return row().slot; }
  bool isNop() const { return row().is(kNop); }

  /// The register of operand `i` of the form, in the order of FormRow::operands, twins, fixed
  /// registers and parts included.
  Reg reg(unsigned i) const { return static_cast<Reg>(values_[i]); }
  /// The immediate of operand `i`.
  int32_t imm(unsigned i) const { return immediates_[static_cast<size_t>(values_[i])]; }
  /// The values as `make` takes them.
  std::array<Value, kMaxOperands> textValues() const;

  /// The same with another immediate; an error when it does not fit.
  Result<Instruction> withImmediate(unsigned operand, int64_t value) const;

  bool operator==(const Instruction&) const = default;

 private:
  int32_t value(unsigned i) const;
  bool setLetter(char letter, int32_t value);
  void setOperand(unsigned i, int32_t value);
  void setImplied();

  Form form_ = Form::NOP;
  std::array<int16_t, kMaxOperands> values_{};  ///< registers, and which immediate
  std::array<int32_t, kMaxImmediates> immediates_{};
};

/// Success when `value` is one that the operand can hold; the error says what it can.
Result<void> fits(OperandType immediate, int64_t value);
/// `r0-r31, p0-p7`: what a class or range holds, for messages.
std::string describe(OperandType type, const InstructionSet& set = aie2());

}  // namespace airlite::npu::isa
