// More functions of f32 in words (see SoftMath.hpp): logarithms, powers, tanh, erf and the fused
// multiply-add. The functions are computed with 64 bits behind the first one, rounded to the 53 of
// a double, as the C library's are, and then to f32. Not every number has been tried:
// docs/npu_core_ir.md says which.
#pragma once

#include "SoftMath.hpp"
#include "SoftTables.hpp"
#include "SoftWide.hpp"

namespace airlite::npu::soft {

template <class Machine> class Functions {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Numbers = Wide<Machine>;
  using Pair = typename Numbers::Pair;

  /// `mantissa / 2^63 * 2^(exponent - 127)`; the first bit of the mantissa is set but for zero.
  struct Real {
    Word exponent;
    Pair mantissa;
    Bit isNegative;
  };

  explicit Functions(Machine& machine) : m(machine), f(machine), w(machine) {}

  // -- Fused multiply-add -------------------------------------------------------------------------

  /// a * b + c, rounded once: the product is exact, and so is the sum but for bits that only say
  /// that there is something. With `toOdd`, cut to 16 bits, of which the last one says whether
  /// there was more: rounding that to bf16 is rounding once.
  Word fusedMultiplyAdd(Word a, Word b, Word c, bool toOdd = false) {
    Word ma = a & kMagnitude, mb = b & kMagnitude, mc = c & kMagnitude, sign = (a ^ b) & kSign;
    auto x = f.normalized(ma), y = f.normalized(mb), z = f.normalized(mc);
    auto [high, low] = f.product(x.significand, y.significand);
    // Both in 3.61. Zeros are far below everything.
    Bit noProduct = m.equal(high, m.word(0)), noSum = m.equal(mc, m.word(0));
    Pair product = w.shiftRight({low, high}, m.word(1));
    Pair addend{m.word(0), z.significand >> 2};
    Word far = m.word(0) - 2000;
    Word ep = m.select(noProduct, far, x.exponent + y.exponent - 127);
    Word ec = m.select(noSum, far, z.exponent);
    Bit swaps = m.lessSigned(ep, ec);
    Pair larger = w.select(swaps, addend, product);
    Word distance = m.select(swaps, ec - ep, ep - ec);
    Pair smaller = shiftedSticky(w.select(swaps, product, addend), distance);
    Word signOfLarger = m.select(swaps, c & kSign, sign);
    Bit differ = !m.equal((sign ^ c) & kSign, m.word(0));
    Pair sum = w.select(differ, w.subtract(larger, smaller), w.add(larger, smaller));
    Bit turned = differ & w.isNegative(sum);
    Word resultSign = m.select(turned, signOfLarger ^ kSign, signOfLarger);
    auto [bits, shift] = leading(w.select(turned, w.negate(sum), sum));
    Word exponent = m.select(swaps, ec, ep) + 2 - shift;
    Word top = bits.high | isNotZero(bits.low);
    if (toOdd) top = (top & 0xffff0000) | isNotZero(top & 0xffff) << 16;
    Word result = f.roundScaled(exponent, top) | resultSign;
    // What is exactly zero has the sign of both, or none.
    Word zero = m.select(differ, m.word(0), sign);
    result = m.select(m.equal(bits.high | bits.low, m.word(0)), zero, result);
    return multiplyAddSpecials(ma, mb, c, sign, differ, result);
  }

  // -- Logarithms ---------------------------------------------------------------------------------

  enum class Base { E, Two, Ten };

  Word logarithm(Word a, Base base) {
    Word magnitude = a & kMagnitude;
    Real log = realLogarithm(magnitude, base);
    Word result = finished(log);
    result = m.select(m.equal(a, m.word(kOne)), m.word(0), result);
    result = m.select(m.equal(a, m.word(kInfinity)), a, result);
    result = m.select(isSignSet(a) | isAbove(magnitude, kInfinity), m.word(kNaN), result);
    return m.select(m.equal(magnitude, m.word(0)), m.word(kSign | kInfinity), result);
  }

  // -- Powers -------------------------------------------------------------------------------------

  /// 2^(y log2 |x|), and what pow of C says about the rest.
  Word power(Word x, Word y) {
    Word mx = x & kMagnitude, my = y & kMagnitude;
    Real log = realLogarithm(mx, Base::Two);
    auto factor = f.normalized(my);
    Pair product = times({m.word(0), factor.significand}, log.mantissa);  // 2.62
    Bit isBelow = isSignSet(y ^ m.select(log.isNegative, m.word(kSign), m.word(0)));
    Word result = exponentialOf(product, factor.exponent + log.exponent - 254, isBelow);
    return powerSpecials(x, y, mx, my, result);
  }

  /// 2^x.
  Word powerOfTwo32(Word a) {
    auto x = f.normalized(a & kMagnitude);
    Pair number{m.word(0), x.significand >> 1};
    Word result = exponentialOf(number, x.exponent - 127, isSignSet(a));
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

  // -- Sines --------------------------------------------------------------------------------------

  /// Of |x| = (q + t) pi / 2 with t from -1/2 to 1/2: the sine or cosine of t pi / 2, by q.
  Word sine(Word a, bool isCosine) {
    Word magnitude = a & kMagnitude;
    auto [quarter, angle] = reduced(m.maxUnsigned(magnitude, m.word(0x38000000)));
    if (isCosine) quarter = quarter + 1;
    Bit isOdd = !m.equal(quarter & 1, m.word(0));
    Pair square = shiftedRight(times(angle.mantissa, angle.mantissa),
                               m.word(252) - (angle.exponent << 1));  // .64
    Pair sum = seriesOfSines(square, m.select(isOdd, m.word(kSines.kWords / 2), m.word(0)));
    auto [bits, shift] = leading(w.select(isOdd, sum, times(angle.mantissa, sum)));
    Word exponent = m.select(isOdd, m.word(127), angle.exponent + 1) - shift;
    Word sign = (quarter << 30) ^ m.select(isOdd | !angle.isNegative, m.word(0), m.word(kSign));
    if (!isCosine) sign = sign ^ a;
    Bit never = m.less(m.word(0), m.word(0));
    Word result = finished({exponent, bits, never}) | (sign & kSign);
    Word small = isCosine ? m.word(kOne) : a;
    result = m.select(m.less(magnitude, m.word(0x38800000)), small, result);
    return m.select(isAbove(magnitude, kInfinity - 1), m.word(kNaN), result);
  }

  // -- tanh ---------------------------------------------------------------------------------------

  /// (1 - t) / (1 + t) for t = exp(-2 |x|); near zero, where that loses bits, a series.
  Word tangent(Word a) {
    Word magnitude = a & kMagnitude, exponent = magnitude >> 23;
    Word near = m.minUnsigned(magnitude, m.word(0x41800000));  // 16
    auto [whole, rest] = Math<Machine>(m).timesLog2e((near + 0x800000) | kSign);
    Pair power = powerOfTwo({rest.low, rest.high});
    Pair t = w.shiftRight(power, m.minUnsigned(m.word(0) - whole, m.word(63)));
    Pair one{m.word(0), m.word(kSign)};
    Pair ratio = quotient(w.subtract(one, t), w.add(one, t));
    auto [bits, shift] = leading(ratio);
    Word result = finished({m.word(126) - shift, bits, isSignSet(a)});
    Bit isSmall = m.less(exponent, m.word(123));
    result = m.select(isSmall, smallTangent(magnitude), result);
    result = m.select(m.less(exponent, m.word(131)), result, m.word(kOne)) | (a & kSign);
    result = m.select(m.equal(magnitude, m.word(0)), a, result);
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

  // -- erf ----------------------------------------------------------------------------------------

  /// x times the sum of q_n with q_0 = 2 / sqrt(pi) exp(-x^2) and q_(n+1) = q_n 2 x^2 / (2 n + 3),
  /// of which none is negative: nothing is lost.
  Word errorFunction(Word a) {
    Word magnitude = m.minUnsigned(a & kMagnitude, m.word(0x407fffff));  // below 4
    auto x = f.normalized(magnitude);
    Word e = x.exponent - 127;
    Pair square = times({m.word(0), x.significand}, {m.word(0), x.significand});  // 2.62, 2^(2 e)
    Pair fixed = shiftedRight(square, m.word(3) - (e << 1));                      // 5.59
    Pair u = times(fixed, {m.word(0x5c17f0bb), m.word(0xb8aa3b29)});              // 6.58
    Pair rest = w.negate(w.shiftLeft(u, m.word(6)));
    Word whole = m.word(0) - (u.high >> 26) - isNotZero(rest.low | rest.high);
    Pair first = times(powerOfTwo(rest), {m.word(0x14db688d), m.word(0x906eba82)});  // 2.62
    Pair sum = sumOfErf(first, whole, square, e);
    auto [bits, shift] = leading(times({m.word(0), x.significand}, sum));  // 3.61
    Word result = finished({x.exponent + 2 - shift, bits, isSignSet(a)});
    Bit isFar = m.less(m.word(0x407fffff), a & kMagnitude);
    result = m.select(isFar, m.word(kOne), result) | (a & kSign);
    result = m.select(m.equal(a & kMagnitude, m.word(0)), a, result);
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

 private:
  static constexpr uint32_t kOne = 0x3f800000;

  // -- Words and pairs ----------------------------------------------------------------------------

  Word isNotZero(Word a) { return m.word(!m.equal(a, m.word(0))); }
  Bit isSignSet(Word a) { return m.lessSigned(a, m.word(0)); }
  Bit isAbove(Word a, uint32_t limit) { return m.less(m.word(limit), a); }

  /// The upper half of a product.
  Pair times(Pair a, Pair b) {
    auto [high, low] = m.upperProduct({a.high, a.low, b.high, b.low});
    return {low, high};
  }
  /// 2^x of .64, in 1.63.
  Pair powerOfTwo(Pair x) {
    auto [high, low] = m.powerOfTwo({x.high, x.low});
    return {low, high};
  }
  /// a / b in .64, for a below b.
  Pair quotient(Pair a, Pair b) {
    auto [low, high] = m.fraction({a.low, a.high, b.low, b.high});
    return {low, high};
  }

  struct Leading {
    Pair bits;
    Word shift;
  };
  /// With the first bit in front; zero stays.
  Leading leading(Pair a) {
    Bit isLow = m.equal(a.high, m.word(0));
    Word shift = m.select(isLow, m.leadingZeros(a.low | 1) + 32, m.leadingZeros(a.high));
    return {w.shiftLeft(a, shift), shift};
  }
  /// By any distance that is not negative.
  Pair shiftedRight(Pair a, Word by) {
    Pair shifted = w.shiftRight(a, m.minUnsigned(by, m.word(63)));
    return w.select(m.less(by, m.word(64)), shifted, {m.word(0), m.word(0)});
  }
  /// What falls out is kept in the last bit.
  Pair shiftedSticky(Pair a, Word by) {
    Word near = m.minUnsigned(by, m.word(63));
    Pair kept = w.shiftRight(a, near);
    Bit isAll = w.equal(w.shiftLeft(kept, near), a);
    return {kept.low | m.word(!isAll), kept.high};
  }

  /// Coefficients from the last to the first: c + x (c + x ( .. )), or with minus.
  template <size_t N> Pair series(const Table<N>& table, Pair x, bool alternates) {
    constexpr uint32_t kLast = N - 2;
    auto sum = m.repeat(
        kLast / 2,
        std::array<Word, 3>{m.word(table.words[kLast + 1]), m.word(table.words[kLast]),
                            m.word(kLast)},
        [&](std::array<Word, 3> s) {
          Word at = s[2] - 2;
          Pair next{m.lookup(table, at + 1), m.lookup(table, at)}, more = times({s[0], s[1]}, x);
          next = alternates ? w.subtract(next, more) : w.add(next, more);
          return std::array<Word, 3>{next.low, next.high, at};
        });
    return {sum[0], sum[1]};
  }

  /// Alternating, from the coefficient `first` of the table on; half of the table.
  Pair seriesOfSines(Pair x, Word first) {
    constexpr uint32_t kLast = kSines.kWords / 2 - 2;
    Word last = first + kLast;
    auto sum = m.repeat(
        kLast / 2, std::array<Word, 3>{m.lookup(kSines, last + 1), m.lookup(kSines, last), last},
        [&](std::array<Word, 3> s) {
          Word at = s[2] - 2;
          Pair next{m.lookup(kSines, at + 1), m.lookup(kSines, at)};
          next = w.subtract(next, times({s[0], s[1]}, x));
          return std::array<Word, 3>{next.low, next.high, at};
        });
    return {sum[0], sum[1]};
  }

  struct Reduced {
    Word quarter;  // the last two bits count
    Real angle;
  };
  /// |x| times 2 / pi, without multiples of 4 but with 126 bits behind the point: those of 2 / pi
  /// that are too high do not count, those that are too low are not there.
  Reduced reduced(Word magnitude) {
    Word exponent = magnitude >> 23, factor = (magnitude & 0x7fffff) | 0x800000;
    Word from = m.minUnsigned(exponent - (150 + 2 - 64), m.word(166)), word = from >> 5;
    Word inner = from & 31;
    // The product with four words of it, the low one first.
    std::array<Word, 4> all{m.word(0), m.word(0), m.word(0), m.word(0)};
    Word below = m.lookup(kTwoByPi, word + 4), carried = m.word(0);
    for (uint32_t i = 0; i < 4; ++i) {
      Word above = m.lookup(kTwoByPi, word + (3 - i));
      auto [high, low] = f.product(factor, above << inner | (below >> 1) >> (m.word(31) - inner));
      all[i] = low + carried;
      carried = high + m.word(m.less(all[i], carried));
      below = above;
    }
    Word quarter = (all[3] + 0x20000000) >> 30;
    // What is left of a quarter, at 95 bits behind the point: a number with a sign.
    Word mask = m.word(0) - ((all[3] >> 29) & 1);
    Word top = (all[3] << 2 | all[2] >> 30) ^ mask, middle = (all[2] << 2 | all[1] >> 30) ^ mask,
         low = (all[1] << 2 | all[0] >> 30) ^ mask;
    Bit isShort = m.equal(top, m.word(0));
    Pair front = w.select(isShort, {low, middle}, {middle, top});
    Word rest = m.select(isShort, m.word(0), low);
    Word zeros = m.leadingZeros(front.high | 1), back = m.word(31) - zeros;
    Pair t{front.low << zeros | (rest >> 1) >> back,
           front.high << zeros | (front.low >> 1) >> back};
    auto [bits, shift] =
        leading(times(t, {m.word(0x2168c234), m.word(0xc90fdaa2)}));  // 1.63 and 1.63: 2.62
    Word far = m.select(isShort, m.word(32), m.word(0)) + zeros;
    return {quarter, {m.word(127) - far - shift, bits, m.equal(mask & 1, m.word(1))}};
  }

  /// To 53 bits first, as a double has.
  Word finished(Real a) {
    Word low = a.mantissa.low + 0x3ff + ((a.mantissa.low >> 11) & 1);
    Word carry = m.word(m.less(low, a.mantissa.low)), high = a.mantissa.high + carry;
    Bit isNext = m.less(high, a.mantissa.high);
    Word bits = m.select(isNext, m.word(kSign), high) | isNotZero(low >> 11);
    Word exponent = a.exponent + m.word(isNext);
    return f.roundScaled(exponent, bits) | m.select(a.isNegative, m.word(kSign), m.word(0));
  }

  Word multiplyAddSpecials(Word ma, Word mb, Word c, Word sign, Bit differ, Word result) {
    Word larger = m.maxUnsigned(ma, mb), smaller = m.minUnsigned(ma, mb), mc = c & kMagnitude;
    Bit isInfinite = m.equal(larger, m.word(kInfinity));
    Bit addsInfinity = m.equal(mc, m.word(kInfinity));
    result = m.select(addsInfinity, c, result);
    result = m.select(isInfinite, sign | kInfinity, result);
    Bit isNaN = isAbove(larger, kInfinity) | isAbove(mc, kInfinity) |
                (isInfinite & m.equal(smaller, m.word(0))) | (isInfinite & addsInfinity & differ);
    return m.select(isNaN, m.word(kNaN), result);
  }

  // -- Logarithms ---------------------------------------------------------------------------------

  /// Of |x| that is neither 0 nor infinite. x = 2^e M with M from 1 / sqrt(2) to sqrt(2), and
  /// log(M) = 2 atanh(s) for s = (M - 1) / (M + 1).
  Real realLogarithm(Word magnitude, Base base) {
    auto x = f.normalized(magnitude);
    Bit isHalved = m.less(m.word(0xb504f333), x.significand);
    Word e = x.exponent - 127 + m.word(isHalved), bits = x.significand >> 8;
    Word one = m.select(isHalved, m.word(1 << 24), m.word(1 << 23));
    Bit isBelow = m.less(bits, one);
    Word above = m.select(isBelow, one - bits, bits - one), below = bits + one;
    // Both with the first bit at 30: half of the quotient is below 1.
    Word zerosAbove = m.leadingZeros(above | 1), zerosBelow = m.leadingZeros(below);
    Pair half = quotient({m.word(0), (above << zerosAbove) >> 1}, {m.word(0), below << zerosBelow});
    auto [s, shift] = leading(half);  // s 2^es
    Word es = zerosBelow - zerosAbove - shift;
    Pair square = shiftedRight(times(s, s), m.word(0) - (es << 1) - 2);  // .64
    Pair sum = times(s, series(kAtanh, square, false));                  // 2.62
    uint32_t behind = 62;
    if (base == Base::Two) sum = times(sum, {m.word(0x5c17f0bb), m.word(0xb8aa3b29)}), behind = 61;
    if (base == Base::Ten) sum = times(sum, {m.word(0x9b9438ca), m.word(0x6f2dec54)});
    return withExponent(e, sum, es, behind, isBelow, base);
  }

  /// `e` times the logarithm of 2, and twice the sum, which has `behind` bits behind the point and
  /// is multiplied by 2^es.
  Real withExponent(Word e, Pair sum, Word es, uint32_t behind, Bit isBelow, Base base) {
    auto [bits, shift] = leading(sum);
    Real small{es + (127 + 1 + 63 - behind) - shift, bits, isBelow};
    Bit isNegative = isSignSet(e);
    Word count = m.select(isNegative, m.word(0) - e, e);
    std::array<Word, 3> whole = multipleOfLog2(count, base);  // 8.88, the first word last
    Word left = m.minUnsigned(es + (88 + 1 - behind), m.word(31)), right = m.word(32) - left;
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

  std::array<Word, 3> multipleOfLog2(Word count, Base base) {
    if (base == Base::Two) return {m.word(0), m.word(0), count << 24};
    const uint32_t kNatural[] = {0xabc9e3b3, 0xf7d1cf79, 0x00b17217};
    const uint32_t kDecimal[] = {0xcc47c4ac, 0x427de7fb, 0x004d104d};
    const uint32_t(&log)[3] = base == Base::E ? kNatural : kDecimal;
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

  // -- Powers -------------------------------------------------------------------------------------

  /// 2^(+-product 2^exponent), the product in 2.62.
  Word exponentialOf(Pair product, Word exponent, Bit isBelow) {
    Bit isFar = m.lessSigned(m.word(7), exponent), isTiny = m.lessSigned(exponent, m.word(0) - 64);
    Word by = m.minSigned(m.maxSigned(exponent, m.word(0) - 64), m.word(7));
    // What is in front of the point, and the rest in .64.
    Word whole = m.minUnsigned(shiftedRight(product, m.word(62) - by).low, m.word(256));
    Bit isLeft = !m.lessSigned(by + 2, m.word(0));
    Word left = m.select(isLeft, by + 2, m.word(0)),
         right = m.select(isLeft, m.word(0), m.word(0) - by - 2);
    Pair rest = shiftedRight(w.shiftLeft(product, left), right);
    rest = w.select(isTiny, {m.word(0), m.word(0)}, rest);
    Word below = m.word(0) - whole - isNotZero(rest.low | rest.high);
    rest = w.select(isBelow, w.negate(rest), rest);
    whole = m.select(isBelow, below, whole);
    whole = m.select(isFar, m.select(isBelow, m.word(0) - 256, m.word(256)), whole);
    Bit never = m.less(m.word(0), m.word(0));
    return finished({whole + 127, powerOfTwo(rest), never});
  }

  Word powerSpecials(Word x, Word y, Word mx, Word my, Word result) {
    // Bits of y behind the point, and the last one in front of it.
    Word exponent = my >> 23, bits = (my & 0x7fffff) | 0x800000;
    Word behind = m.minSigned(m.maxSigned(m.word(150) - exponent, m.word(0)), m.word(24));
    Word inside = bits >> behind;
    Bit isWhole = m.equal(inside << behind, bits) & !m.less(exponent, m.word(127));
    Bit isOdd = isWhole & m.equal(inside & 1, m.word(1)) & m.less(exponent, m.word(151));
    Bit isEdge =
        m.equal(mx, m.word(0)) | m.equal(mx, m.word(kInfinity)) | m.equal(my, m.word(kInfinity));
    Word grows = m.word(m.less(m.word(kOne), mx)) ^ (y >> 31);
    result =
        m.select(isEdge, m.select(m.equal(grows, m.word(0)), m.word(0), m.word(kInfinity)), result);
    Bit isNegative = isSignSet(x);
    result = result | m.select(isNegative & isOdd, m.word(kSign), m.word(0));
    Bit hasNone = isNegative & !isWhole & !isEdge;
    Bit isNaN = isAbove(mx, kInfinity) | isAbove(my, kInfinity) | hasNone;
    result = m.select(isNaN, m.word(kNaN), result);
    Bit isOne = m.equal(x, m.word(kOne)) | m.equal(my, m.word(0)) |
                (m.equal(mx, m.word(kOne)) & m.equal(my, m.word(kInfinity)));
    return m.select(isOne, m.word(kOne), result);
  }

  // -- tanh and erf -------------------------------------------------------------------------------

  /// x (1 - x^2 / 3 + ..) below 1/16.
  Word smallTangent(Word magnitude) {
    auto x = f.normalized(m.minUnsigned(magnitude, m.word(0x3dffffff)));
    Pair number{m.word(0), x.significand};
    Pair square = shiftedRight(times(number, number), m.word(252) - (x.exponent << 1));
    auto [bits, shift] = leading(times(number, series(kTanh, square, true)));  // 2.62
    Bit never = m.less(m.word(0), m.word(0));
    return finished({x.exponent + 1 - shift, bits, never});
  }

  /// In 2.62. The terms are Real numbers: they grow from very small ones.
  Pair sumOfErf(Pair first, Word whole, Pair square, Word e) {
    constexpr uint32_t kTerms = kReciprocals.kWords / 2;
    auto [start, shift] = leading(first);  // first / 2^62, so that 2^(1 - shift) comes with it
    auto last = m.repeat(
        kTerms,
        std::array<Word, 6>{start.low, start.high, whole + 1 - shift, m.word(0), m.word(0),
                            m.word(0)},
        [&](std::array<Word, 6> s) {
          Pair term{s[0], s[1]};
          // 1.63 of 2^s[2], as 2.62.
          Pair added = shiftedRight(term, m.word(1) - s[2]);
          Pair sum = w.add({s[3], s[4]}, added);
          Word at = s[5];
          // By 2 x^2 and by the reciprocal, each with an exponent of its own.
          Pair next = times(term, square);                                                   // 3.61
          next = times(next, {m.lookup(kReciprocals, at + 1), m.lookup(kReciprocals, at)});  // 4.60
          auto [bits, zeros] = leading(next);
          Word divisor = m.word(32) - m.leadingZeros(at + 3);
          Word exponent = s[2] + 3 - zeros + (e << 1) + 1 - divisor;
          return std::array<Word, 6>{bits.low, bits.high, exponent, sum.low, sum.high, at + 2};
        });
    return {last[3], last[4]};
  }

  Machine& m;
  Float<Machine> f;
  Numbers w;
};

}  // namespace airlite::npu::soft
