// The elementwise ops of math as functions of bits. Functions with a rounded result are those of
// the C library in double. For narrower formats they are rounded to float once: that is the float
// next to the exact value, for all but a few in 2^32, and the same on every machine. (The library's
// own functions of floats differ by machine: with and without fused multiply-add.)
#include "ArithElements.hpp"
#include "EvaluateTables.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <cmath>

namespace airlite::math {
namespace {

using namespace arith::elements;

using Library = double (*)(double);
using Library2 = double (*)(double, double);

Evaluation number(const ElementOp& op, double value, uint64_t* out) {
  out[0] = encodeFloat(op.outFloat, value);
  return Evaluation::Value;
}
Evaluation bits(uint64_t value, uint64_t* out) {
  out[0] = value;
  return Evaluation::Value;
}

/// Formats below float are rounded from float.
Evaluation rounded(const ElementOp& op, double value, uint64_t* out) {
  bool isDouble = op.inFloat == FloatKind::F64;
  return number(op, isDouble ? value : static_cast<float>(value), out);
}

Evaluation call(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  auto library = *static_cast<const Library*>(op.detail);
  return rounded(op, library(decodeFloat(op.inFloat, in[0])), out);
}

/// With kBf16Result.
Evaluation callForBf16(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  auto library = *static_cast<const Library*>(op.detail);
  return bits(bitsOfBf16Result(library(decodeFloat(op.inFloat, in[0]))), out);
}

Evaluation callTwo(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  auto library = *static_cast<const Library2*>(op.detail);
  double x = decodeFloat(op.inFloat, in[0]), y = decodeFloat(op.inFloat, in[1]);
  return rounded(op, library(x, y), out);
}

/// A function whose result rounds once from double in every format.
template <double (*Function)(double)>
Evaluation exact(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return number(op, Function(decodeFloat(op.inFloat, in[0])), out);
}

double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }
bool isNaN(double x) { return std::isnan(x); }
bool isInf(double x) { return std::isinf(x); }
bool isFinite(double x) { return std::isfinite(x); }

template <bool (*Test)(double)>
Evaluation test(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return bits(Test(decodeFloat(op.inFloat, in[0])), out);
}

Evaluation absf(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return bits(in[0] & ~signBit(op.inWidth), out);
}
Evaluation copysign(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  uint64_t sign = signBit(op.inWidth);
  return bits((in[0] & ~sign) | (in[1] & sign), out);
}
Evaluation fma(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  double a = decodeFloat(op.inFloat, in[0]), b = decodeFloat(op.inFloat, in[1]),
         c = decodeFloat(op.inFloat, in[2]);
  return number(op, fusedMultiplyAdd(op.inFloat == FloatKind::F64, a, b, c), out);
}
Evaluation absi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  uint64_t magnitude = signExtend(in[0], op.inWidth) < 0 ? 0 - in[0] : in[0];
  return bits(magnitude & maskOf(op.inWidth), out);
}
Evaluation ctlz(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return bits(op.inWidth - static_cast<unsigned>(std::bit_width(in[0])), out);
}
Evaluation cttz(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  return bits(in[0] ? static_cast<unsigned>(std::countr_zero(in[0])) : op.inWidth, out);
}
Evaluation ctpop(const ElementOp&, const uint64_t* in, uint64_t* out) {
  return bits(static_cast<uint64_t>(std::popcount(in[0])), out);
}
Evaluation ipowi(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  std::optional<uint64_t> power = intPower(in[0], in[1], op.inWidth);
  return power ? bits(*power & maskOf(op.inWidth), out) : Evaluation::Undefined;
}

template <double (*Function)(double)> EvaluationEntry library() {
  static constexpr Library function = Function;
  return {call, &function};
}
template <double (*Function)(double, double)> EvaluationEntry library2() {
  static constexpr Library2 function = Function;
  return {callTwo, &function};
}

}  // namespace

void roundToBf16(ElementOp& op) { op.compute = callForBf16; }

const EvaluationTable& evaluations() {
  static const EvaluationTable table = {
      {"math.sin", library<std::sin>()},
      {"math.cos", library<std::cos>()},
      {"math.tan", library<std::tan>()},
      {"math.asin", library<std::asin>()},
      {"math.acos", library<std::acos>()},
      {"math.atan", library<std::atan>()},
      {"math.sinh", library<std::sinh>()},
      {"math.cosh", library<std::cosh>()},
      {"math.tanh", library<std::tanh>()},
      {"math.asinh", library<std::asinh>()},
      {"math.acosh", library<std::acosh>()},
      {"math.atanh", library<std::atanh>()},
      {"math.exp", library<std::exp>()},
      {"math.exp2", library<std::exp2>()},
      {"math.expm1", library<std::expm1>()},
      {"math.log", library<std::log>()},
      {"math.log2", library<std::log2>()},
      {"math.log10", library<std::log10>()},
      {"math.log1p", library<std::log1p>()},
      {"math.erf", library<std::erf>()},
      {"math.cbrt", library<std::cbrt>()},
      {"math.atan2", library2<std::atan2>()},
      {"math.powf", library2<std::pow>()},
      {"math.sqrt", exact<std::sqrt>},
      {"math.rsqrt", exact<reciprocalRoot>},
      {"math.ceil", exact<std::ceil>},
      {"math.floor", exact<std::floor>},
      {"math.trunc", exact<std::trunc>},
      {"math.round", exact<std::round>},
      {"math.roundeven", exact<std::nearbyint>},
      {"math.absf", absf},
      {"math.copysign", copysign},
      {"math.fma", fma},
      {"math.isnan", test<isNaN>},
      {"math.isinf", test<isInf>},
      {"math.isfinite", test<isFinite>},
      {"math.absi", absi},
      {"math.ctlz", ctlz},
      {"math.cttz", cttz},
      {"math.ctpop", ctpop},
      {"math.ipowi", ipowi},
  };
  return table;
}

}  // namespace airlite::math
