#include "SelectInteger.hpp"

#include "airlite/dialect/Arith.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

namespace airlite::npu::codegen {

using arith::CmpIPredicate;
using isa::Form;
using isa::Reg;

namespace {

/// The operand of an addition of a small constant.
bool isShortAddend(std::optional<int32_t> value) { return value && *value >= -64 && *value <= 63; }

}  // namespace

bool IntegerSelector::selectAdd(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  for (unsigned i : {1u, 0u}) {
    auto addend = constantBits(op.operand(i));
    if (!isShortAddend(addend)) continue;
    Operand value = values_.reg(op.operand(1 - i));
    emitter_.emit(Form::ADD_add_r_ri, {values_.define(op.result()), value, Operand::imm(*addend)});
    return true;
  }
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  emitter_.emit(Form::ADD, {values_.define(op.result()), a, b});
  return true;
}

bool IntegerSelector::selectSub(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  Operand a = values_.reg(op.operand(0));
  auto subtrahend = constantBits(op.operand(1));
  if (subtrahend && *subtrahend >= -63 && *subtrahend <= 64) {
    emitter_.emit(Form::ADD_add_r_ri, {values_.define(op.result()), a, Operand::imm(-*subtrahend)});
    return true;
  }
  Operand b = values_.reg(op.operand(1));
  emitter_.emit(Form::SUB, {values_.define(op.result()), a, b});
  return true;
}

/// Operations of which a low bit of the result depends on low bits only.
bool IntegerSelector::selectBinary(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  Form form = op.is("arith.muli")   ? Form::MUL_mul_r_rr
              : op.is("arith.andi") ? Form::AND
              : op.is("arith.ori")  ? Form::OR
                                    : Form::XOR;
  bool bothZero = values_.isZeroAbove(op.operand(0)) && values_.isZeroAbove(op.operand(1));
  Operand a = values_.reg(op.operand(0)), b = values_.reg(op.operand(1));
  bool keeps = bothZero && form != Form::MUL_mul_r_rr;
  emitter_.emit(form, {values_.define(op.result(), keeps ? Upper::Zero : Upper::Unknown), a, b});
  return true;
}

/// The machine shifts left by a positive amount and right by a negative one.
bool IntegerSelector::selectShift(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  bool left = op.is("arith.shli"), isSigned = op.is("arith.shrsi");
  Operand value = left ? values_.reg(op.operand(0)) : values_.extended(op.operand(0), isSigned);
  auto bits = constantBits(op.operand(1));
  Operand amount;
  if (bits)
    amount = emitter_.constant(static_cast<uint32_t>(left ? *bits : -*bits));
  else
    amount = values_.extended(op.operand(1), false);
  if (!bits && !left) amount = emitter_.compute(Form::SUB, emitter_.constant(0), amount);
  Upper upper = left ? Upper::Unknown : isSigned ? Upper::Sign : Upper::Zero;
  emitter_.emit(isSigned ? Form::ASHL : Form::LSHL,
                {values_.define(op.result(), upper), value, amount});
  return true;
}

// -- Division -------------------------------------------------------------------------------------

/// 32 steps, each of which makes a bit of the quotient; it grows in r31, where the dividend was.
IntegerSelector::Division IntegerSelector::divide(Operand dividend, Operand divisor) {
  emitter_.copy(Operand::of(Reg::r31), dividend, RegClass::Gpr);
  Operand remainder = emitter_.constant(0);
  for (int bit = 0; bit < 32; ++bit)
    remainder = emitter_.compute(Form::DIVS, remainder, divisor);
  Operand quotient = emitter_.fresh();
  emitter_.copy(quotient, Operand::of(Reg::r31), RegClass::Gpr);
  return {quotient, remainder};
}

Operand IntegerSelector::negatedIf(Operand value, Operand sign) {
  Operand negative = emitter_.compute(Form::SUB, emitter_.constant(0), value);
  emitter_.emit(Form::LT, {Operand::of(Reg::r27), sign, emitter_.constant(0)});
  return emitter_.compute(Form::SELNEZ, negative, value);
}

bool IntegerSelector::selectDivision(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  bool isSigned = op.is("arith.divsi") || op.is("arith.remsi");
  bool wantsQuotient = op.is("arith.divsi") || op.is("arith.divui");
  auto by = constantBits(op.operand(1));
  Operand a = values_.extended(op.operand(0), isSigned);
  if (!isSigned && by && *by > 0 && std::has_single_bit(static_cast<uint32_t>(*by))) {
    int shift = std::countr_zero(static_cast<uint32_t>(*by));
    Operand result = values_.define(op.result(), Upper::Zero);
    if (wantsQuotient)
      emitter_.emit(Form::LSHL, {result, a, emitter_.constant(static_cast<uint32_t>(-shift))});
    else
      emitter_.emit(Form::AND, {result, a, emitter_.constant(static_cast<uint32_t>(*by) - 1)});
    return true;
  }
  Operand b = values_.extended(op.operand(1), isSigned);
  Division parts = isSigned ? divide(emitter_.compute(Form::ABS, a), emitter_.compute(Form::ABS, b))
                            : divide(a, b);
  Operand result = wantsQuotient ? parts.quotient : parts.remainder;
  if (isSigned) result = negatedIf(result, wantsQuotient ? emitter_.compute(Form::XOR, a, b) : a);
  values_.alias(op.result(), result, isSigned ? Upper::Sign : Upper::Zero);
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

void IntegerSelector::compareInto(Operand to, Operation& op) {
  CmpIPredicate predicate = arith::CmpIOp(&op).predicate();
  const Comparison& row = kComparisons[static_cast<size_t>(predicate)];
  bool isSigned = isSignedPredicate(predicate);
  Operand a = values_.extended(op.operand(0), isSigned),
          b = values_.extended(op.operand(1), isSigned);
  if (row.swapped) std::swap(a, b);
  emitter_.emit(row.form, {to, a, b});
}

bool IntegerSelector::selectCompare(Operation& op) {
  if (!checkedClass(op, op.operand(0).type()) || !checkedClass(op, op.result().type()))
    return false;
  if (!isMadeLate(op)) compareInto(values_.define(op.result(), Upper::Zero), op);
  return true;
}

bool IntegerSelector::selectSelect(Operation& op) {
  auto regClass = checkedClass(op, op.result().type());
  if (!regClass || !checkedClass(op, op.operand(0).type())) return false;
  Operand a = values_.reg(op.operand(1)), b = values_.reg(op.operand(2));
  if (*regClass == RegClass::Pointer)  // sel only knows r registers
    for (Operand* operand : {&a, &b}) {
      Operand moved = emitter_.fresh();
      emitter_.copy(moved, *operand, RegClass::Gpr);
      *operand = moved;
    }
  Operand r27 = Operand::of(Reg::r27);
  Operation* compared = op.operand(0).definingOp();
  if (compared && compared->is("arith.cmpi") && isMadeLate(*compared))
    compareInto(r27, *compared);
  else
    emitter_.copy(r27, values_.condition(op.operand(0)), RegClass::Gpr);
  Operand result = values_.define(op.result());
  if (*regClass != RegClass::Pointer) {
    emitter_.emit(Form::SELNEZ, {result, a, b});
    return true;
  }
  emitter_.copy(result, emitter_.compute(Form::SELNEZ, a, b), RegClass::Pointer);
  return true;
}

bool IntegerSelector::selectMinMax(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  bool isSigned = op.is("arith.minsi") || op.is("arith.maxsi");
  bool smaller = op.is("arith.minsi") || op.is("arith.minui");
  Operand a = values_.extended(op.operand(0), isSigned),
          b = values_.extended(op.operand(1), isSigned);
  emitter_.emit(isSigned ? Form::LT : Form::LTU, {Operand::of(Reg::r27), a, b});
  Operand result = values_.define(op.result(), isSigned ? Upper::Sign : Upper::Zero);
  emitter_.emit(Form::SELNEZ, {result, smaller ? a : b, smaller ? b : a});
  return true;
}

/// The machine counts the bits after the sign that are equal to it: of half the number, that is
/// one zero too few for 0 and right for all others.
bool IntegerSelector::selectLeadingZeros(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  if (widthOf(op.result().type()) != 32)
    return op.emitOpError() << "not supported: leading zeros of a narrow number", false;
  Operand value = values_.reg(op.operand(0)),
          half = emitter_.compute(Form::LSHL, value, emitter_.constant(~0u));
  Operand counted = emitter_.fresh(), isZero = emitter_.fresh();
  emitter_.emit(Form::CLB, {counted, half});
  emitter_.emit(Form::EQZ, {isZero, value});
  emitter_.emit(Form::ADD, {values_.define(op.result(), Upper::Zero), counted, isZero});
  return true;
}

// -- Widths ---------------------------------------------------------------------------------------

bool IntegerSelector::selectExtend(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  unsigned from = widthOf(op.operand(0).type()), to = widthOf(op.result().type());
  bool isSigned = op.is("arith.extsi") || op.is("arith.index_cast");
  if (to <= from) return selectCopy(op);
  Operand value = values_.extended(op.operand(0), isSigned);
  values_.alias(op.result(), value, isSigned ? Upper::Sign : Upper::Zero);
  return true;
}

bool IntegerSelector::selectCopy(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  values_.alias(op.result(), values_.reg(op.operand(0)));
  return true;
}

}  // namespace airlite::npu::codegen
