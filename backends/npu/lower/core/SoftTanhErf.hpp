// tanh and erf of f32 in words.
#pragma once

#include "SoftReal.hpp"

namespace airlite::npu::soft {

template <class Machine> class Tanh {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;

  explicit Tanh(Machine& machine) : m(machine), f(machine), w(machine), r(machine) {}

  /// (1 - t) / (1 + t) for t = exp(-2 |x|); near zero, where that loses bits, a series.
  Word compute(Word a) {
    Word magnitude = a & kMagnitude, exponent = magnitude >> 23;
    Word near = m.minUnsigned(magnitude, m.word(0x41800000));  // 16
    auto [whole, rest] = Math<Machine>(m).timesLog2e((near + 0x800000) | kSign);
    Pair power = r.powerOfTwo({rest.low, rest.high});
    Pair t = w.shiftRight(power, m.minUnsigned(m.word(0) - whole, m.word(63)));
    Pair one{m.word(0), m.word(kSign)};
    Pair ratio = r.quotient(w.subtract(one, t), w.add(one, t));
    auto [bits, shift] = r.leading(ratio);
    Word result = r.finished({m.word(126) - shift, bits, r.isSignSet(a)});
    Bit isSmall = m.less(exponent, m.word(123));
    result = m.select(isSmall, smallTangent(magnitude), result);
    result = m.select(m.less(exponent, m.word(131)), result, m.word(kOne)) | (a & kSign);
    result = m.select(m.equal(magnitude, m.word(0)), a, result);
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

 private:
  /// x (1 - x^2 / 3 + ..) below 1/16.
  Word smallTangent(Word magnitude) {
    auto x = f.normalized(m.minUnsigned(magnitude, m.word(0x3dffffff)));
    Pair number{m.word(0), x.significand};
    Pair square = r.shiftedRight(r.times(number, number), m.word(252) - (x.exponent << 1));
    auto [bits, shift] = r.leading(r.times(number, r.series(kTanh, square, true)));  // 2.62
    return r.finished({x.exponent + 1 - shift, bits, r.never()});
  }

  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
  Reals<Machine> r;
};

template <class Machine> class Erf {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;

  explicit Erf(Machine& machine) : m(machine), f(machine), w(machine), r(machine) {}

  /// x times the sum of q_n with q_0 = 2 / sqrt(pi) exp(-x^2) and q_(n+1) = q_n 2 x^2 / (2 n + 3),
  /// of which none is negative: nothing is lost.
  Word compute(Word a) {
    Word magnitude = m.minUnsigned(a & kMagnitude, m.word(0x407fffff));  // below 4
    auto x = f.normalized(magnitude);
    Word e = x.exponent - 127;
    Pair square = r.times({m.word(0), x.significand}, {m.word(0), x.significand});  // 2.62, 2^(2 e)
    Pair fixed = r.shiftedRight(square, m.word(3) - (e << 1));                      // 5.59
    Pair u = r.times(fixed, {m.word(0x5c17f0bb), m.word(0xb8aa3b29)});              // 6.58
    Pair rest = w.negate(w.shiftLeft(u, m.word(6)));
    Word whole = m.word(0) - (u.high >> 26) - r.isNotZero(rest.low | rest.high);
    Pair first = r.times(r.powerOfTwo(rest), {m.word(0x14db688d), m.word(0x906eba82)});  // 2.62
    Pair sum = sumOfErf(first, whole, square, e);
    auto [bits, shift] = r.leading(r.times({m.word(0), x.significand}, sum));  // 3.61
    Word result = r.finished({x.exponent + 2 - shift, bits, r.isSignSet(a)});
    Bit isFar = m.less(m.word(0x407fffff), a & kMagnitude);
    result = m.select(isFar, m.word(kOne), result) | (a & kSign);
    result = m.select(m.equal(a & kMagnitude, m.word(0)), a, result);
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

 private:
  /// In 2.62. The terms are Real numbers: they grow from very small ones.
  Pair sumOfErf(Pair first, Word whole, Pair square, Word e) {
    constexpr uint32_t kTerms = kReciprocals.kWords / 2;
    auto [start, shift] = r.leading(first);  // first / 2^62, so that 2^(1 - shift) comes with it
    auto last = m.repeat(
        kTerms,
        std::array<Word, 6>{start.low, start.high, whole + 1 - shift, m.word(0), m.word(0),
                            m.word(0)},
        [&](std::array<Word, 6> s) {
          Pair term{s[0], s[1]};
          // 1.63 of 2^s[2], as 2.62.
          Pair added = r.shiftedRight(term, m.word(1) - s[2]);
          Pair sum = w.add({s[3], s[4]}, added);
          Word at = s[5];
          // By 2 x^2 and by the reciprocal, each with an exponent of its own.
          Pair next = r.times(term, square);  // 3.61
          next =
              r.times(next, {m.lookup(kReciprocals, at + 1), m.lookup(kReciprocals, at)});  // 4.60
          auto [bits, zeros] = r.leading(next);
          Word divisor = m.word(32) - m.leadingZeros(at + 3);
          Word exponent = s[2] + 3 - zeros + (e << 1) + 1 - divisor;
          return std::array<Word, 6>{bits.low, bits.high, exponent, sum.low, sum.high, at + 2};
        });
    return {last[3], last[4]};
  }

  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
  Reals<Machine> r;
};

}  // namespace airlite::npu::soft
