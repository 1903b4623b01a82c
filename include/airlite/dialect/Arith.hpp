// The arith dialect: predicates and flags as enums, and views of the ops that have some.
//
//   arith::inverted(arith::CmpIPredicate::slt);                  // sge
//   arith::evaluate(arith::CmpIPredicate::ult, 1, 0xff, 8);     // true
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace airlite::arith {

/// The value is what the `predicate` attribute holds.
enum class CmpIPredicate : uint8_t { eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge };
enum class CmpFPredicate : uint8_t {
  AlwaysFalse,
  OEQ,
  OGT,
  OGE,
  OLT,
  OLE,
  ONE,
  ORD,
  UEQ,
  UGT,
  UGE,
  ULT,
  ULE,
  UNE,
  UNO,
  AlwaysTrue,
};

/// As text writes it: "slt", "oeq".
std::string_view predicateName(CmpIPredicate predicate);
std::string_view predicateName(CmpFPredicate predicate);
/// `a > b` for `b < a`.
CmpIPredicate swapped(CmpIPredicate predicate);
/// `a >= b` for `a < b`.
CmpIPredicate inverted(CmpIPredicate predicate);
/// Compares two integers of `width` bits; bits above are ignored.
bool evaluate(CmpIPredicate predicate, uint64_t lhs, uint64_t rhs, unsigned width);
bool evaluate(CmpFPredicate predicate, double lhs, double rhs);

/// Bits of the `fastmath` attribute.
enum FastMath : uint32_t {
  kNone = 0,
  kReassoc = 1,
  kNoNaNs = 2,
  kNoInfs = 4,
  kNoSignedZeros = 8,
  kAllowReciprocal = 16,
  kAllowContract = 32,
  kApproxFunc = 64,
  kFast = 127,
};
/// Flags of an op with a `fastmath` attribute; none when it has none.
uint32_t fastMathOf(const Operation& op);
Attribute fastMathAttr(Context& context, uint32_t flags);

/// Bits of the `overflowFlags` attribute.
enum Overflow : uint32_t { kWraps = 0, kNoSignedWrap = 1, kNoUnsignedWrap = 2 };
uint32_t overflowOf(const Operation& op);
Attribute overflowAttr(Context& context, uint32_t flags);

/// Type of a comparison of `type`s: i1, or i1 in its shape.
Type boolLike(Type type);

/// An integer division or remainder: it fails where the divisor is 0.
bool dividesIntegers(const Operation& op);

class ConstantOp : public OpView {
 public:
  using OpView::OpView;
  Attribute value() const { return op_->attr("value"); }
  Type type() const { return op_->result().type(); }
};

class CmpIOp : public OpView {
 public:
  using OpView::OpView;
  CmpIPredicate predicate() const {
    return static_cast<CmpIPredicate>(op_->attrOf<IntegerAttr>("predicate").value());
  }
  Value lhs() const { return op_->operand(0); }
  Value rhs() const { return op_->operand(1); }
};

class CmpFOp : public OpView {
 public:
  using OpView::OpView;
  CmpFPredicate predicate() const {
    return static_cast<CmpFPredicate>(op_->attrOf<IntegerAttr>("predicate").value());
  }
  Value lhs() const { return op_->operand(0); }
  Value rhs() const { return op_->operand(1); }
};

class SelectOp : public OpView {
 public:
  using OpView::OpView;
  Value condition() const { return op_->operand(0); }
  Value trueValue() const { return op_->operand(1); }
  Value falseValue() const { return op_->operand(2); }
};

}  // namespace airlite::arith
