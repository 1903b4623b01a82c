// Numbers of 64 bits in pairs of words: what ops on i64 of a core call (see SoftWord.hpp for what a
// machine is).
#pragma once

#include "SoftFloat.hpp"

namespace airlite::npu::soft {

template <class Machine> class Wide {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  struct Pair {
    Word low, high;
  };

  explicit Wide(Machine& machine) : m(machine) {}

  Pair add(Pair a, Pair b) {
    Word low = a.low + b.low;
    return {low, a.high + b.high + m.word(m.less(low, a.low))};
  }
  Pair subtract(Pair a, Pair b) {
    return {a.low - b.low, a.high - b.high - m.word(m.less(a.low, b.low))};
  }
  Pair negate(Pair a) { return subtract({m.word(0), m.word(0)}, a); }
  Pair select(Bit condition, Pair a, Pair b) {
    return {m.select(condition, a.low, b.low), m.select(condition, a.high, b.high)};
  }

  Bit equal(Pair a, Pair b) { return m.equal((a.low ^ b.low) | (a.high ^ b.high), m.word(0)); }
  Bit less(Pair a, Pair b) {
    return m.less(a.high, b.high) | (m.equal(a.high, b.high) & m.less(a.low, b.low));
  }
  Bit lessSigned(Pair a, Pair b) {
    return m.lessSigned(a.high, b.high) | (m.equal(a.high, b.high) & m.less(a.low, b.low));
  }
  Bit isNegative(Pair a) { return m.lessSigned(a.high, m.word(0)); }
  Pair magnitude(Pair a) { return select(isNegative(a), negate(a), a); }

  Pair multiply(Pair a, Pair b) {
    auto [high, low] = Float<Machine>(m).product(a.low, b.low);
    return {low, high + a.low * b.high + a.high * b.low};
  }

  /// Bit by bit: the dividend goes out of the pair into which the quotient comes.
  Pair divideUnsigned(Pair a, Pair b) {
    auto last = m.repeat(64, std::array<Word, 4>{a.low, a.high, m.word(0), m.word(0)},
                         [&](std::array<Word, 4> s) {
                           Pair rest{s[2] << 1 | s[1] >> 31, s[3] << 1 | s[2] >> 31};
                           // The rest may have 65 bits here.
                           Bit fits = !(m.equal(s[3] >> 31, m.word(0)) & less(rest, b));
                           rest = select(fits, subtract(rest, b), rest);
                           return std::array<Word, 4>{s[0] << 1 | m.word(fits),
                                                      s[1] << 1 | s[0] >> 31, rest.low, rest.high};
                         });
    return {last[0], last[1]};
  }

  /// a / b for a below b, with 64 fraction bits.
  Pair fraction(Pair a, Pair b) {
    auto last = m.repeat(64, std::array<Word, 4>{a.low, a.high, m.word(0), m.word(0)},
                         [&](std::array<Word, 4> s) {
                           Pair rest{s[0] << 1, s[1] << 1 | s[0] >> 31};
                           Bit fits = !(m.equal(s[1] >> 31, m.word(0)) & less(rest, b));
                           rest = select(fits, subtract(rest, b), rest);
                           return std::array<Word, 4>{rest.low, rest.high, s[2] << 1 | m.word(fits),
                                                      s[3] << 1 | s[2] >> 31};
                         });
    return {last[2], last[3]};
  }

  // -- Floats of 32 bits --------------------------------------------------------------------------

  /// Rounded to nearest even. With `toOdd`, cut to the 24 bits of a float, of which the last one
  /// says whether there was more: rounding that to bf16 is rounding once.
  Word toFloat(Pair a, bool toOdd) {
    Bit isLow = m.equal(a.high, m.word(0));
    Word shift = m.select(isLow, m.leadingZeros(a.low | 1) + 32, m.leadingZeros(a.high));
    Pair bits = shiftLeft(a, shift);
    Word rest = m.word(!m.equal(bits.low, m.word(0))), top = bits.high | rest;
    if (toOdd) top = (top & ~0xffu) | m.word(!m.equal(top & 0xff, m.word(0))) << 8;
    Word result = Float<Machine>(m).roundAndPack(m.word(190) - shift, top);
    return m.select(m.equal(a.low | a.high, m.word(0)), m.word(0), result);
  }
  Word toFloatSigned(Pair a, bool toOdd) { return toFloat(magnitude(a), toOdd) | (a.high & kSign); }
  /// Towards zero. Anything when it does not fit; above 2^63 as unsigned.
  Pair fromFloat(Word a) {
    Word exponent = (a & kMagnitude) >> 23, bits = a << 8 | kSign;
    Word by = m.minUnsigned(m.maxSigned(m.word(190) - exponent, m.word(0)), m.word(63));
    Pair whole = shiftRight({m.word(0), bits}, by);
    whole = select(m.less(exponent, m.word(127)), {m.word(0), m.word(0)}, whole);
    return select(m.lessSigned(a, m.word(0)), negate(whole), whole);
  }

  /// By 0 to 63 bits.
  Pair shiftLeft(Pair a, Word by) {
    Word inner = by & 31, low = a.low << inner;
    Word high = a.high << inner | (a.low >> 1) >> (m.word(31) - inner);
    Bit far = isFar(by);
    return {m.select(far, m.word(0), low), m.select(far, low, high)};
  }
  Pair shiftRight(Pair a, Word by) {
    Word inner = by & 31, high = a.high >> inner;
    return shiftedRight(a, by, high, m.word(0));
  }
  Pair shiftRightSigned(Pair a, Word by) {
    Word high = m.arithmeticShift(a.high, by & 31);
    return shiftedRight(a, by, high, m.arithmeticShift(a.high, m.word(31)));
  }

 private:
  Bit isFar(Word by) { return !m.equal(by & 32, m.word(0)); }
  Pair shiftedRight(Pair a, Word by, Word high, Word fill) {
    Word inner = by & 31;
    Word low = a.low >> inner | (a.high << 1) << (m.word(31) - inner);
    Bit far = isFar(by);
    return {m.select(far, high, low), m.select(far, fill, high)};
  }

  Machine& m;
};

}  // namespace airlite::npu::soft
