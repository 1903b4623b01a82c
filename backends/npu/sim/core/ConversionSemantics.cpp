// Conversions: pack and unpack, bf16 to f32 and back, bf16 to integers
// (docs/hardware/vector_facts.md, 6).
#include "Pipeline.hpp"
#include "Rounding.hpp"
#include "Semantics.hpp"
#include "airlite/support/BlockFloat.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace airlite::npu::sim::core {
namespace {

constexpr unsigned kHalfLanes = 16;  ///< bf16 in 256 bits

/// Element `i` of 4 bits, the lower half of a byte first.
int64_t nibble(const Value& value, unsigned i, bool isSigned) {
  const int64_t bits = value.bytes[i / 2] >> (i % 2 * 4) & 0xf;
  return isSigned && bits >= 8 ? bits - 16 : bits;
}
void setNibble(Value& value, unsigned i, int64_t element) {
  const unsigned at = i % 2 * 4;
  uint8_t& byte = value.bytes[i / 2];
  byte =
      static_cast<uint8_t>((byte & ~(0xfu << at)) | (static_cast<unsigned>(element) & 0xf) << at);
}

/// Elements of the first input with half as many bits; crSat is input `sat`. An unsigned form takes
/// its source as unsigned too (C).
template <typename From, unsigned bits>
void packLanes(Flight& f, Value& to, bool isSigned, unsigned sat) {
  bool overflow = false;
  const unsigned lanes = f.op->in[0].place->bytes() / sizeof(From);
  for (unsigned i = 0; i < lanes; ++i) {
    int64_t value = isSigned ? int64_t{f.in[0].get<From>(i)}
                             : int64_t{f.in[0].get<std::make_unsigned_t<From>>(i)};
    value = saturated(value, bits, isSigned, f.u(sat), overflow);
    if constexpr (bits == 4)
      setNibble(to, i, value);
    else
      to.set(static_cast<int8_t>(static_cast<uint64_t>(value)), i);
  }
}
/// AIE2. Inputs: vector, crSat, for dynamic forms crPackSign.
template <typename From, unsigned bits, bool isDynamic> void packInto(Flight& f, Value& to) {
  packLanes<From, bits>(f, to, !isDynamic || (f.u(2) & 1), 1);
}
/// AIE2P. Inputs: vector, crPackSize, crSat, sign.
void packSized(Flight& f, Value& to) {
  if (f.u(1) & 1) return packLanes<int16_t, 8>(f, to, f.u(3) & 1, 2);
  packLanes<int8_t, 4>(f, to, f.u(3) & 1, 2);
}
template <typename From, unsigned bits, bool isDynamic> void pack(Flight& f) {
  packInto<From, bits, isDynamic>(f, f.out[0]);
}
template <typename From, unsigned bits, bool isDynamic> void storePack(Flight& f) {
  packInto<From, bits, isDynamic>(f, f.memory);
}

/// Elements with twice as many bits.
template <unsigned bits, typename To>
void unpackLanes(Flight& f, const Value& from, bool isSigned) {
  Value result;
  const unsigned lanes = f.op->out[0].place->bytes() / sizeof(To);
  for (unsigned i = 0; i < lanes; ++i) {
    const int64_t value = bits == 4  ? nibble(from, i, isSigned)
                          : isSigned ? int64_t{from.get<int8_t>(i)}
                                     : int64_t{from.get<uint8_t>(i)};
    result.set(static_cast<To>(value), i);
  }
  f.out[0] = result;
}
/// AIE2. The sign of dynamic forms, crUnpackSign, is the last input.
template <unsigned bits, typename To, bool isDynamic, bool loads> void unpack(Flight& f) {
  unpackLanes<bits, To>(f, loads ? f.memory : f.in[0], !isDynamic || (f.u(loads ? 0 : 1) & 1));
}
/// AIE2P. Inputs: [vector,] crUnpackSize, sign.
template <bool loads> void unpackSized(Flight& f) {
  constexpr unsigned kSize = loads ? 0 : 1;
  const Value& from = loads ? f.memory : f.in[0];
  const bool isSigned = f.u(kSize + 1) & 1;
  if (f.u(kSize) & 1) return unpackLanes<8, int16_t>(f, from, isSigned);
  unpackLanes<4, int8_t>(f, from, isSigned);
}

void widen(Flight& f, const Value& from) {
  Value result;
  for (unsigned i = 0; i < f.op->out[0].place->bytes() / 4; ++i)
    result.set(uint32_t{from.get<uint16_t>(i)} << 16, i);
  f.out[0] = result;
}

/// Rounds by a mode of crRnd; a NaN is the positive quiet one, what is too large becomes infinite (C).
bool toBf16(uint32_t bits, uint32_t mode, uint16_t& result) {
  const uint32_t sign = bits & 0x80000000, magnitude = bits & 0x7fffffff;
  int64_t rounded = 0;
  if (!shiftRounded(sign ? -int64_t{magnitude} : int64_t{magnitude}, 16, mode, rounded))
    return false;
  const bool isNan = magnitude > 0x7f800000;
  const auto high = static_cast<uint16_t>(sign >> 16 | static_cast<uint32_t>(std::abs(rounded)));
  result = isNan ? uint16_t{0x7fc0} : high;
  return true;
}

/// Inputs: accumulator, crRnd.
void narrowInto(Flight& f, Value& to) {
  const unsigned lanes = f.op->in[0].place->bytes() / 4;
  for (unsigned i = 0; i < lanes; ++i) {
    uint16_t bits = 0;
    if (!toBf16(f.in[0].get<uint32_t>(i), f.u(1), bits))
      return f.pipe->fault(f.pc, "not modelled: rounding mode " + std::to_string(f.u(1)));
    to.set(bits, i);
  }
}

/// Eight blocks of eight f32: their mantissas, then their exponents. Inputs: accumulator, crRnd. How modes
/// other than rounding down treat a block is not known.
void makeBlocks(Flight& f) {
  if (f.u(1))
    return f.pipe->fault(f.pc, "not modelled: blocks by rounding mode " + std::to_string(f.u(1)));
  for (unsigned i = 0; i < kBlocksOfFactor; ++i) {
    std::array<uint32_t, kBlockLength> numbers;
    for (unsigned k = 0; k < kBlockLength; ++k)
      numbers[k] = f.in[0].get<uint32_t>(i * kBlockLength + k);
    const FloatBlock block = floatBlockOf(numbers);
    for (unsigned k = 0; k < kBlockLength; ++k)
      f.out[0].set(block.mantissas[k], i * kBlockLength + k);
    f.out[0].set(block.exponent, kBlocksOfFactor * kBlockLength + i);
  }
}

/// The largest integer not above value * 2^shift, saturated; the shift has 6 bits and a sign, and
/// NaN becomes the largest integer (C).
int32_t floorOf(uint16_t bits, uint32_t shift) {
  const auto by = static_cast<int>((shift & 63) ^ 32) - 32;
  const float value = std::bit_cast<float>(uint32_t{bits} << 16);
  using Limits = std::numeric_limits<int32_t>;
  if (std::isnan(value)) return Limits::max();
  const double scaled = std::floor(std::ldexp(double{value}, by));
  if (scaled >= Limits::max()) return Limits::max();
  return scaled <= Limits::min() ? Limits::min() : static_cast<int32_t>(scaled);
}

void floorLanes(Flight& f, unsigned first, uint32_t shift) {
  for (unsigned i = 0; i < kHalfLanes; ++i)
    f.out[0].set(floorOf(f.in[0].get<uint16_t>(first + i), shift), i);
}
void floorAll(Flight& f) { floorLanes(f, 0, f.u(1)); }
/// Which half of a vector of 512 bits is the second input.
void floorHalf(Flight& f) { floorLanes(f, (f.u(1) & 1) * kHalfLanes, f.u(2)); }

/// Of AIE2P: 16 f32 give as many bf16.
template <double (*Function)(double)> void functionOfLanes(Flight& f) {
  for (unsigned i = 0; i < kHalfLanes; ++i) {
    const float x = std::bit_cast<float>(f.in[0].get<uint32_t>(i));
    f.out[0].set(static_cast<uint16_t>(bitsOfBf16Result(Function(x)) >> 16), i);
  }
}
double powerOfTwo(double x) { return std::exp2(x); }
double tangent(double x) { return std::tanh(x); }

// clang-format off
constexpr SemanticRow kConversionRows[] = {
    {"vpack.s8.s16", {pack<int16_t, 8, false>}}, {"vpack.d8.d16", {pack<int16_t, 8, true>}},
    {"vpack.s4.s8", {pack<int8_t, 4, false>}}, {"vpack.d4.d8", {pack<int8_t, 4, true>}},
    {"vst.pack.s8.s16", {storePack<int16_t, 8, false>}},
    {"vst.pack.d8.d16", {storePack<int16_t, 8, true>}},
    {"vst.pack.s4.s8", {storePack<int8_t, 4, false>}},
    {"vst.pack.d4.d8", {storePack<int8_t, 4, true>}},
    {"vunpack.s16.s8", {unpack<8, int16_t, false, false>}},
    {"vunpack.d16.d8", {unpack<8, int16_t, true, false>}},
    {"vunpack.s8.s4", {unpack<4, int8_t, false, false>}},
    {"vunpack.d8.d4", {unpack<4, int8_t, true, false>}},
    {"vldb.unpack.s16.s8", {unpack<8, int16_t, false, true>}},
    {"vldb.unpack.d16.d8", {unpack<8, int16_t, true, true>}},
    {"vldb.unpack.s8.s4", {unpack<4, int8_t, false, true>}},
    {"vldb.unpack.d8.d4", {unpack<4, int8_t, true, true>}},
    {"vpack", {[](Flight& f) { packSized(f, f.out[0]); }}},
    {"vst.pack", {[](Flight& f) { packSized(f, f.memory); }}},
    {"vunpack", {unpackSized<false>}},
    {"vldb.unpack", {unpackSized<true>}},
    {"vconv.fp32.bf16", {[](Flight& f) { widen(f, f.in[0]); }}},
    {"vlda.conv.fp32.bf16", {[](Flight& f) { widen(f, f.memory); }}},
    {"vconv.bf16.fp32", {[](Flight& f) { narrowInto(f, f.out[0]); }}},
    {"vst.conv.bf16.fp32", {[](Flight& f) { narrowInto(f, f.memory); }}},
    {"vconv.bfp16ebs8.fp32", {makeBlocks}},
    {"vexp2", {functionOfLanes<powerOfTwo>}},
    {"vtanh", {functionOfLanes<tangent>}},
    {"vfloor.s32.bf16", {floorAll}},
    {"vfloor.s32.bf16 half", {floorHalf}},
};
// clang-format on

}  // namespace

std::span<const SemanticRow> conversionSemantics() { return kConversionRows; }

}  // namespace airlite::npu::sim::core
