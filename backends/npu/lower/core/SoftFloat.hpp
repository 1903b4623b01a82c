// IEEE single precision in words: what scalar f32 ops of cores call, since AIE2 has no scalar float
// unit. Rounding is to nearest even, subnormals count in full, every NaN that comes out is
// 0x7fc00000; so compute the folders and the interpreter.
//
// Inside, a number is an exponent and a significand with its first bit at bit 31: 24 bits of the
// format, 8 bits that rounding looks at, the lowest of which also stands for all below (sticky).
#pragma once

#include <array>
#include <cstdint>

namespace airlite::npu::soft {

inline constexpr uint32_t kSign = 0x80000000, kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
inline constexpr uint32_t kNaN = 0x7fc00000;

/// Bits of what compare() gives.
inline constexpr uint32_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

template <class Machine> class Float {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;

  explicit Float(Machine& machine) : m(machine) {}

  Word add(Word a, Word b) {
    Word ma = a & kMagnitude, mb = b & kMagnitude;
    Bit swap = m.less(ma, mb);
    Word x = m.select(swap, b, a);
    Word mx = m.maxUnsigned(ma, mb), my = m.minUnsigned(ma, mb);
    Word ex = biased(mx), ey = biased(my);
    // One bit stays free for the carry.
    Word sx = significand(mx, ex) << 7, sy = significand(my, ey) << 7;
    sy = shiftSticky(sy, m.minUnsigned(ex - ey, m.word(31)));
    Bit minus = negative(a ^ b);
    Word sum = m.select(minus, sx - sy, sx + sy);
    Word shift = m.minUnsigned(m.leadingZeros(sum | 1), ex);
    Word result = roundAndPack(ex + 1 - shift, sum << shift) | (x & kSign);
    // x - x is 0, and so is -0 + -0, but for the sign.
    result = m.select(m.equal(sum, m.word(0)), m.select(minus, m.word(0), x), result);
    Bit isNaN = above(mx, kInfinity) | (minus & m.equal(my, m.word(kInfinity)));
    Word special = m.select(isNaN, m.word(kNaN), x);
    return m.select(above(mx, kInfinity - 1), special, result);
  }

  Word multiply(Word a, Word b) {
    Word ma = a & kMagnitude, mb = b & kMagnitude, sign = (a ^ b) & kSign;
    Unpacked x = normalized(ma), y = normalized(mb);
    auto [high, low] = product(x.significand, y.significand);
    Word result = roundScaled(x.exponent + y.exponent - 126, high | isNot(low, 0)) | sign;
    Word larger = m.maxUnsigned(ma, mb), smaller = m.minUnsigned(ma, mb);
    Bit isNaN = above(larger, kInfinity) | m.equal(smaller, m.word(0));
    Word special = m.select(isNaN, m.word(kNaN), sign | kInfinity);
    return m.select(above(larger, kInfinity - 1), special, result);
  }

  /// Seven bits of the quotient at a time, by the integer division.
  Word divide(Word a, Word b) {
    Word ma = a & kMagnitude, mb = b & kMagnitude, sign = (a ^ b) & kSign;
    Unpacked x = normalized(ma), y = normalized(mb);
    Word n = x.significand >> 8, d = m.maxUnsigned(y.significand >> 8, m.word(1));
    Bit whole = !m.less(n, d);
    Word rest = m.select(whole, n - d, n);
    auto [quotient, left] =
        m.repeat(4, std::array<Word, 2>{m.word(whole), rest}, [&](std::array<Word, 2> s) {
          Word shifted = s[1] << 7, digits = shifted / d;
          return std::array<Word, 2>{s[0] << 7 | digits, shifted - digits * d};
        });
    Word result = roundScaled(x.exponent - y.exponent + 127, quotient << 3 | isNot(left, 0)) | sign;
    return divisionSpecials(ma, mb, sign, result);
  }

  /// One of kLess, kEqual, kGreater, kUnordered.
  Word compare(Word a, Word b) {
    Word ka = ordered(a), kb = ordered(b);
    Word order = m.select(m.lessSigned(ka, kb), m.word(kLess), m.word(kGreater));
    order = m.select(m.equal(ka, kb), m.word(kEqual), order);
    return m.select(isNaN(a) | isNaN(b), m.word(kUnordered), order);
  }

  /// NaN when one is (arith.maximumf, with `larger`, and minimumf); -0 is less than 0.
  Word extreme(Word a, Word b, bool larger) {
    Word picked = pick(a, b, larger);
    return m.select(isNaN(a) | isNaN(b), m.word(kNaN), picked);
  }
  /// The number when only one is (arith.maxnumf and minnumf).
  Word extremeNumber(Word a, Word b, bool larger) {
    Word picked = m.select(isNaN(a), b, m.select(isNaN(b), a, pick(a, b, larger)));
    return canonical(picked);
  }

  Word canonical(Word a) { return m.select(isNaN(a), m.word(kNaN), a); }

  // -- Conversions --------------------------------------------------------------------------------

  Word fromUnsigned(Word a) {
    Word shift = m.leadingZeros(a | 1);
    Word result = roundAndPack(m.word(158) - shift, a << shift);
    return m.select(m.equal(a, m.word(0)), a, result);
  }
  Word fromSigned(Word a) {
    Word magnitude = m.select(negative(a), m.word(0) - a, a);
    return fromUnsigned(magnitude) | (a & kSign);
  }
  /// An integer that has no more bits than f32 and rounds to bf16 as `a` does.
  Word narrowed(Word a) {
    Word magnitude = m.select(negative(a), m.word(0) - a, a);
    return m.select(negative(a), m.word(0) - narrowedUnsigned(magnitude),
                    narrowedUnsigned(magnitude));
  }
  Word narrowedUnsigned(Word a) {
    Word cut = (a & ~0xffu) | isNot(a & 0xff, 0) << 8;
    return m.select(m.less(a, m.word(1 << 24)), a, cut);
  }
  /// Towards zero. Anything when it does not fit. Numbers above 2^31 come out as unsigned.
  Word toInteger(Word a) {
    Word exponent = (a & kMagnitude) >> 23;
    Word shift = m.minUnsigned(m.maxSigned(m.word(158) - exponent, m.word(0)), m.word(31));
    Word magnitude = (a << 8 | kSign) >> shift;
    Word number = m.select(negative(a), m.word(0) - magnitude, magnitude);
    return m.select(m.less(exponent, m.word(127)), m.word(0), number);
  }
  /// The upper half of the word; the lower one is zero.
  Word toBf16(Word a) {
    Word rounded = (a + 0x7fff + ((a >> 16) & 1)) >> 16;
    return m.select(isNaN(a), m.word(kNaN >> 16), rounded);
  }

  /// The high and the low word of a * b, from halves: multiplications give the low word only.
  std::array<Word, 2> product(Word a, Word b) {
    Word a1 = a >> 16, a0 = a & 0xffff, b1 = b >> 16, b0 = b & 0xffff;
    Word low = a0 * b0, middle = a1 * b0 + (low >> 16);
    Word middle2 = a0 * b1 + (middle & 0xffff);
    return {a1 * b1 + (middle >> 16) + (middle2 >> 16), middle2 << 16 | (low & 0xffff)};
  }

  // -- Whole numbers ------------------------------------------------------------------------------

  enum class Whole { Floor, Ceil, Trunc, Round, RoundEven };

  /// The whole number next to `a` in a direction; Round takes halves away from zero.
  Word whole(Word a, Whole way) {
    Word magnitude = a & kMagnitude, exponent = magnitude >> 23;
    // The fraction bits, when the number has some and is not below 1.
    Word by = m.minUnsigned(m.maxSigned(exponent - 127, m.word(0)), m.word(23));
    Word fraction = m.word(0x7fffff) >> by;
    Word result = ((magnitude + carried(a, magnitude, fraction, way)) & ~fraction) | (a & kSign);
    Bit isBelowOne = m.less(exponent, m.word(127));
    Word small = m.select(roundsToOne(a, magnitude, way), m.word(0x3f800000), m.word(0));
    return canonical(m.select(isBelowOne, small | (a & kSign), result));
  }

  // -- Parts of numbers ---------------------------------------------------------------------------

  struct Unpacked {
    Word exponent;     // may be below 1
    Word significand;  // first bit at 31; 0 for zero
  };

  Bit isNaN(Word a) { return above(a & kMagnitude, kInfinity); }

  Unpacked normalized(Word magnitude) {
    Word exponent = biased(magnitude), bits = significand(magnitude, exponent);
    Word shift = m.leadingZeros(bits | 1);
    return {exponent + 8 - shift, bits << shift};
  }

  /// Packs a number whose first bit is at 31, or below at exponent 1. No exponent is above 511.
  Word roundAndPack(Word exponent, Word bits) {
    Word kept = bits >> 8;
    Word up = ((bits & 0xff) + (kept & 1) + 0x7f) >> 8;
    Word packed = ((exponent - 1) << 23) + kept + up;  // the first bit adds 1 to the exponent
    return m.minUnsigned(packed, m.word(kInfinity));
  }

  /// Packs a number whose first bit is at 31 or 30, of any exponent (as a signed number), or zero.
  Word roundScaled(Word exponent, Word bits) {
    Word missing = m.word(1) - (bits >> 31);
    Word scaled = exponent - missing;
    Word below = m.minSigned(m.maxSigned(m.word(1) - scaled, m.word(0)), m.word(31));
    Word aligned = shiftSticky(bits << missing, below);
    Word result = roundAndPack(m.maxSigned(scaled, m.word(1)), aligned);
    return m.select(m.equal(bits, m.word(0)), bits, result);
  }

 private:
  /// What is added so that truncating the fraction bits rounds.
  Word carried(Word a, Word magnitude, Word fraction, Whole way) {
    Word half = (fraction + 1) >> 1, none = m.word(0);
    switch (way) {
      case Whole::Floor: return m.select(negative(a), fraction, none);
      case Whole::Ceil: return m.select(negative(a), none, fraction);
      case Whole::Trunc: return none;
      case Whole::Round: return half;
      case Whole::RoundEven: break;
    }
    Bit isOdd = !m.equal(magnitude & (fraction + 1), none);
    return m.select(m.equal(half, none), none, m.select(isOdd, half, half - 1));
  }
  /// Of a number between -1 and 1: is the result 1 or -1?
  Bit roundsToOne(Word a, Word magnitude, Whole way) {
    constexpr uint32_t kHalf = 0x3f000000;
    switch (way) {
      case Whole::Floor: return negative(a) & above(magnitude, 0);
      case Whole::Ceil: return above(magnitude, 0) & !negative(a);
      case Whole::Trunc: return m.less(a, m.word(0));
      case Whole::Round: return above(magnitude, kHalf - 1);
      case Whole::RoundEven: break;
    }
    return above(magnitude, kHalf);
  }

  Bit negative(Word a) { return m.lessSigned(a, m.word(0)); }
  Bit above(Word a, uint32_t limit) { return m.less(m.word(limit), a); }
  Word isNot(Word a, uint32_t number) { return m.word(!m.equal(a, m.word(number))); }

  /// The exponent field; subnormals have that of the smallest normal numbers.
  Word biased(Word magnitude) { return m.maxUnsigned(magnitude >> 23, m.word(1)); }
  /// 24 bits, with the bit that the format hides.
  Word significand(Word magnitude, Word exponent) { return magnitude - ((exponent - 1) << 23); }

  /// `by` is below 32. What falls out is kept in the last bit.
  Word shiftSticky(Word a, Word by) {
    Word kept = a >> by;
    return kept | m.word(!m.equal(kept << by, a));
  }

  Word divisionSpecials(Word ma, Word mb, Word sign, Word result) {
    Word larger = m.maxUnsigned(ma, mb);
    Bit isNaN = above(larger, kInfinity) | (m.equal(ma, mb) & isZeroOrInfinite(ma));
    Bit isInfinite = m.equal(ma, m.word(kInfinity)) | m.equal(mb, m.word(0));
    Word special = m.select(m.equal(mb, m.word(kInfinity)), sign, result);
    special = m.select(isInfinite, sign | kInfinity, special);
    return m.select(isNaN, m.word(kNaN), special);
  }
  Bit isZeroOrInfinite(Word magnitude) {
    return m.equal(magnitude, m.word(0)) | m.equal(magnitude, m.word(kInfinity));
  }

  /// Numbers in their order as signed integers; both zeros are 0.
  Word ordered(Word a) { return m.select(negative(a), m.word(kSign) - a, a); }
  /// Tells the zeros apart.
  Word ordered2(Word a) { return m.select(negative(a), a ^ kMagnitude, a); }
  Word pick(Word a, Word b, bool larger) {
    Bit less = m.lessSigned(ordered2(a), ordered2(b));
    return larger ? m.select(less, b, a) : m.select(less, a, b);
  }

  Machine& m;
};

}  // namespace airlite::npu::soft
