// Folders of the float ops and the conversions of arith. Each operation rounds once into the format
// of its type; conversions that would lose the value are left alone.
#include "ArithElements.hpp"
#include "ArithFold.hpp"
#include "airlite/dialect/Arith.hpp"

#include <cmath>
#include <limits>

namespace airlite::arith {

using namespace folding;
using namespace elements;

namespace {

using Bits = std::optional<uint64_t>;
constexpr double kInf = std::numeric_limits<double>::infinity();

bool isSame(Operation& op) { return op.operand(0) == op.operand(1); }

}  // namespace

// -- Arithmetic ----------------------------------------------------------------------------------

/// Only -0.0 is neutral: x + 0.0 turns -0.0 into 0.0.
LogicalResult foldAddF(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  bool neutral =
      isFloatSplat(c[1], -0.0) || (isFloatSplat(c[1], 0.0) && (fastMathOf(op) & kNoSignedZeros));
  if (neutral) return foldTo(results, op.operand(0));
  return foldFloats(op, c, results, [](double a, double b) { return a + b; });
}

LogicalResult foldSubF(Operation& op, Constants c, Results& results) {
  if (isFloatSplat(c[1], 0.0)) return foldTo(results, op.operand(0));
  return foldFloats(op, c, results, [](double a, double b) { return a - b; });
}

LogicalResult foldMulF(Operation& op, Constants c, Results& results) {
  if (moveConstantRight(op, c)) return success();
  if (isFloatSplat(c[1], 1.0)) return foldTo(results, op.operand(0));
  constexpr uint32_t kZeroAbsorbs = kNoNaNs | kNoSignedZeros;
  bool absorbs = (fastMathOf(op) & kZeroAbsorbs) == kZeroAbsorbs;
  if (absorbs && isFloatSplat(c[1], 0.0)) return foldTo(results, c[1]);
  return foldFloats(op, c, results, [](double a, double b) { return a * b; });
}

LogicalResult foldDivF(Operation& op, Constants c, Results& results) {
  if (isFloatSplat(c[1], 1.0)) return foldTo(results, op.operand(0));
  return foldFloats(op, c, results, [](double a, double b) { return a / b; });
}

LogicalResult foldRemF(Operation& op, Constants c, Results& results) {
  return foldFloats(op, c, results, [](double a, double b) { return std::fmod(a, b); });
}

LogicalResult foldNegF(Operation& op, Constants c, Results& results) {
  if (Operation* inner = definedBy(op.operand(0), "arith.negf"))
    return foldTo(results, inner->operand(0));
  uint64_t sign = signBit(elementTypeOrSelf(op.result().type()).bitWidth());
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) { return v[0] ^ sign; });
}

namespace {

bool isNaNSplat(Attribute constant) {
  std::optional<double> value = floatSplat(constant);
  return value && std::isnan(*value);
}

/// `neutral` is the infinity that never wins.
LogicalResult foldPropagating(Operation& op, Constants c, Results& results, double neutral,
                              double (*pick)(double, double)) {
  if (moveConstantRight(op, c)) return success();
  if (isSame(op) || isFloatSplat(c[1], neutral)) return foldTo(results, op.operand(0));
  return foldFloats(op, c, results, pick);
}

LogicalResult foldNumber(Operation& op, Constants c, Results& results,
                         double (*pick)(double, double)) {
  if (moveConstantRight(op, c)) return success();
  if (isSame(op) || isNaNSplat(c[1])) return foldTo(results, op.operand(0));
  return foldFloats(op, c, results, pick);
}

}  // namespace

LogicalResult foldMaximumF(Operation& op, Constants c, Results& results) {
  return foldPropagating(op, c, results, -kInf, pickOrNaN<larger>);
}

LogicalResult foldMinimumF(Operation& op, Constants c, Results& results) {
  return foldPropagating(op, c, results, kInf, pickOrNaN<smaller>);
}

LogicalResult foldMaxNumF(Operation& op, Constants c, Results& results) {
  return foldNumber(op, c, results, pickNumber<larger>);
}

LogicalResult foldMinNumF(Operation& op, Constants c, Results& results) {
  return foldNumber(op, c, results, pickNumber<smaller>);
}

LogicalResult foldCmpF(Operation& op, Constants c, Results& results) {
  CmpFPredicate predicate = CmpFOp(&op).predicate();
  bool constant = predicate == CmpFPredicate::AlwaysTrue ||
                  predicate == CmpFPredicate::AlwaysFalse || isNaNSplat(c[0]) || isNaNSplat(c[1]);
  double nan = std::numeric_limits<double>::quiet_NaN();
  if (constant) return foldTo(results, splatOf(op.result().type(), evaluate(predicate, nan, nan)));
  Type type = elementTypeOrSelf(op.operand(0).type());
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) -> Bits {
    return evaluate(predicate, toDouble(type, v[0]), toDouble(type, v[1]));
  });
}

// -- Float to float ------------------------------------------------------------------------------

namespace {

/// The value in the result's format, if it is the same value there. A NaN stays a NaN.
LogicalResult foldExactFloatCast(Operation& op, Constants c, Results& results) {
  Type from = elementTypeOrSelf(op.operand(0).type());
  Type to = elementTypeOrSelf(op.result().type());
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) -> Bits {
    double value = toDouble(from, v[0]);
    uint64_t bits = fromDouble(to, value);
    bool exact = std::isnan(value) || toDouble(to, bits) == value;
    return exact ? Bits(bits) : Bits();
  });
}

}  // namespace

LogicalResult foldExtF(Operation& op, Constants c, Results& results) {
  Operation* trunc = definedBy(op.operand(0), "arith.truncf");
  bool mayContract =
      trunc && (fastMathOf(op) & kAllowContract) && (fastMathOf(*trunc) & kAllowContract);
  if (mayContract && trunc->operand(0).type() == op.result().type())
    return foldTo(results, trunc->operand(0));
  return foldExactFloatCast(op, c, results);
}

/// Back to the type it was extended from: nothing has happened.
LogicalResult foldTruncF(Operation& op, Constants c, Results& results) {
  Operation* ext = definedBy(op.operand(0), "arith.extf");
  if (ext && ext->operand(0).type() == op.result().type()) return foldTo(results, ext->operand(0));
  return foldExactFloatCast(op, c, results);
}

// -- Integer to integer --------------------------------------------------------------------------

namespace {

unsigned width(Value value) { return elementTypeOrSelf(value.type()).bitWidth(); }

/// Takes the operand of the cast before; the op stays.
LogicalResult skipInner(Operation& op, Operation& inner) {
  op.setOperand(0, inner.operand(0));
  return success();
}

/// Widens with or without the sign, or cuts: the wrapping to the result is done by the caller.
LogicalResult foldResize(Operation& op, Constants c, Results& results, bool isSigned) {
  unsigned from = width(op.operand(0));
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) -> Bits {
    return isSigned ? static_cast<uint64_t>(signExtend(v[0], from)) : v[0];
  });
}

Operation* extensionOf(Value value) {
  Operation* op = definedBy(value, "arith.extui");
  return op ? op : definedBy(value, "arith.extsi");
}

}  // namespace

LogicalResult foldExtSI(Operation& op, Constants c, Results& results) {
  if (Operation* inner = definedBy(op.operand(0), "arith.extsi")) return skipInner(op, *inner);
  return foldResize(op, c, results, true);
}

LogicalResult foldExtUI(Operation& op, Constants c, Results& results) {
  if (Operation* inner = definedBy(op.operand(0), "arith.extui")) return skipInner(op, *inner);
  return foldResize(op, c, results, false);
}

LogicalResult foldTruncI(Operation& op, Constants c, Results& results) {
  if (Operation* ext = extensionOf(op.operand(0))) {
    Value source = ext->operand(0);
    if (source.type() == op.result().type()) return foldTo(results, source);
    if (width(source) > width(op.result())) return skipInner(op, *ext);
  }
  if (Operation* inner = definedBy(op.operand(0), "arith.trunci")) return skipInner(op, *inner);
  return foldResize(op, c, results, false);
}

namespace {

/// A round trip through a type that loses nothing. Index counts as 64 bits: a narrower middle would
/// cut the value.
LogicalResult foldIndexCasts(Operation& op, Constants c, Results& results, bool isSigned) {
  Operation* inner = definedBy(op.operand(0), op.name());
  bool isRoundTrip = inner && inner->operand(0).type() == op.result().type();
  if (isRoundTrip && width(op.operand(0)) >= width(op.result()))
    return foldTo(results, inner->operand(0));
  if (op.result().type().isa<ShapedType>() && !c[0]) return failure();
  return foldResize(op, c, results, isSigned);
}

}  // namespace

LogicalResult foldIndexCast(Operation& op, Constants c, Results& results) {
  return foldIndexCasts(op, c, results, true);
}

LogicalResult foldIndexCastUI(Operation& op, Constants c, Results& results) {
  return foldIndexCasts(op, c, results, false);
}

// -- Integer and float ---------------------------------------------------------------------------

namespace {

uint64_t intToFloat(Type type, uint64_t magnitude, bool negative) {
  return fromDouble(type, intAsDouble(magnitude, negative, type.isF64()));
}

LogicalResult foldFPToInt(Operation& op, Constants c, Results& results, bool isSigned) {
  Type from = elementTypeOrSelf(op.operand(0).type());
  unsigned bits = width(op.result());
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) {
    return floatToInt(toDouble(from, v[0]), bits, isSigned);
  });
}

}  // namespace

LogicalResult foldSIToFP(Operation& op, Constants c, Results& results) {
  Type to = elementTypeOrSelf(op.result().type());
  unsigned from = width(op.operand(0));
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) -> Bits {
    int64_t value = signExtend(v[0], from);
    uint64_t magnitude = static_cast<uint64_t>(value);
    return intToFloat(to, value < 0 ? 0 - magnitude : magnitude, value < 0);
  });
}

LogicalResult foldUIToFP(Operation& op, Constants c, Results& results) {
  Type to = elementTypeOrSelf(op.result().type());
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) -> Bits {
    return intToFloat(to, v[0], false);
  });
}

LogicalResult foldFPToSI(Operation& op, Constants c, Results& results) {
  return foldFPToInt(op, c, results, true);
}

LogicalResult foldFPToUI(Operation& op, Constants c, Results& results) {
  return foldFPToInt(op, c, results, false);
}

/// Element sizes are equal, so the bits stand for themselves. A NaN whose payload an attribute
/// would not keep is left alone.
LogicalResult foldBitcast(Operation& op, Constants c, Results& results) {
  if (op.operand(0).type() == op.result().type()) return foldTo(results, op.operand(0));
  auto to = elementTypeOrSelf(op.result().type()).dynCast<FloatType>();
  return foldElements(op, c, results, [&](std::span<const uint64_t> v) -> Bits {
    bool kept = !to || floatToBits(to.floatKind(), toDouble(to, v[0])) == v[0];
    return kept ? Bits(v[0]) : Bits();
  });
}

}  // namespace airlite::arith
