// Sine and cosine of f32 in words.
#pragma once

#include "SoftReal.hpp"

namespace airlite::npu::soft {

template <class Machine> class Sines {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;
  using Real = typename Reals<Machine>::Real;

  explicit Sines(Machine& machine) : m(machine), f(machine), w(machine), r(machine) {}

  /// Of |x| = (q + t) pi / 2 with t from -1/2 to 1/2: the sine or cosine of t pi / 2, by q.
  Word compute(Word a, bool isCosine) {
    Word magnitude = a & kMagnitude;
    auto [quarter, angle] = reduced(m.maxUnsigned(magnitude, m.word(0x38000000)));
    if (isCosine) quarter = quarter + 1;
    Bit isOdd = !m.equal(quarter & 1, m.word(0));
    Pair square = r.shiftedRight(r.times(angle.mantissa, angle.mantissa),
                                 m.word(252) - (angle.exponent << 1));  // .64
    Pair sum = seriesOfSines(square, m.select(isOdd, m.word(kSines.kWords / 2), m.word(0)));
    auto [bits, shift] = r.leading(w.select(isOdd, sum, r.times(angle.mantissa, sum)));
    Word exponent = m.select(isOdd, m.word(127), angle.exponent + 1) - shift;
    Word sign = (quarter << 30) ^ m.select(isOdd | !angle.isNegative, m.word(0), m.word(kSign));
    if (!isCosine) sign = sign ^ a;
    Word result = r.finished({exponent, bits, r.never()}) | (sign & kSign);
    Word small = isCosine ? m.word(kOne) : a;
    result = m.select(m.less(magnitude, m.word(0x38800000)), small, result);
    return m.select(r.isAbove(magnitude, kInfinity - 1), m.word(kNaN), result);
  }

 private:
  /// Alternating, from the coefficient `first` of the table on; half of the table.
  Pair seriesOfSines(Pair x, Word first) {
    constexpr uint32_t kLast = kSines.kWords / 2 - 2;
    Word last = first + kLast;
    auto sum = m.repeat(
        kLast / 2, std::array<Word, 3>{m.lookup(kSines, last + 1), m.lookup(kSines, last), last},
        [&](std::array<Word, 3> s) {
          Word at = s[2] - 2;
          Pair next{m.lookup(kSines, at + 1), m.lookup(kSines, at)};
          next = w.subtract(next, r.times({s[0], s[1]}, x));
          return std::array<Word, 3>{next.low, next.high, at};
        });
    return {sum[0], sum[1]};
  }

  struct Reduced {
    Word quarter;  // the last two bits count
    Real angle;
  };
  /// |x| times 2 / pi, modulo 4, with 126 fraction bits: those of 2 / pi
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
    // What is left of a quarter, a signed number with 95 fraction bits.
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
        r.leading(r.times(t, {m.word(0x2168c234), m.word(0xc90fdaa2)}));  // 1.63 and 1.63: 2.62
    Word far = m.select(isShort, m.word(32), m.word(0)) + zeros;
    return {quarter, {m.word(127) - far - shift, bits, m.equal(mask & 1, m.word(1))}};
  }

  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
  Reals<Machine> r;
};

}  // namespace airlite::npu::soft
