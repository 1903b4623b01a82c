// Functions of f32 in words (see SoftFloat.hpp). Results are those of the interpreter: the function
// in double, rounded once. Fixed-point numbers of 64 bits are close enough to it that rounding goes
// the same way for every number; tests go through all of them.
#pragma once

#include "SoftFloat.hpp"

#include <utility>

namespace airlite::npu::soft {

template <class Machine> class Math {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  /// A number of 64 bits; `.63` means that 63 of them are fraction bits.
  struct Wide {
    Word high, low;
  };

  explicit Math(Machine& machine) : m(machine), f(machine) {}

  /// 2^k 2^r for x log2(e) = k + r.
  Word exponential(Word a) {
    auto [whole, rest] = timesLog2e(a);
    auto [high, low] = m.powerOfTwo({rest.high, rest.low});
    Word result = f.roundScaled(whole + 127, high | bitOf(!m.equal(low, m.word(0))));
    Word exponent = (a & kMagnitude) >> 23;
    result = m.select(m.less(exponent, m.word(102)), m.word(0x3f800000), result);
    Bit isFar = m.less(m.word(133), exponent);
    result = m.select(isFar, m.select(isNegative(a), m.word(0), m.word(kInfinity)), result);
    return m.select(f.isNaN(a), m.word(kNaN), result);
  }

  /// Digit by digit, as on paper.
  Word squareRoot(Word a) {
    auto [exponent, number] = evenExponent(a);
    auto [root, rest, left] =
        m.repeat(26, std::array<Word, 3>{m.word(0), m.word(0), number}, [&](std::array<Word, 3> s) {
          Word rest = s[1] << 2 | s[2] >> 30, tried = s[0] << 2 | 1;
          Bit fits = !m.less(rest, tried);
          return std::array<Word, 3>{s[0] << 1 | bitOf(fits), m.select(fits, rest - tried, rest),
                                     s[2] << 2};
        });
    (void)left;  // 24 bits and zeros
    Word result = f.roundAndPack(exponent, root << 6 | bitOf(!m.equal(rest, m.word(0))));
    return rootSpecials(a, a, m.word(kInfinity), result);
  }

  /// y = y (3 - x y^2) / 2 doubles the digits of a first guess with each step.
  Word reciprocalRoot(Word a) {
    auto [exponent, number] = evenExponent(a);
    Word guess = m.word(0x90000000) - (number >> 2) - (number >> 4);  // .31, wrong by 15 % at most
    auto [high, low] =
        m.repeat(5, std::array<Word, 2>{guess, m.word(0)}, [&](std::array<Word, 2> s) {
          Wide y{s[0], s[1]};
          Wide square = times({number, m.word(0)}, times(y, y));     // .60
          Wide next = times(minus(wide(0x30000000, 0), square), y);  // twice y, .59
          return std::array<Word, 2>{next.high << 3 | next.low >> 29, next.low << 3};
        });
    Word bits = high | bitOf(!m.equal(low, m.word(0)));
    Word result = f.roundScaled(m.word(254) - exponent, bits);
    return rootSpecials(a, (a & kSign) | kInfinity, m.word(0), result);
  }

  /// 2^r of .64, in .63: the square of the square of exp(r ln(2) / 4), of which the Taylor series
  /// has few terms.
  static Wide powerOfTwo(Machine& machine, Wide rest) {
    Math math(machine);
    Wide root = math.seriesOfExp(math.times(rest, math.wide(0x2c5c85fd, 0xf473de6b)));
    return math.squared(math.squared(root));
  }

  /// The upper half of the product; the last bits may be missing.
  static Wide upperProduct(Machine& machine, Wide a, Wide b) {
    Float<Machine> f(machine);
    auto [high, low] = f.product(a.high, b.high);
    Word one = f.product(a.high, b.low)[0], other = f.product(a.low, b.high)[0];
    Word sum = low + one, total = sum + other;
    Word carries = machine.word(machine.less(sum, one)) + machine.word(machine.less(total, other));
    return {high + carries, total};
  }

  /// x log2(e): the whole part, rounded down, and the rest in .64. x is below 128.
  std::pair<Word, Wide> timesLog2e(Word a) {
    Word bits = a << 8 | kSign;
    auto [w3, w2] = f.product(bits, m.word(0xb8aa3b29));
    auto [high, w1] = f.product(bits, m.word(0x5c17f0bb));
    w1 = w1 + f.product(bits, m.word(0xbe87fed0))[0];  // the carry is lost: 2^-88 of 128
    Wide upper = plus({w3, w2}, {m.word(0), high});
    Word exponent = (a & kMagnitude) >> 23;
    Word by = m.minSigned(m.maxSigned(m.word(133) - exponent, m.word(0)), m.word(31));
    w1 = funnel(upper.low, w1, by), w2 = funnel(upper.high, upper.low, by), w3 = upper.high >> by;
    Word whole = w3 >> 24;  // 8.64 from here on
    Wide rest{w3 << 8 | w2 >> 24, w2 << 8 | w1 >> 24};
    Wide opposite = minus(wide(0, 0), rest);
    Bit isWhole = m.equal(rest.high | rest.low, m.word(0));
    Word below = m.word(0) - whole - bitOf(!isWhole);
    Bit negative = isNegative(a);
    return {
        m.select(negative, below, whole),
        {m.select(negative, opposite.high, rest.high), m.select(negative, opposite.low, rest.low)}};
  }

 private:
  Word bitOf(Bit bit) { return m.word(bit); }
  Bit isNegative(Word a) { return m.lessSigned(a, m.word(0)); }
  Wide wide(uint32_t high, uint32_t low) { return {m.word(high), m.word(low)}; }

  Wide times(Wide a, Wide b) {
    auto [high, low] = m.upperProduct({a.high, a.low, b.high, b.low});
    return {high, low};
  }
  Wide plus(Wide a, Wide b) {
    Word low = a.low + b.low;
    return {a.high + b.high + bitOf(m.less(low, b.low)), low};
  }
  Wide minus(Wide a, Wide b) {
    return {a.high - b.high - bitOf(m.less(a.low, b.low)), a.low - b.low};
  }
  /// Of a number in .63 whose square is below 2.
  Wide squared(Wide a) {
    Wide square = times(a, a);
    return {square.high << 1 | square.low >> 31, square.low << 1};
  }

  // -- exp ----------------------------------------------------------------------------------------

  /// `low` shifted right, bits of `high` coming in. `by` is below 32.
  Word funnel(Word high, Word low, Word by) { return low >> by | (high << 1) << (m.word(31) - by); }

  /// Sum of x^n / n! in .63; x is .64 and below 0.174.
  Wide seriesOfExp(Wide x) {
    constexpr std::pair<uint32_t, uint32_t> kOneByFactorial[] = {
        {0x80000000, 0},          {0x80000000, 0},          {0x40000000, 0},
        {0x15555555, 0x55555555}, {0x05555555, 0x55555555}, {0x01111111, 0x11111111},
        {0x002d82d8, 0x2d82d82e}, {0x00068068, 0x06806807}, {0x0000d00d, 0x00d00d01},
        {0x0000171d, 0xe3a556c7}, {0x0000024f, 0xc9f6ef14}, {0x00000035, 0xcc8acfeb},
        {0x00000004, 0x7bb63bfe}};
    Wide sum = wide(kOneByFactorial[12].first, kOneByFactorial[12].second);
    for (int n = 11; n >= 0; --n)
      sum = plus(times(sum, x), wide(kOneByFactorial[n].first, kOneByFactorial[n].second));
    return sum;
  }

  // -- Roots --------------------------------------------------------------------------------------

  /// x = number 2^(2 (exponent - 127)), the number in 2.30 and from 1 to 4.
  std::pair<Word, Word> evenExponent(Word a) {
    auto [exponent, bits] = f.normalized(a & kMagnitude);
    Word twice = exponent + 127;
    Bit isEven = m.equal(twice & 1, m.word(0));
    return {twice >> 1, m.select(isEven, bits >> 1, bits)};
  }

  Word rootSpecials(Word a, Word ofZero, Word ofInfinity, Word result) {
    Word magnitude = a & kMagnitude;
    result = m.select(m.equal(a, m.word(kInfinity)), ofInfinity, result);
    Bit hasNone = isNegative(a) | m.less(m.word(kInfinity), magnitude);
    result = m.select(hasNone, m.word(kNaN), result);
    return m.select(m.equal(magnitude, m.word(0)), ofZero, result);
  }

  Machine& m;
  Float<Machine> f;
};

}  // namespace airlite::npu::soft
