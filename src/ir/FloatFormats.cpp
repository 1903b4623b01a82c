// Rounding into the float formats and their bit patterns. Integer arithmetic only: the result does
// not depend on the rounding mode of the machine, and signalling NaNs stay as they are.
#include "airlite/ir/Attribute.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace airlite {
namespace {

/// What the patterns beyond the largest number mean.
enum class Beyond {
  InfinityAndNaN,  // as IEEE 754 says
  AllOnesNaN,      // "FN": all ones is the only NaN; larger values become it
  NoNegativeZero,  // "FNUZ": the pattern of -0 is the only NaN; larger values become it
};

struct Format {
  int exponentBits;
  int mantissaBits;
  Beyond beyond;

  bool hasInfinity() const { return beyond == Beyond::InfinityAndNaN; }
  int bias() const {
    return (1 << (exponentBits - 1)) - (beyond == Beyond::NoNegativeZero ? 0 : 1);
  }
  int minExponent() const { return 1 - bias(); }
  uint64_t exponentMask() const { return (1ull << exponentBits) - 1; }
  uint64_t mantissaMask() const { return (1ull << mantissaBits) - 1; }
  uint64_t signBit() const { return 1ull << (exponentBits + mantissaBits); }
  uint64_t infinity() const { return exponentMask() << mantissaBits; }
  uint64_t allOnes() const { return signBit() - 1; }
  /// Of a format without infinity: the pattern of NaN, without a sign.
  uint64_t onlyNaN() const { return beyond == Beyond::NoNegativeZero ? signBit() : allOnes(); }
  /// The first pattern after those of finite numbers.
  uint64_t end() const { return hasInfinity() ? infinity() : onlyNaN(); }
};

constexpr Format kDouble = {11, 52, Beyond::InfinityAndNaN};

constexpr Format makeFormat(FloatKind kind) {
  switch (kind) {
    case FloatKind::F16: return {5, 10, Beyond::InfinityAndNaN};
    case FloatKind::BF16: return {8, 7, Beyond::InfinityAndNaN};
    case FloatKind::F32: return {8, 23, Beyond::InfinityAndNaN};
    case FloatKind::F64: return kDouble;
    case FloatKind::F8E4M3FN: return {4, 3, Beyond::AllOnesNaN};
    case FloatKind::F8E5M2: return {5, 2, Beyond::InfinityAndNaN};
    case FloatKind::TF32: return {8, 10, Beyond::InfinityAndNaN};
    case FloatKind::F8E4M3FNUZ: return {4, 3, Beyond::NoNegativeZero};
    case FloatKind::F8E5M2FNUZ: return {5, 2, Beyond::NoNegativeZero};
  }
  return kDouble;
}

/// A table, since each element that is computed asks for one.
constexpr std::array kFormats = [] {
  std::array<Format, 9> formats{};
  for (size_t kind = 0; kind < formats.size(); ++kind)
    formats[kind] = makeFormat(static_cast<FloatKind>(kind));
  return formats;
}();

const Format& formatOf(FloatKind kind) { return kFormats[static_cast<size_t>(kind)]; }

uint64_t shiftRightToNearestEven(uint64_t value, int shift) {
  if (shift == 0) return value;
  if (shift > 60) return 0;  // the value has 53 bits: less than a half
  uint64_t kept = value >> shift;
  uint64_t rest = value & ((1ull << shift) - 1);
  uint64_t half = 1ull << (shift - 1);
  bool up = rest > half || (rest == half && (kept & 1));
  return kept + (up ? 1 : 0);
}

// The payload is cut from below; one that would vanish becomes the quiet bit, or the pattern would
// say infinity.
uint64_t encodeNaN(const Format& to, uint64_t doubleMantissa) {
  if (!to.hasInfinity()) return to.onlyNaN();
  uint64_t payload = doubleMantissa >> (kDouble.mantissaBits - to.mantissaBits);
  return to.infinity() | (payload ? payload : 1ull << (to.mantissaBits - 1));
}

uint64_t encodeFinite(const Format& to, int exponent, uint64_t significand) {
  int below = std::max(0, to.minExponent() - exponent);
  uint64_t rounded =
      shiftRightToNearestEven(significand, kDouble.mantissaBits - to.mantissaBits + below);
  // The leading one of a normal number adds one to the exponent field; so does a carry.
  uint64_t field = below ? 0 : static_cast<uint64_t>(exponent + to.bias() - 1);
  uint64_t encoded = (field << to.mantissaBits) + rounded;
  return std::min(encoded, to.end());
}

uint64_t encodeMagnitude(const Format& to, uint64_t magnitude) {
  uint64_t exponentField = magnitude >> kDouble.mantissaBits;
  uint64_t mantissa = magnitude & kDouble.mantissaMask();
  if (exponentField == kDouble.exponentMask()) return mantissa ? encodeNaN(to, mantissa) : to.end();
  if (exponentField == 0) return encodeFinite(to, kDouble.minExponent(), mantissa);
  uint64_t significand = mantissa | (1ull << kDouble.mantissaBits);
  return encodeFinite(to, static_cast<int>(exponentField) - kDouble.bias(), significand);
}

uint64_t decodeMagnitude(const Format& from, uint64_t magnitude) {
  uint64_t exponentField = magnitude >> from.mantissaBits;
  uint64_t mantissa = magnitude & from.mantissaMask();
  int widen = kDouble.mantissaBits - from.mantissaBits;
  if (!from.hasInfinity() && magnitude == from.onlyNaN())
    return kDouble.infinity() | (1ull << (kDouble.mantissaBits - 1));
  if (from.hasInfinity() && exponentField == from.exponentMask())
    return kDouble.infinity() | (mantissa << widen);
  if (exponentField == 0)
    return std::bit_cast<uint64_t>(
        std::ldexp(static_cast<double>(mantissa), from.minExponent() - from.mantissaBits));
  uint64_t exponent = exponentField + static_cast<uint64_t>(kDouble.bias() - from.bias());
  return (exponent << kDouble.mantissaBits) | (mantissa << widen);
}

}  // namespace

uint64_t floatToBits(FloatKind kind, double value) {
  auto bits = std::bit_cast<uint64_t>(value);
  if (kind == FloatKind::F64) return bits;
  const Format& to = formatOf(kind);
  uint64_t sign = bits & kDouble.signBit() ? to.signBit() : 0;
  uint64_t magnitude = encodeMagnitude(to, bits & kDouble.allOnes());
  // What rounds to zero, and NaN, have no sign where its pattern means something else.
  if (to.beyond == Beyond::NoNegativeZero && (magnitude & to.allOnes()) == 0) return magnitude;
  return sign | magnitude;
}

double floatFromBits(FloatKind kind, uint64_t bits) {
  if (kind == FloatKind::F64) return std::bit_cast<double>(bits);
  if (kind == FloatKind::F32 || kind == FloatKind::BF16) {
    const auto wide = static_cast<uint32_t>(kind == FloatKind::BF16 ? bits << 16 : bits);
    // Exact, but for signalling NaNs, which would become quiet.
    if (const float number = std::bit_cast<float>(wide); !std::isnan(number)) return number;
  }
  const Format& from = formatOf(kind);
  if (from.beyond == Beyond::NoNegativeZero && bits == from.onlyNaN())
    return std::numeric_limits<double>::quiet_NaN();
  uint64_t sign = bits & from.signBit() ? kDouble.signBit() : 0;
  return std::bit_cast<double>(sign | decodeMagnitude(from, bits & from.allOnes()));
}

double roundToFormat(FloatKind kind, double value) {
  return floatFromBits(kind, floatToBits(kind, value));
}

}  // namespace airlite
