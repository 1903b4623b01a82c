// Integers: one instruction for most, after what it reads has been extended to 32 bits where the
// upper ones count.
#include "Select.hpp"
#include "airlite/dialect/Arith.hpp"

#include <array>
#include <bit>

namespace airlite::npu::codegen {

using arith::CmpIPredicate;
using isa::Form;
using isa::Reg;

std::span<const Selector::OpRow> Selector::integerOps() {
  static constexpr OpRow kRows[] = {
      {"arith.addi", &Selector::selectAdd},
      {"arith.subi", &Selector::selectSub},
      {"arith.muli", &Selector::selectBinary},
      {"arith.andi", &Selector::selectBinary},
      {"arith.ori", &Selector::selectBinary},
      {"arith.xori", &Selector::selectBinary},
      {"arith.shli", &Selector::selectShift},
      {"arith.shrsi", &Selector::selectShift},
      {"arith.shrui", &Selector::selectShift},
      {"arith.divsi", &Selector::selectDivision},
      {"arith.divui", &Selector::selectDivision},
      {"arith.remsi", &Selector::selectDivision},
      {"arith.remui", &Selector::selectDivision},
      {"arith.cmpi", &Selector::selectCompare},
      {"arith.select", &Selector::selectSelect},
      {"arith.minsi", &Selector::selectMinMax},
      {"arith.maxsi", &Selector::selectMinMax},
      {"arith.minui", &Selector::selectMinMax},
      {"arith.maxui", &Selector::selectMinMax},
      {"math.ctlz", &Selector::selectLeadingZeros},
      {"arith.extsi", &Selector::selectExtend},
      {"arith.extui", &Selector::selectExtend},
      {"arith.index_cast", &Selector::selectExtend},
      {"arith.index_castui", &Selector::selectExtend},
      {"arith.trunci", &Selector::selectCopy},
      {"arith.bitcast", &Selector::selectCopy},
  };
  return kRows;
}

namespace {

/// The operand of an addition of a small constant.
bool isShortAddend(std::optional<int32_t> value) { return value && *value >= -64 && *value <= 63; }

}  // namespace

bool Selector::selectAdd(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  for (unsigned i : {1u, 0u}) {
    auto addend = constantOf(op.operand(i));
    if (!isShortAddend(addend)) continue;
    Operand value = reg(op.operand(1 - i));
    emit(Form::ADD_add_r_ri, {define(op.result()), value, Operand::imm(*addend)});
    return true;
  }
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  emit(Form::ADD, {define(op.result()), a, b});
  return true;
}

bool Selector::selectSub(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  Operand a = reg(op.operand(0));
  auto subtrahend = constantOf(op.operand(1));
  if (subtrahend && *subtrahend >= -63 && *subtrahend <= 64) {
    emit(Form::ADD_add_r_ri, {define(op.result()), a, Operand::imm(-*subtrahend)});
    return true;
  }
  Operand b = reg(op.operand(1));
  emit(Form::SUB, {define(op.result()), a, b});
  return true;
}

/// Operations of which a low bit of the result depends on low bits only.
bool Selector::selectBinary(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  Form form = op.is("arith.muli")   ? Form::MUL_mul_r_rr
              : op.is("arith.andi") ? Form::AND
              : op.is("arith.ori")  ? Form::OR
                                    : Form::XOR;
  auto isZero = [&](Value value) {
    auto found = upper_.find(value);
    auto bits = constantOf(value);
    return (found != upper_.end() && found->second == Upper::Zero) || (bits && *bits >= 0);
  };
  bool bothZero = isZero(op.operand(0)) && isZero(op.operand(1));
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  bool keeps = bothZero && form != Form::MUL_mul_r_rr;
  emit(form, {define(op.result(), keeps ? Upper::Zero : Upper::Unknown), a, b});
  return true;
}

/// The machine shifts left by a positive amount and right by a negative one.
bool Selector::selectShift(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  bool left = op.is("arith.shli"), isSigned = op.is("arith.shrsi");
  Operand value = left ? reg(op.operand(0)) : extended(op.operand(0), isSigned);
  auto bits = constantOf(op.operand(1));
  Operand amount;
  if (bits)
    amount = constant(static_cast<uint32_t>(left ? *bits : -*bits));
  else
    amount = extended(op.operand(1), false);
  if (!bits && !left) amount = compute(Form::SUB, constant(0), amount);
  Upper upper = left ? Upper::Unknown : isSigned ? Upper::Sign : Upper::Zero;
  emit(isSigned ? Form::ASHL : Form::LSHL, {define(op.result(), upper), value, amount});
  return true;
}

// -- Division -------------------------------------------------------------------------------------

/// 32 steps, each of which makes a bit of the quotient; it grows in r31, where the dividend was.
Selector::Division Selector::divide(Operand dividend, Operand divisor) {
  copy(Operand::of(Reg::r31), dividend, RegClass::Gpr);
  Operand remainder = constant(0);
  for (int bit = 0; bit < 32; ++bit)
    remainder = compute(Form::DIVS, remainder, divisor);
  Operand quotient = fresh();
  copy(quotient, Operand::of(Reg::r31), RegClass::Gpr);
  return {quotient, remainder};
}

Operand Selector::negatedIf(Operand value, Operand sign) {
  Operand negative = compute(Form::SUB, constant(0), value);
  emit(Form::LT, {Operand::of(Reg::r27), sign, constant(0)});
  return compute(Form::SELNEZ, negative, value);
}

bool Selector::selectDivision(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  bool isSigned = op.is("arith.divsi") || op.is("arith.remsi");
  bool wantsQuotient = op.is("arith.divsi") || op.is("arith.divui");
  auto by = constantOf(op.operand(1));
  Operand a = extended(op.operand(0), isSigned);
  if (!isSigned && by && *by > 0 && std::has_single_bit(static_cast<uint32_t>(*by))) {
    int shift = std::countr_zero(static_cast<uint32_t>(*by));
    Operand result = define(op.result(), Upper::Zero);
    if (wantsQuotient)
      emit(Form::LSHL, {result, a, constant(static_cast<uint32_t>(-shift))});
    else
      emit(Form::AND, {result, a, constant(static_cast<uint32_t>(*by) - 1)});
    return true;
  }
  Operand b = extended(op.operand(1), isSigned);
  Division parts = isSigned ? divide(compute(Form::ABS, a), compute(Form::ABS, b)) : divide(a, b);
  Operand result = wantsQuotient ? parts.quotient : parts.remainder;
  if (isSigned) result = negatedIf(result, wantsQuotient ? compute(Form::XOR, a, b) : a);
  alias(op.result(), result, isSigned ? Upper::Sign : Upper::Zero);
  return true;
}

// -- Comparisons ----------------------------------------------------------------------------------

namespace {

struct Comparison {
  Form form;
  bool swapped;
};

/// By predicate: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
constexpr std::array<Comparison, 10> kComparisons = {{{Form::EQ, false},
                                                      {Form::NE, false},
                                                      {Form::LT, false},
                                                      {Form::GE, true},
                                                      {Form::LT, true},
                                                      {Form::GE, false},
                                                      {Form::LTU, false},
                                                      {Form::GEU, true},
                                                      {Form::LTU, true},
                                                      {Form::GEU, false}}};

bool isSignedPredicate(CmpIPredicate predicate) {
  return predicate >= CmpIPredicate::slt && predicate <= CmpIPredicate::sge;
}

/// A comparison that only selects in its own block is made where it is needed: its result has to be
/// in r27 then.
bool isMadeLate(Operation& op) {
  if (!op.result().hasOneUse()) return false;
  Operation* user = op.result().uses().begin()->owner();
  bool selects = user->is("arith.select") && user->operand(0) == op.result();
  return selects && user->block() == op.block() && !user->result().type().isa<VectorType>();
}

}  // namespace

void Selector::compareInto(Operand to, Operation& op) {
  CmpIPredicate predicate = arith::CmpIOp(&op).predicate();
  const Comparison& row = kComparisons[static_cast<size_t>(predicate)];
  bool isSigned = isSignedPredicate(predicate);
  Operand a = extended(op.operand(0), isSigned), b = extended(op.operand(1), isSigned);
  if (row.swapped) std::swap(a, b);
  emit(row.form, {to, a, b});
}

bool Selector::selectCompare(Operation& op) {
  if (!checkedClass(op, op.operand(0).type()) || !checkedClass(op, op.result().type()))
    return false;
  if (!isMadeLate(op)) compareInto(define(op.result(), Upper::Zero), op);
  return true;
}

bool Selector::selectSelect(Operation& op) {
  auto regClass = checkedClass(op, op.result().type());
  if (!regClass || !checkedClass(op, op.operand(0).type())) return false;
  Operand a = reg(op.operand(1)), b = reg(op.operand(2));
  if (*regClass == RegClass::Pointer)  // sel only knows r registers
    for (Operand* operand : {&a, &b}) {
      Operand moved = fresh();
      copy(moved, *operand, RegClass::Gpr);
      *operand = moved;
    }
  Operand r27 = Operand::of(Reg::r27);
  Operation* compared = op.operand(0).definingOp();
  if (compared && compared->is("arith.cmpi") && isMadeLate(*compared))
    compareInto(r27, *compared);
  else
    copy(r27, condition(op.operand(0)), RegClass::Gpr);
  Operand result = define(op.result());
  if (*regClass != RegClass::Pointer) {
    emit(Form::SELNEZ, {result, a, b});
    return true;
  }
  copy(result, compute(Form::SELNEZ, a, b), RegClass::Pointer);
  return true;
}

bool Selector::selectMinMax(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  bool isSigned = op.is("arith.minsi") || op.is("arith.maxsi");
  bool smaller = op.is("arith.minsi") || op.is("arith.minui");
  Operand a = extended(op.operand(0), isSigned), b = extended(op.operand(1), isSigned);
  emit(isSigned ? Form::LT : Form::LTU, {Operand::of(Reg::r27), a, b});
  Operand result = define(op.result(), isSigned ? Upper::Sign : Upper::Zero);
  emit(Form::SELNEZ, {result, smaller ? a : b, smaller ? b : a});
  return true;
}

/// The machine counts the bits behind the sign that are equal to it: of half the number, that is
/// one zero too few for 0 and right for all others.
bool Selector::selectLeadingZeros(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  if (widthOf(op.result().type()) != 32)
    return op.emitOpError() << "not supported: leading zeros of a narrow number", false;
  Operand value = reg(op.operand(0)), half = compute(Form::LSHL, value, constant(~0u));
  Operand counted = fresh(), isZero = fresh();
  emit(Form::CLB, {counted, half});
  emit(Form::EQZ, {isZero, value});
  emit(Form::ADD, {define(op.result(), Upper::Zero), counted, isZero});
  return true;
}

// -- Widths ---------------------------------------------------------------------------------------

bool Selector::selectExtend(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  unsigned from = widthOf(op.operand(0).type()), to = widthOf(op.result().type());
  bool isSigned = op.is("arith.extsi") || op.is("arith.index_cast");
  if (to <= from) return selectCopy(op);
  Operand value = extended(op.operand(0), isSigned);
  alias(op.result(), value, isSigned ? Upper::Sign : Upper::Zero);
  return true;
}

bool Selector::selectCopy(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  alias(op.result(), reg(op.operand(0)));
  return true;
}

}  // namespace airlite::npu::codegen
