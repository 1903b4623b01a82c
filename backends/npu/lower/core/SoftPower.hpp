// Logarithms and powers of f32 in words.
#pragma once

#include "SoftReal.hpp"

namespace airlite::npu::soft {

enum class LogBase { E, Two, Ten };

/// The logarithm of f32 numbers, also as a number of 64 bits for powers.
template <class Machine> class Logarithms {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;
  using Real = typename Reals<Machine>::Real;

  explicit Logarithms(Machine& machine) : m(machine), f(machine), w(machine), r(machine) {}

  Word compute(Word a, LogBase base) {
    Word magnitude = a & kMagnitude;
    Real log = ofMagnitude(magnitude, base);
    Word result = r.finished(log);
    result = m.select(m.equal(a, m.word(kOne)), m.word(0), result);
    result = m.select(m.equal(a, m.word(kInfinity)), a, result);
    result = m.select(r.isSignSet(a) | r.isAbove(magnitude, kInfinity), m.word(kNaN), result);
    return m.select(m.equal(magnitude, m.word(0)), m.word(kSign | kInfinity), result);
  }

  /// Of |x| that is neither 0 nor infinite. x = 2^e M with M from 1 / sqrt(2) to sqrt(2), and
  /// log(M) = 2 atanh(s) for s = (M - 1) / (M + 1).
  Real ofMagnitude(Word magnitude, LogBase base) {
    auto x = f.normalized(magnitude);
    Bit isHalved = m.less(m.word(0xb504f333), x.significand);
    Word e = x.exponent - 127 + m.word(isHalved), bits = x.significand >> 8;
    Word one = m.select(isHalved, m.word(1 << 24), m.word(1 << 23));
    Bit isBelow = m.less(bits, one);
    Word above = m.select(isBelow, one - bits, bits - one), below = bits + one;
    // Both with the first bit at 30: half of the quotient is below 1.
    Word zerosAbove = m.leadingZeros(above | 1), zerosBelow = m.leadingZeros(below);
    Pair half =
        r.quotient({m.word(0), (above << zerosAbove) >> 1}, {m.word(0), below << zerosBelow});
    auto [s, shift] = r.leading(half);  // s 2^es
    Word es = zerosBelow - zerosAbove - shift;
    Pair square = r.shiftedRight(r.times(s, s), m.word(0) - (es << 1) - 2);  // .64
    Pair sum = r.times(s, r.series(kAtanh, square, false));                  // 2.62
    uint32_t fractionBits = 62;
    if (base == LogBase::Two)
      sum = r.times(sum, {m.word(0x5c17f0bb), m.word(0xb8aa3b29)}), fractionBits = 61;
    if (base == LogBase::Ten) sum = r.times(sum, {m.word(0x9b9438ca), m.word(0x6f2dec54)});
    return withExponent(e, sum, es, fractionBits, isBelow, base);
  }

 private:
  /// `e` times the logarithm of 2, and twice the sum, which has `fractionBits` fraction bits and
  /// is multiplied by 2^es.
  Real withExponent(Word e, Pair sum, Word es, uint32_t fractionBits, Bit isBelow, LogBase base) {
    auto [bits, shift] = r.leading(sum);
    Real small{es + (127 + 1 + 63 - fractionBits) - shift, bits, isBelow};
    Bit isNegative = r.isSignSet(e);
    Word count = m.select(isNegative, m.word(0) - e, e);
    std::array<Word, 3> whole = multipleOfLog2(count, base);  // 8.88, the first word last
    Word left = m.minUnsigned(es + (88 + 1 - fractionBits), m.word(31)), right = m.word(32) - left;
    std::array<Word, 3> part{sum.low << left, sum.high << left | sum.low >> right,
                             sum.high >> right};
    Bit differ = m.equal(m.word(isNegative) ^ m.word(isBelow), m.word(1));
    std::array<Word, 3> all = combined(whole, part, differ);
    Word zeros = m.leadingZeros(all[2] | 1), back = m.word(31) - zeros;
    Pair mantissa{all[1] << zeros | (all[0] >> 1) >> back, all[2] << zeros | (all[1] >> 1) >> back};
    Bit isSmall = m.equal(e, m.word(0));
    return {m.select(isSmall, small.exponent, m.word(127 + 7) - zeros),
            w.select(isSmall, small.mantissa, mantissa),
            m.equal(m.select(isSmall, m.word(isBelow), m.word(isNegative)), m.word(1))};
  }

  std::array<Word, 3> multipleOfLog2(Word count, LogBase base) {
    if (base == LogBase::Two) return {m.word(0), m.word(0), count << 24};
    const uint32_t kNatural[] = {0xabc9e3b3, 0xf7d1cf79, 0x00b17217};
    const uint32_t kDecimal[] = {0xcc47c4ac, 0x427de7fb, 0x004d104d};
    const uint32_t(&log)[3] = base == LogBase::E ? kNatural : kDecimal;
    auto [high0, low0] = f.product(count, m.word(log[0]));
    auto [high1, low1] = f.product(count, m.word(log[1]));
    Word middle = low1 + high0;
    return {low0, middle, count * log[2] + high1 + m.word(m.less(middle, high0))};
  }

  std::array<Word, 3> combined(std::array<Word, 3> a, std::array<Word, 3> b, Bit minus) {
    Word mask = m.word(0) - m.word(minus);
    Word carry = m.word(minus);
    std::array<Word, 3> sum = a;
    for (size_t i = 0; i < 3; ++i) {
      Word other = b[i] ^ mask, partial = a[i] + other;
      sum[i] = partial + carry;
      carry = m.word(m.less(partial, other)) | m.word(m.less(sum[i], carry));
    }
    return sum;
  }

  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
  Reals<Machine> r;
};

template <class Machine> class Powers {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;
  using Real = typename Reals<Machine>::Real;

  explicit Powers(Machine& machine)
      : m(machine), f(machine), w(machine), r(machine), logarithms(machine) {}

  /// 2^(y log2 |x|), and what pow of C says about the rest.
  Word compute(Word x, Word y) {
    Word mx = x & kMagnitude, my = y & kMagnitude;
    Real log = logarithms.ofMagnitude(mx, LogBase::Two);
    auto factor = f.normalized(my);
    Pair product = r.times({m.word(0), factor.significand}, log.mantissa);  // 2.62
    Bit isBelow = r.isSignSet(y ^ m.select(log.isNegative, m.word(kSign), m.word(0)));
    Word result = exponentialOf(product, factor.exponent + log.exponent - 254, isBelow);
    return powerSpecials(x, y, mx, my, result);
  }

  /// 2^x.
  Word ofTwo(Word a) {
    auto x = f.normalized(a & kMagnitude);
    Pair number{m.word(0), x.significand >> 1};
    Word result = exponentialOf(number, x.exponent - 127, r.isSignSet(a));
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

 private:
  /// 2^(+-product 2^exponent), the product in 2.62.
  Word exponentialOf(Pair product, Word exponent, Bit isBelow) {
    Bit isFar = m.lessSigned(m.word(7), exponent), isTiny = m.lessSigned(exponent, m.word(0) - 64);
    Word by = m.minSigned(m.maxSigned(exponent, m.word(0) - 64), m.word(7));
    // What is in front of the point, and the rest in .64.
    Word whole = m.minUnsigned(r.shiftedRight(product, m.word(62) - by).low, m.word(256));
    Bit isLeft = !m.lessSigned(by + 2, m.word(0));
    Word left = m.select(isLeft, by + 2, m.word(0)),
         right = m.select(isLeft, m.word(0), m.word(0) - by - 2);
    Pair rest = r.shiftedRight(w.shiftLeft(product, left), right);
    rest = w.select(isTiny, {m.word(0), m.word(0)}, rest);
    Word below = m.word(0) - whole - r.isNotZero(rest.low | rest.high);
    rest = w.select(isBelow, w.negate(rest), rest);
    whole = m.select(isBelow, below, whole);
    whole = m.select(isFar, m.select(isBelow, m.word(0) - 256, m.word(256)), whole);
    return r.finished({whole + 127, r.powerOfTwo(rest), r.never()});
  }

  Word powerSpecials(Word x, Word y, Word mx, Word my, Word result) {
    // The fraction bits of y, and its lowest integer bit.
    Word exponent = my >> 23, bits = (my & 0x7fffff) | 0x800000;
    Word fractionBits = m.minSigned(m.maxSigned(m.word(150) - exponent, m.word(0)), m.word(24));
    Word inside = bits >> fractionBits;
    Bit isWhole = m.equal(inside << fractionBits, bits) & !m.less(exponent, m.word(127));
    Bit isOdd = isWhole & m.equal(inside & 1, m.word(1)) & m.less(exponent, m.word(151));
    Bit isEdge =
        m.equal(mx, m.word(0)) | m.equal(mx, m.word(kInfinity)) | m.equal(my, m.word(kInfinity));
    Word grows = m.word(m.less(m.word(kOne), mx)) ^ (y >> 31);
    result =
        m.select(isEdge, m.select(m.equal(grows, m.word(0)), m.word(0), m.word(kInfinity)), result);
    Bit isNegative = r.isSignSet(x);
    result = result | m.select(isNegative & isOdd, m.word(kSign), m.word(0));
    Bit hasNone = isNegative & !isWhole & !isEdge;
    Bit isNaN = r.isAbove(mx, kInfinity) | r.isAbove(my, kInfinity) | hasNone;
    result = m.select(isNaN, m.word(kNaN), result);
    Bit isOne = m.equal(x, m.word(kOne)) | m.equal(my, m.word(0)) |
                (m.equal(mx, m.word(kOne)) & m.equal(my, m.word(kInfinity)));
    return m.select(isOne, m.word(kOne), result);
  }

  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
  Reals<Machine> r;
  Logarithms<Machine> logarithms;
};

}  // namespace airlite::npu::soft
