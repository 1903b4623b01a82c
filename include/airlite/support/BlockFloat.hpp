// Block floating point as the matrix unit of AIE2P multiplies it (bfp16): eight numbers share an
// exponent. Of the simulator, and of the interpreter for ops that say so (linalg::kBlockFloats).
// Source: docs/hardware/aie2p.md, "bfp16"; what that does not say is marked (C).
//
// A number of a block is wrong by less than 2^-6 of the largest power of two that is not above the
// largest number of the block, downwards.
//
//   float sum = dotOf(floatBlockOf(bitsOfRow), floatBlockOf(bitsOfColumn));
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace airlite {

/// Numbers of a block.
inline constexpr size_t kBlockLength = 8;

/// Blocks of a factor of the matrix unit: the rows of A, the columns of B.
inline constexpr unsigned kBlocksOfFactor = 8;

/// Number i is mantissas[i] * 2^(exponent - 127) / 64.
struct FloatBlock {
  uint8_t exponent = 0;
  std::array<int8_t, kBlockLength> mantissas{};
};

/// Up to eight f32, by their bits; numbers that are missing are 0. The exponent is that of the largest
/// number, mantissas are rounded down (crRnd 0). A block with an infinity or a NaN has the exponent
/// 255, by which products with it are NaN (C).
inline FloatBlock floatBlockOf(std::span<const uint32_t> numbers) {
  constexpr int kFractionBits = 23, kMantissaBits = 6;
  auto exponentOf = [](uint32_t bits) { return static_cast<int>(bits >> kFractionBits & 0xff); };
  FloatBlock block;
  int largest = 1;  // that of subnormal numbers
  for (uint32_t bits : numbers)
    largest = std::max(largest, exponentOf(bits));
  block.exponent = static_cast<uint8_t>(largest);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const int exponent = exponentOf(numbers[i]);
    const auto fraction = static_cast<int32_t>(numbers[i] & 0x7fffff);
    const int32_t size = exponent ? fraction | 1 << kFractionBits : fraction;
    const int32_t number = numbers[i] >> 31 ? -size : size;
    const int shift = kFractionBits - kMantissaBits + largest - std::max(exponent, 1);
    block.mantissas[i] = static_cast<int8_t>(number >> std::min(shift, 31));
  }
  return block;
}

/// The sum of the products of two blocks, as f32: exact but where it is subnormal or too large.
inline float dotOf(const FloatBlock& a, const FloatBlock& b) {
  constexpr int kPoint = 2 * (127 + 6);
  if (a.exponent == 255 || b.exponent == 255) return std::numeric_limits<float>::quiet_NaN();
  int32_t sum = 0;
  for (size_t i = 0; i < kBlockLength; ++i)
    sum += int32_t{a.mantissas[i]} * b.mantissas[i];
  return static_cast<float>(std::ldexp(static_cast<double>(sum), a.exponent + b.exponent - kPoint));
}

/// sum + dot as f32, rounded to the nearest (C); the bits of a NaN are 0x7fc00000.
inline uint32_t addBlocks(const FloatBlock& a, const FloatBlock& b, uint32_t sum) {
  const float total = std::bit_cast<float>(sum) + dotOf(a, b);
  return std::isnan(total) ? 0x7fc00000 : std::bit_cast<uint32_t>(total);
}

}  // namespace airlite
