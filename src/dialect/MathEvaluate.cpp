// The elementwise ops of math as functions of bits. Functions with a rounded result are those of
// the C library, in double for f64 and in float for every narrower format.
#include "ArithElements.hpp"
#include "EvaluateTables.hpp"

#include <cmath>

namespace airlite::math {
namespace {

using namespace arith::elements;

/// A function of the C library in both formats.
struct Library {
  double (*f64)(double);
  float (*f32)(float);
};
struct Library2 {
  double (*f64)(double, double);
  float (*f32)(float, float);
};

Evaluation number(const ElementOp& op, double value, uint64_t* out) {
  out[0] = encodeFloat(op.outFloat, value);
  return Evaluation::Value;
}
Evaluation bits(uint64_t value, uint64_t* out) {
  out[0] = value;
  return Evaluation::Value;
}

Evaluation call(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  const auto& library = *static_cast<const Library*>(op.detail);
  double x = decodeFloat(op.inFloat, in[0]);
  bool isDouble = op.inFloat == FloatKind::F64;
  return number(op, isDouble ? library.f64(x) : library.f32(static_cast<float>(x)), out);
}

Evaluation callTwo(const ElementOp& op, const uint64_t* in, uint64_t* out) {
  const auto& library = *static_cast<const Library2*>(op.detail);
  double x = decodeFloat(op.inFloat, in[0]), y = decodeFloat(op.inFloat, in[1]);
  if (op.inFloat == FloatKind::F64) return number(op, library.f64(x, y), out);
  return number(op, library.f32(static_cast<float>(x), static_cast<float>(y)), out);
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

template <double (*F64)(double), float (*F32)(float)> EvaluationEntry library() {
  static constexpr Library pair{F64, F32};
  return {call, &pair};
}
template <double (*F64)(double, double), float (*F32)(float, float)> EvaluationEntry library2() {
  static constexpr Library2 pair{F64, F32};
  return {callTwo, &pair};
}

}  // namespace

const EvaluationTable& evaluations() {
  static const EvaluationTable table = {
      {"math.sin", library<std::sin, sinf>()},
      {"math.cos", library<std::cos, cosf>()},
      {"math.tan", library<std::tan, tanf>()},
      {"math.asin", library<std::asin, asinf>()},
      {"math.acos", library<std::acos, acosf>()},
      {"math.atan", library<std::atan, atanf>()},
      {"math.sinh", library<std::sinh, sinhf>()},
      {"math.cosh", library<std::cosh, coshf>()},
      {"math.tanh", library<std::tanh, tanhf>()},
      {"math.asinh", library<std::asinh, asinhf>()},
      {"math.acosh", library<std::acosh, acoshf>()},
      {"math.atanh", library<std::atanh, atanhf>()},
      {"math.exp", library<std::exp, expf>()},
      {"math.exp2", library<std::exp2, exp2f>()},
      {"math.expm1", library<std::expm1, expm1f>()},
      {"math.log", library<std::log, logf>()},
      {"math.log2", library<std::log2, log2f>()},
      {"math.log10", library<std::log10, log10f>()},
      {"math.log1p", library<std::log1p, log1pf>()},
      {"math.erf", library<std::erf, erff>()},
      {"math.cbrt", library<std::cbrt, cbrtf>()},
      {"math.atan2", library2<std::atan2, atan2f>()},
      {"math.powf", library2<std::pow, powf>()},
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
