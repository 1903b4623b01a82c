// The fused multiply-add of f32 in words.
#pragma once

#include "SoftReal.hpp"

namespace airlite::npu::soft {

template <class Machine> class FusedMultiplyAdd {
 public:
  using Word = typename Machine::Word;
  using Bit = typename Machine::Bit;
  using Pair = typename Wide<Machine>::Pair;

  explicit FusedMultiplyAdd(Machine& machine) : m(machine), f(machine), w(machine), r(machine) {}

  /// a * b + c, rounded once: the product is exact, and so is the sum but for bits that only say
  /// that there is something. With `toOdd`, cut to 16 bits, of which the last one says whether
  /// there was more: rounding that to bf16 is rounding once.
  Word compute(Word a, Word b, Word c, bool toOdd = false) {
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
    auto [bits, shift] = r.leading(w.select(turned, w.negate(sum), sum));
    Word exponent = m.select(swaps, ec, ep) + 2 - shift;
    Word top = bits.high | r.isNotZero(bits.low);
    if (toOdd) top = (top & 0xffff0000) | r.isNotZero(top & 0xffff) << 16;
    Word result = f.roundScaled(exponent, top) | resultSign;
    // What is exactly zero has the sign of both, or none.
    Word zero = m.select(differ, m.word(0), sign);
    result = m.select(m.equal(bits.high | bits.low, m.word(0)), zero, result);
    return multiplyAddSpecials(ma, mb, c, sign, differ, result);
  }

 private:
  /// What falls out is kept in the last bit.
  Pair shiftedSticky(Pair a, Word by) {
    Word near = m.minUnsigned(by, m.word(63));
    Pair kept = w.shiftRight(a, near);
    Bit isAll = w.equal(w.shiftLeft(kept, near), a);
    return {kept.low | m.word(!isAll), kept.high};
  }

  Word multiplyAddSpecials(Word ma, Word mb, Word c, Word sign, Bit differ, Word result) {
    Word larger = m.maxUnsigned(ma, mb), smaller = m.minUnsigned(ma, mb), mc = c & kMagnitude;
    Bit isInfinite = m.equal(larger, m.word(kInfinity));
    Bit addsInfinity = m.equal(mc, m.word(kInfinity));
    result = m.select(addsInfinity, c, result);
    result = m.select(isInfinite, sign | kInfinity, result);
    Bit isNaN = r.isAbove(larger, kInfinity) | r.isAbove(mc, kInfinity) |
                (isInfinite & m.equal(smaller, m.word(0))) | (isInfinite & addsInfinity & differ);
    return m.select(isNaN, m.word(kNaN), result);
  }

  Machine& m;
  Float<Machine> f;
  Wide<Machine> w;
  Reals<Machine> r;
};

}  // namespace airlite::npu::soft
