// The math dialect: elementary functions, bit counts and powers, also element by element.
//
// Exact functions (rounding to whole numbers, sign, bit counts) fold in every format. Functions
// with a rounded result fold for f32 and f64, where the C library computes in the format itself.
#include "ArithElements.hpp"
#include "ArithSyntax.hpp"
#include "ConstantFolding.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <cmath>
#include <limits>

namespace airlite {

namespace math {

namespace {

using namespace folding;
using arith::kFastMathFlags;
using arith::kFloatBinaryFormat;
using arith::kFloatUnaryFormat;
using arith::kNoFastMath;
using Bits = std::optional<uint64_t>;
using Words = std::span<const uint64_t>;

// -- Folding -------------------------------------------------------------------------------------

/// An argument outside the function's domain is left alone: the program computes its own NaN.
bool isDefined(double argument, double value) { return std::isnan(argument) || !std::isnan(value); }

/// In double and rounded once, as MathEvaluate.cpp does it.
LogicalResult foldLibrary(Operation& op, Constants c, Results& results,
                          double (*function)(double)) {
  Type type = elementTypeOrSelf(op.result().type());
  if ((!type.isF32() && !type.isF64()) || op.hasAttr(kBf16Result)) return failure();
  return foldElements(op, c, results, [&](Words v) -> Bits {
    double argument = toDouble(type, v[0]), value = function(argument);
    return isDefined(argument, value) ? Bits(fromDouble(type, value)) : Bits();
  });
}

template <double (*Function)(double)>
LogicalResult foldWith(Operation& op, Constants c, Results& results) {
  return foldLibrary(op, c, results, Function);
}

template <double (*Function)(double, double)>
LogicalResult foldWithTwo(Operation& op, Constants c, Results& results) {
  Type type = elementTypeOrSelf(op.result().type());
  if (!type.isF32() && !type.isF64()) return failure();
  return foldElements(op, c, results, [&](Words v) -> Bits {
    double a = toDouble(type, v[0]), b = toDouble(type, v[1]);
    double value = Function(a, b);
    return isDefined(a + b, value) ? Bits(fromDouble(type, value)) : Bits();
  });
}

/// A function whose result every format that holds the argument holds, too.
template <double (*Exact)(double)>
LogicalResult foldExact(Operation& op, Constants c, Results& results) {
  return foldFloats(op, c, results, [](double x) { return Exact(x); });
}

/// Square roots round once: double has the bits for it. Negative arguments stay.
LogicalResult foldSqrt(Operation& op, Constants c, Results& results) {
  Type type = elementTypeOrSelf(op.result().type());
  return foldElements(op, c, results, [&](Words v) -> Bits {
    double argument = toDouble(type, v[0]);
    double value = std::sqrt(argument);
    return isDefined(argument, value) ? Bits(fromDouble(type, value)) : Bits();
  });
}

unsigned widthOf(Operation& op) { return elementTypeOrSelf(op.result().type()).bitWidth(); }

LogicalResult foldAbsF(Operation& op, Constants c, Results& results) {
  uint64_t sign = signBit(widthOf(op));
  return foldElements(op, c, results, [&](Words v) { return v[0] & ~sign; });
}

LogicalResult foldCopySign(Operation& op, Constants c, Results& results) {
  uint64_t sign = signBit(widthOf(op));
  return foldElements(op, c, results, [&](Words v) { return (v[0] & ~sign) | (v[1] & sign); });
}

LogicalResult foldAbsI(Operation& op, Constants c, Results& results) {
  unsigned width = widthOf(op);
  return foldElements(op, c, results, [&](Words v) -> Bits {
    return signExtend(v[0], width) < 0 ? 0 - v[0] : v[0];
  });
}

LogicalResult foldCtlz(Operation& op, Constants c, Results& results) {
  unsigned width = widthOf(op);
  return foldElements(op, c, results, [&](Words v) -> Bits {
    return width - static_cast<unsigned>(std::bit_width(v[0]));
  });
}

LogicalResult foldCttz(Operation& op, Constants c, Results& results) {
  unsigned width = widthOf(op);
  return foldElements(op, c, results, [&](Words v) -> Bits {
    return v[0] ? static_cast<unsigned>(std::countr_zero(v[0])) : width;
  });
}

LogicalResult foldCtpop(Operation& op, Constants c, Results& results) {
  return foldElements(op, c, results,
                      [](Words v) -> Bits { return static_cast<uint64_t>(std::popcount(v[0])); });
}

LogicalResult foldIPowI(Operation& op, Constants c, Results& results) {
  return foldInts(op, c, results, arith::elements::intPower);
}

LogicalResult foldFma(Operation& op, Constants c, Results& results) {
  Type type = elementTypeOrSelf(op.result().type());
  if (auto pieces = bf16PiecesOf(op))
    return foldElements(op, c, results, [&](Words v) -> Bits {
      return bf16PiecesSum(static_cast<uint32_t>(v[0]), static_cast<uint32_t>(v[1]),
                           static_cast<uint32_t>(v[2]), *pieces);
    });
  return foldElements(op, c, results, [&](Words v) -> Bits {
    double sum = arith::elements::fusedMultiplyAdd(type.isF64(), toDouble(type, v[0]),
                                                   toDouble(type, v[1]), toDouble(type, v[2]));
    return fromDouble(type, sum);
  });
}

LogicalResult verifyUnitFunction(Operation& op) {
  if (!op.hasAttr(kBf16Result) || elementTypeOrSelf(op.result().type()).isF32()) return success();
  return op.emitOpError() << "has '" << kBf16Result << "', which is for functions of f32";
}

LogicalResult verifyFma(Operation& op) {
  if (!op.hasAttr(kBf16Pieces)) return success();
  if (!elementTypeOrSelf(op.result().type()).isF32())
    return op.emitOpError() << "has '" << kBf16Pieces << "', which is for products of f32";
  auto counts = bf16PiecesOf(op);
  if (counts && !bf16Steps(*counts).empty()) return success();
  return op.emitOpError() << "expected '" << kBf16Pieces
                          << "' to be array<i64: A, B> or array<i64: A, B, 1> with A and B from 1 "
                             "to 3, and neither (2, 3) nor (3, 2)";
}

template <bool (*Test)(double)>
LogicalResult foldTest(Operation& op, Constants c, Results& results) {
  Type type = elementTypeOrSelf(op.operand(0).type());
  return foldElements(op, c, results, [&](Words v) -> Bits { return Test(toDouble(type, v[0])); });
}

bool testNaN(double x) { return std::isnan(x); }
bool testInf(double x) { return std::isinf(x); }
bool testFinite(double x) { return std::isfinite(x); }

// -- Families ------------------------------------------------------------------------------------

OpDef& floatUnary(Dialect& d, std::string_view name) {
  return d.op(name)
      .operand("operand", types::floatLike)
      .result("result", types::floatLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::Elementwise | Trait::SameOperandsAndResultType)
      .format(kFloatUnaryFormat);
}

OpDef& floatBinary(Dialect& d, std::string_view name) {
  return d.op(name)
      .operand("lhs", types::floatLike)
      .operand("rhs", types::floatLike)
      .result("result", types::floatLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::Elementwise | Trait::SameOperandsAndResultType)
      .format(kFloatBinaryFormat);
}

OpDef& intUnary(Dialect& d, std::string_view name) {
  return d.op(name)
      .operand("operand", types::signlessIntOrIndexLike)
      .result("result", types::signlessIntOrIndexLike)
      .traits(Trait::Pure | Trait::Elementwise | Trait::SameOperandsAndResultType)
      .format("$operand attr-dict `:` type($result)");
}

OpDef& floatTest(Dialect& d, std::string_view name) {
  return d.op(name)
      .operand("operand", types::floatLike)
      .result("result", types::boolLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::Elementwise)
      .typeFrom("result", "operand", arith::boolLike, "i1 element type and same shape as operands")
      .format("$operand (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` "
              "type($operand)");
}

// -- The ops -------------------------------------------------------------------------------------

void defineTrigonometry(Dialect& d) {
  floatUnary(d, "sin").doc("Sine.").example("%r = math.sin %a : f32").fold(foldWith<std::sin>);
  floatUnary(d, "cos").doc("Cosine.").example("%r = math.cos %a : f32").fold(foldWith<std::cos>);
  floatUnary(d, "tan").doc("Tangent.").example("%r = math.tan %a : f32").fold(foldWith<std::tan>);
  floatUnary(d, "asin")
      .doc("Arc sine.")
      .example("%r = math.asin %a : f32")
      .fold(foldWith<std::asin>);
  floatUnary(d, "acos")
      .doc("Arc cosine.")
      .example("%r = math.acos %a : f32")
      .fold(foldWith<std::acos>);
  floatUnary(d, "atan")
      .doc("Arc tangent.")
      .example("%r = math.atan %a : f32")
      .fold(foldWith<std::atan>);
  floatBinary(d, "atan2")
      .doc("Angle of the point (rhs, lhs).")
      .example("%r = math.atan2 %a, %b : f32")
      .fold(foldWithTwo<std::atan2>);
  floatUnary(d, "sinh")
      .doc("Hyperbolic sine.")
      .example("%r = math.sinh %a : f32")
      .fold(foldWith<std::sinh>);
  floatUnary(d, "cosh")
      .doc("Hyperbolic cosine.")
      .example("%r = math.cosh %a : f32")
      .fold(foldWith<std::cosh>);
  floatUnary(d, "tanh")
      .doc("Hyperbolic tangent.")
      .example("%r = math.tanh %a : f32")
      .verify(verifyUnitFunction)
      .fold(foldWith<std::tanh>);
  floatUnary(d, "asinh")
      .doc("Inverse hyperbolic sine.")
      .example("%r = math.asinh %a : f32")
      .fold(foldWith<std::asinh>);
  floatUnary(d, "acosh")
      .doc("Inverse hyperbolic cosine.")
      .example("%r = math.acosh %a : f32")
      .fold(foldWith<std::acosh>);
  floatUnary(d, "atanh")
      .doc("Inverse hyperbolic tangent.")
      .example("%r = math.atanh %a : f32")
      .fold(foldWith<std::atanh>);
}

void defineExponentials(Dialect& d) {
  floatUnary(d, "exp")
      .doc("e to the operand.")
      .example("%r = math.exp %a : f32")
      .fold(foldWith<std::exp>);
  floatUnary(d, "exp2")
      .doc("2 to the operand.")
      .example("%r = math.exp2 %a : f32")
      .verify(verifyUnitFunction)
      .fold(foldWith<std::exp2>);
  floatUnary(d, "expm1")
      .doc("e to the operand, minus one.")
      .example("%r = math.expm1 %a : f32")
      .fold(foldWith<std::expm1>);
  floatUnary(d, "log")
      .doc("Natural logarithm.")
      .example("%r = math.log %a : f32")
      .fold(foldWith<std::log>);
  floatUnary(d, "log2")
      .doc("Logarithm to base 2.")
      .example("%r = math.log2 %a : f32")
      .fold(foldWith<std::log2>);
  floatUnary(d, "log10")
      .doc("Logarithm to base 10.")
      .example("%r = math.log10 %a : f32")
      .fold(foldWith<std::log10>);
  floatUnary(d, "log1p")
      .doc("Natural logarithm of one plus the operand.")
      .example("%r = math.log1p %a : f32")
      .fold(foldWith<std::log1p>);
  floatUnary(d, "erf")
      .doc("Error function.")
      .example("%r = math.erf %a : f32")
      .fold(foldWith<std::erf>);
}

void definePowers(Dialect& d) {
  floatUnary(d, "sqrt").doc("Square root.").example("%r = math.sqrt %a : f32").fold(foldSqrt);
  floatUnary(d, "rsqrt")
      .doc("Reciprocal of the square root.")
      .example("%r = math.rsqrt %a fastmath<afn> : f32");
  floatUnary(d, "cbrt")
      .doc("Cube root.")
      .example("%r = math.cbrt %a : f32")
      .fold(foldWith<std::cbrt>);
  floatBinary(d, "powf")
      .doc("lhs to the power rhs.")
      .example("%r = math.powf %a, %b : f32")
      .fold(foldWithTwo<std::pow>);
  d.op("fpowi")
      .doc("A float to an integer power.")
      .operand("lhs", types::floatLike)
      .operand("rhs", types::signlessIntOrIndexLike)
      .result("result", types::floatLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .sameType({"lhs", "result"})
      .traits(Trait::Pure | Trait::Elementwise)
      .format("$lhs `,` $rhs (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` "
              "type($lhs) `,` type($rhs)")
      .example("%r = math.fpowi %a, %n : f32, i32");
  d.op("ipowi")
      .doc("A signed integer to an integer power; wraps around.")
      .operand("lhs", types::signlessIntOrIndexLike)
      .operand("rhs", types::signlessIntOrIndexLike)
      .result("result", types::signlessIntOrIndexLike)
      .traits(Trait::Pure | Trait::Elementwise | Trait::SameOperandsAndResultType)
      .format("$lhs `,` $rhs attr-dict `:` type($result)")
      .example("%r = math.ipowi %a, %b : i32")
      .fold(foldIPowI);
  d.op("fma")
      .doc("a * b + c, rounded once; with `air.bf16_pieces` the factors are split into pieces of "
           "bf16 "
           "(support/Bf16Pieces.hpp).")
      .operand("a", types::floatLike)
      .operand("b", types::floatLike)
      .operand("c", types::floatLike)
      .result("result", types::floatLike)
      .defaultAttr("fastmath", kFastMathFlags, kNoFastMath)
      .traits(Trait::Pure | Trait::Elementwise | Trait::SameOperandsAndResultType)
      .format("$a `,` $b `,` $c (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` "
              "type($result)")
      .verify(verifyFma)
      .example("%r = math.fma %a, %b, %c : f32")
      .fold(foldFma);
}

void defineRounding(Dialect& d) {
  floatUnary(d, "absf").doc("Absolute value.").example("%r = math.absf %a : f32").fold(foldAbsF);
  floatBinary(d, "copysign")
      .doc("lhs with the sign of rhs.")
      .example("%r = math.copysign %a, %b : f32")
      .fold(foldCopySign);
  floatUnary(d, "ceil")
      .doc("Rounded up.")
      .example("%r = math.ceil %a : f32")
      .fold(foldExact<std::ceil>);
  floatUnary(d, "floor")
      .doc("Rounded down.")
      .example("%r = math.floor %a : f32")
      .fold(foldExact<std::floor>);
  floatUnary(d, "trunc")
      .doc("Rounded towards zero.")
      .example("%r = math.trunc %a : f32")
      .fold(foldExact<std::trunc>);
  floatUnary(d, "round")
      .doc("Rounded to nearest, halves away from zero.")
      .example("%r = math.round %a : f32")
      .fold(foldExact<std::round>);
  floatUnary(d, "roundeven")
      .doc("Rounded to nearest, halves to even.")
      .example("%r = math.roundeven %a : f32")
      .fold(foldExact<std::nearbyint>);
}

void defineTests(Dialect& d) {
  floatTest(d, "isnan")
      .doc("Is it NaN?")
      .example("%r = math.isnan %a : f32")
      .fold(foldTest<testNaN>);
  floatTest(d, "isinf")
      .doc("Is it an infinity?")
      .example("%r = math.isinf %a : f32")
      .fold(foldTest<testInf>);
  floatTest(d, "isfinite")
      .doc("Is it neither NaN nor an infinity?")
      .example("%r = math.isfinite %a : f32")
      .fold(foldTest<testFinite>);
  floatTest(d, "isnormal")
      .doc("Is it neither zero, subnormal, infinite nor NaN?")
      .example("%r = math.isnormal %a : f32");
}

void defineIntegers(Dialect& d) {
  intUnary(d, "absi")
      .doc("Absolute value; the least integer stays.")
      .example("%r = math.absi %a : i32")
      .fold(foldAbsI);
  intUnary(d, "ctlz")
      .doc("Number of leading zeros.")
      .example("%r = math.ctlz %a : i32")
      .fold(foldCtlz);
  intUnary(d, "cttz")
      .doc("Number of trailing zeros.")
      .example("%r = math.cttz %a : i32")
      .fold(foldCttz);
  intUnary(d, "ctpop").doc("Number of ones.").example("%r = math.ctpop %a : i32").fold(foldCtpop);
}

}  // namespace

}  // namespace math

void registerMath(Context& context) {
  if (!context.hasDialect("arith")) registerArith(context);  // fastmath is an attribute of arith
  Dialect d(context, "math", "Mathematical functions of floats and integers.");
  math::defineTrigonometry(d);
  math::defineExponentials(d);
  math::definePowers(d);
  math::defineRounding(d);
  math::defineTests(d);
  math::defineIntegers(d);
}

}  // namespace airlite
