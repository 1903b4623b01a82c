// The machine of backends/npu/lower/core/SoftWord.hpp that computes at once: the routines for
// floats run natively, on as many numbers as a test has time for.
#pragma once

#include "npu/lower/core/SoftFma.hpp"
#include "npu/lower/core/SoftPower.hpp"
#include "npu/lower/core/SoftSine.hpp"
#include "npu/lower/core/SoftTanhErf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace airlite::npu::soft {

class HostMachine {
 public:
  struct Bit {
    bool value;
    Bit operator&(Bit b) const { return {value && b.value}; }
    Bit operator|(Bit b) const { return {value || b.value}; }
    Bit operator!() const { return {!value}; }
  };

  struct Word {
    uint32_t value;
    Word operator+(Word b) const { return {value + b.value}; }
    Word operator-(Word b) const { return {value - b.value}; }
    Word operator*(Word b) const { return {value * b.value}; }
    Word operator/(Word b) const { return b.value ? Word{value / b.value} : undefined(); }
    Word operator&(Word b) const { return {value & b.value}; }
    Word operator|(Word b) const { return {value | b.value}; }
    Word operator^(Word b) const { return {value ^ b.value}; }
    Word operator<<(Word b) const { return b.value < 32 ? Word{value << b.value} : undefined(); }
    Word operator>>(Word b) const { return b.value < 32 ? Word{value >> b.value} : undefined(); }
    Word operator~() const { return {~value}; }
    Word operator+(uint32_t b) const { return *this + Word{b}; }
    Word operator-(uint32_t b) const { return *this - Word{b}; }
    Word operator*(uint32_t b) const { return *this * Word{b}; }
    Word operator&(uint32_t b) const { return *this & Word{b}; }
    Word operator|(uint32_t b) const { return *this | Word{b}; }
    Word operator^(uint32_t b) const {
      return *this ^ Word { b };
    }
    Word operator<<(uint32_t b) const { return *this << Word{b}; }
    Word operator>>(uint32_t b) const { return *this >> Word{b}; }
    /// What the core leaves open: no routine may ask for it.
    [[noreturn]] static Word undefined() { std::abort(); }
  };

  Word word(uint32_t number) { return {number}; }
  Word word(Bit bit) { return {bit.value ? 1u : 0u}; }
  Word select(Bit condition, Word yes, Word no) { return condition.value ? yes : no; }
  Word arithmeticShift(Word a, Word by) {
    if (by.value >= 32) Word::undefined();
    return {static_cast<uint32_t>(static_cast<int32_t>(a.value) >> by.value)};
  }
  Word minUnsigned(Word a, Word b) { return {std::min(a.value, b.value)}; }
  Word maxUnsigned(Word a, Word b) { return {std::max(a.value, b.value)}; }
  Word minSigned(Word a, Word b) { return lessSigned(a, b).value ? a : b; }
  Word maxSigned(Word a, Word b) { return lessSigned(a, b).value ? b : a; }
  Word leadingZeros(Word a) { return {static_cast<uint32_t>(std::countl_zero(a.value))}; }
  Bit equal(Word a, Word b) { return {a.value == b.value}; }
  Bit less(Word a, Word b) { return {a.value < b.value}; }
  Bit lessSigned(Word a, Word b) {
    return {static_cast<int32_t>(a.value) < static_cast<int32_t>(b.value)};
  }

  std::array<Word, 2> upperProduct(std::array<Word, 4> n) {
    auto product = Math<HostMachine>::upperProduct(*this, {n[0], n[1]}, {n[2], n[3]});
    return {product.high, product.low};
  }

  std::array<Word, 2> powerOfTwo(std::array<Word, 2> x) {
    auto power = Math<HostMachine>::powerOfTwo(*this, {x[0], x[1]});
    return {power.high, power.low};
  }
  std::array<Word, 2> fraction(std::array<Word, 4> n) {
    auto quotient = Wide<HostMachine>(*this).fraction({n[0], n[1]}, {n[2], n[3]});
    return {quotient.low, quotient.high};
  }
  template <size_t N> Word lookup(const Table<N>& table, Word index) {
    return {table.words[index.value]};
  }

  template <size_t N, class Body>
  std::array<Word, N> repeat(uint32_t count, std::array<Word, N> state, Body body) {
    for (uint32_t i = 0; i < count; ++i)
      state = body(state);
    return state;
  }
};

}  // namespace airlite::npu::soft
