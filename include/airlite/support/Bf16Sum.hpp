// Sums of products of bf16 as the matrix unit of AIE2 makes them: of the simulator, and of the
// interpreter for ops that say so (linalg::kSumDepth).
//
//   uint32_t bits = bf16Sum(std::array{Bf16Product{a, b}}, false, std::array{sum});
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace airlite {

/// A term of a sum: an f32 by its bits, or a product of two bf16.
struct Bf16Product {
  uint16_t a, b;
};

namespace bf16_sum {

inline constexpr int kAlignedBits = 23;   ///< below the largest exponent
inline constexpr int kNothing = -100000;  ///< exponent of a term that is 0
inline constexpr uint32_t kNan = 0x7fc00000;

/// mantissa * 2^(exponent - point); `exponent` is that of the highest bit the term may have.
struct Term {
  int64_t mantissa = 0;
  int exponent = kNothing;
  int point = 0;
};

struct Parts {
  bool negative, isNan, isInfinite;
  int exponent;
  int64_t mantissa;
};

inline Parts split(uint32_t bits, int fractionBits) {
  const int exponent = static_cast<int>(bits >> fractionBits & 0xff);
  const int64_t fraction = bits & ((uint32_t{1} << fractionBits) - 1);
  const bool special = exponent == 0xff;
  return {(bits >> fractionBits & 0x100) != 0, special && fraction, special && !fraction,
          std::max(exponent, 1) - 127, exponent ? fraction | int64_t{1} << fractionBits : fraction};
}

struct Sum {
  std::array<Term, 20> terms;
  unsigned count = 0;
  bool isNan = false, plusInfinity = false, minusInfinity = false;

  void addInfinity(bool negative) { (negative ? minusInfinity : plusInfinity) = true; }
  void add(int64_t mantissa, bool negative, int exponent, int point) {
    if (mantissa) terms[count++] = {negative ? -mantissa : mantissa, exponent, point};
  }
  void addProduct(Bf16Product product, bool negate) {
    const Parts a = split(product.a, 7), b = split(product.b, 7);
    const bool negative = (a.negative != b.negative) != negate;
    const bool infinite = a.isInfinite || b.isInfinite;
    if (a.isNan || b.isNan || (infinite && (!a.mantissa || !b.mantissa)))
      isNan = true;
    else if (infinite)
      addInfinity(negative);
    else
      add(a.mantissa * b.mantissa, negative, a.exponent + b.exponent + 1, 15);
  }
  void addFloat(uint32_t bits) {
    const Parts a = split(bits, 23);
    isNan |= a.isNan;
    if (a.isInfinite) addInfinity(a.negative);
    if (!a.isNan && !a.isInfinite) add(a.mantissa, a.negative, a.exponent, 23);
  }
};

/// value / 2^shift to the nearest, ties to even; a negative shift multiplies.
inline int64_t roundedShift(int64_t value, int shift) {
  if (shift <= 0) return value * (int64_t{1} << -shift);
  if (shift > 40) return 0;  // all terms have less than 32 bits
  const int64_t below = value >> shift, rest = value - below * (int64_t{1} << shift);
  const int64_t half = int64_t{1} << (shift - 1);
  return below + (rest > half || (rest == half && (below & 1)));
}

inline int64_t aligned(const Term& term, int largest) {
  // In units of 2^(largest - kAlignedBits).
  return roundedShift(term.mantissa, largest - kAlignedBits - term.exponent + term.point);
}

}  // namespace bf16_sum

/// products + accumulators, as f32 bits. All terms are aligned to the largest exponent and rounded
/// to 23 bits below it (to the nearest, ties to even), then summed exactly and rounded once: what
/// an emulator reports of the hardware (C). Products that are exact in f32 and sums without
/// cancellation agree with IEEE. `negateProducts` changes their signs. A subnormal result is kept
/// (not known).
inline uint32_t bf16Sum(std::span<const Bf16Product> products, bool negateProducts,
                        std::span<const uint32_t> accumulators) {
  using namespace bf16_sum;
  Sum sum;
  for (Bf16Product product : products)
    sum.addProduct(product, negateProducts);
  for (uint32_t accumulator : accumulators)
    sum.addFloat(accumulator);
  if (sum.isNan || (sum.plusInfinity && sum.minusInfinity)) return kNan;
  if (sum.plusInfinity) return 0x7f800000;
  if (sum.minusInfinity) return 0xff800000;
  int largest = kNothing;
  for (unsigned i = 0; i < sum.count; ++i)
    largest = std::max(largest, sum.terms[i].exponent);
  int64_t total = 0;
  for (unsigned i = 0; i < sum.count; ++i)
    total += aligned(sum.terms[i], largest);
  // A double holds the sum; the conversion to float is the one rounding.
  const double exact = std::ldexp(static_cast<double>(total), largest - kAlignedBits);
  return std::bit_cast<uint32_t>(static_cast<float>(exact));
}

}  // namespace airlite
