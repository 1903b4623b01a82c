// Element computations that the folders of arith (compile time) and its evaluation (run time)
// share.
#pragma once

#include "ConstantFolding.hpp"

#include <cmath>
#include <limits>

namespace airlite::arith::elements {

using folding::maskOf;
using folding::signBit;
using folding::signExtend;

/// The quotient's operands are fine: not by zero and not the one that overflows.
inline bool divides(uint64_t a, uint64_t b, unsigned width) {
  return b != 0 && !(a == signBit(width) && b == maskOf(width));
}

inline int64_t ceilDiv(int64_t n, int64_t d) { return n / d + (n % d != 0 && (n < 0) == (d < 0)); }
inline int64_t floorDiv(int64_t n, int64_t d) { return n / d - (n % d != 0 && (n < 0) != (d < 0)); }
inline uint64_t ceilDivUnsigned(uint64_t n, uint64_t d) { return n / d + (n % d != 0); }

/// High half of the full product; `isSigned` decides how the operands widen.
inline uint64_t highHalf(uint64_t a, uint64_t b, unsigned width, bool isSigned) {
  using Wide = unsigned __int128;
  if (!isSigned) return static_cast<uint64_t>((Wide(a) * b) >> width);
  auto product = static_cast<__int128>(signExtend(a, width)) * signExtend(b, width);
  return static_cast<uint64_t>(product >> width);
}

/// The larger of two numbers; 0.0 is larger than -0.0.
inline double larger(double a, double b) {
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
inline double smaller(double a, double b) { return -larger(-a, -b); }

/// NaN wins.
template <double (*Pick)(double, double)> double pickOrNaN(double a, double b) {
  if (std::isnan(a)) return a;
  return std::isnan(b) ? b : Pick(a, b);
}

/// NaN loses.
template <double (*Pick)(double, double)> double pickNumber(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : Pick(a, b);
}

/// A double that rounds into every narrower format as `magnitude` itself does: bits that do not
/// fit are kept as a sticky last bit (round to odd).
inline double toDoubleSticky(uint64_t magnitude) {
  unsigned used = static_cast<unsigned>(std::bit_width(magnitude));
  if (used <= 53) return static_cast<double>(magnitude);
  unsigned cut = used - 53;
  uint64_t kept = magnitude >> cut;
  if (magnitude & maskOf(cut)) kept |= 1;
  return std::ldexp(static_cast<double>(kept), static_cast<int>(cut));
}

/// A double that rounds to `magnitude` rounded, in a format of `isDouble` or narrower.
inline double intAsDouble(uint64_t magnitude, bool negative, bool isDouble) {
  double value = isDouble ? static_cast<double>(magnitude) : toDoubleSticky(magnitude);
  return negative ? -value : value;
}

/// The integer part, when it fits `width` bits.
inline std::optional<uint64_t> floatToInt(double value, unsigned width, bool isSigned) {
  double whole = std::trunc(value);
  double limit = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  double lowest = isSigned ? -limit : 0.0;
  bool fits = whole >= lowest && whole < limit;  // false for NaN
  if (!fits) return {};
  return whole < 0 ? static_cast<uint64_t>(static_cast<int64_t>(whole))
                   : static_cast<uint64_t>(whole);
}

/// base ** exponent, wrapping. A negative exponent rounds towards zero; 0 to one is undefined.
inline std::optional<uint64_t> intPower(uint64_t base, uint64_t exponent, unsigned width) {
  int64_t value = signExtend(base, width), power = signExtend(exponent, width);
  if (power < 0) {
    if (value == 0) return {};
    if (value == 1) return 1;
    if (value == -1) return power % 2 ? base : 1;
    return 0;
  }
  uint64_t result = 1;
  for (uint64_t left = static_cast<uint64_t>(power); left; left >>= 1, base *= base)
    if (left & 1) result *= base;
  return result;
}

/// Adds so that rounding the sum again to a narrower format is rounding the exact sum: a cut is
/// remembered in the last bit (round to odd).
inline double addSticky(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  double part = sum - a;
  double rest = (a - (sum - part)) + (b - part);
  bool isOdd = std::bit_cast<uint64_t>(sum) & 1;
  if (rest == 0 || isOdd) return sum;
  return std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// The product of two narrow floats is exact in double.
inline double fusedMultiplyAdd(bool isDouble, double a, double b, double c) {
  return isDouble ? std::fma(a, b, c) : addSticky(a * b, c);
}

}  // namespace airlite::arith::elements
