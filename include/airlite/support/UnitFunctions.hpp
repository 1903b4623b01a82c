// Functions that the vector unit of AIE2P has as instructions: 2^x and tanh x of f32, with results of bf16 (vexp2, vtanh). The
// simulated core computes them so, and the interpreter a math.exp2 or math.tanh that says so (kBf16Result).
//
// How the unit rounds is not published; that it gives the nearest bf16 is an assumption (docs/npu_isa.md, "What is not known").
//
//   uint32_t bits = bitsOfBf16Result(std::exp2(0.3));
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace airlite {

/// A discardable attribute (unit) of a math.exp2 or math.tanh on f32: its result is rounded to bf16.
inline constexpr std::string_view kBf16Result = "air.bf16_result";

/// Whether the unit has an instruction for the op of this name.
constexpr bool isUnitFunction(std::string_view name) {
  return name == "math.exp2" || name == "math.tanh";
}

/// The bits of f32 next to `value` that bf16 has, of two the even ones; every NaN is the positive quiet one.
inline uint32_t bitsOfBf16Result(double value) {
  if (std::isnan(value)) return 0x7fc00000;
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  return (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
}

}  // namespace airlite
