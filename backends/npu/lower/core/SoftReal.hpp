// Numbers with 64 significant bits, in words: what functions of f32 are computed with that round as
// those of the C library do (SoftPower.hpp, SoftSine.hpp, SoftTanhErf.hpp; see SoftMath.hpp for the
// others). A result is rounded to the 53 bits of a double, as the C library's is, and then to f32.
// Not every number has been tried: docs/npu_core_ir.md says which.
#pragma once

#include "SoftMath.hpp"
#include "SoftTables.hpp"
#include "SoftWide.hpp"

namespace airlite::npu::soft {

constexpr uint32_t kOne = 0x3f800000;  // 1 as f32

/// Numbers of 64 bits with an exponent and a sign, and fixed-point numbers on the way to them.
template <class Machine> class Reals {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;

  /// `mantissa / 2^63 * 2^(exponent - 127)`; the first bit of the mantissa is set but for zero.
  struct Real {
    Word exponent;
    Pair mantissa;
    Bit isNegative;
  };

  explicit Reals(Machine& machine) : m(machine), f(machine), w(machine) {}

  Bit never() { return m.less(m.word(0), m.word(0)); }
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

  /// To 53 bits first, as a double has.
  Word finished(Real a) {
    Word low = a.mantissa.low + 0x3ff + ((a.mantissa.low >> 11) & 1);
    Word carry = m.word(m.less(low, a.mantissa.low)), high = a.mantissa.high + carry;
    Bit isNext = m.less(high, a.mantissa.high);
    Word bits = m.select(isNext, m.word(kSign), high) | isNotZero(low >> 11);
    Word exponent = a.exponent + m.word(isNext);
    return f.roundScaled(exponent, bits) | m.select(a.isNegative, m.word(kSign), m.word(0));
  }

 private:
  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
};

}  // namespace airlite::npu::soft
