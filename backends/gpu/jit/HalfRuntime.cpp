#include "HalfRuntime.hpp"

#if defined(__x86_64__)

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace airlite::gpu {
namespace {

// The x86-64 ABI returns both 16-bit floats in xmm0; g++ 12 has _Float16 but no __bf16, so bf16
// travels as the _Float16 with the same bits.
using Half = _Float16;

Half fromBits(std::uint16_t bits) {
  Half half;
  std::memcpy(&half, &bits, sizeof(half));
  return half;
}

/// Round to nearest even; NaN stays NaN (quiet), subnormals are kept as on the device.
Half truncateToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return fromBits(static_cast<std::uint16_t>((bits >> 16) | 0x40));
  return fromBits(static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16));
}

/// f64 to f32 rounding to odd, so that the second rounding to bf16 sees that something was cut off.
float roundToOdd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::isnan(value) || static_cast<double>(nearest) == value || (bits & 1)) return nearest;
  const bool isTooLarge = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return std::bit_cast<float>(isTooLarge ? bits - 1 : bits + 1);
}

Half truncateDoubleToBf16(double value) { return truncateToBf16(roundToOdd(value)); }
Half truncateToHalf(float value) { return static_cast<Half>(value); }
Half truncateDoubleToHalf(double value) { return static_cast<Half>(value); }
float extendHalf(Half value) { return static_cast<float>(value); }

template <class Function> void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

std::span<const RuntimeSymbol> halfRuntime() {
  static const std::array<RuntimeSymbol, 5> symbols = {{
      {"__truncsfbf2", address(truncateToBf16)},
      {"__truncdfbf2", address(truncateDoubleToBf16)},
      {"__truncsfhf2", address(truncateToHalf)},
      {"__truncdfhf2", address(truncateDoubleToHalf)},
      {"__extendhfsf2", address(extendHalf)},
  }};
  return symbols;
}

}  // namespace airlite::gpu

#else

namespace airlite::gpu {
std::span<const RuntimeSymbol> halfRuntime() { return {}; }
}  // namespace airlite::gpu

#endif
