// Short runs of instructions on vectors that several selectors make (docs/hardware/vector_facts.md).
#pragma once

#include "Emitter.hpp"

#include <cstdint>

namespace airlite::npu::codegen {

// Configuration words of products and sums of floats (docs/hardware/vector_facts.md, section 3).
inline constexpr uint32_t kProductsOfBf16 = 0x3c;  ///< lane L: a[L] * b[L] + a[L+16] * b[L+16]
inline constexpr uint32_t kFloatSum = 0x1c;
inline constexpr uint32_t kProductsOf16 = 0x38;  ///< unsigned i16 by lanes, sums of 32 bits
inline constexpr uint32_t kRoundToEven = 12;     ///< crRnd, section 7

/// A new vector register with the result of a form.
Operand computeVector(Emitter& emitter, isa::Form form, Operand a, Operand b);
/// Lanes of two registers in the order of a mode of section 9.
Operand shuffled(Emitter& emitter, Operand low, Operand high, uint32_t mode);
/// There is no instruction for it: what is in one, without what is in both.
Operand exclusiveOr(Emitter& emitter, Operand a, Operand b);
/// What changes its width is not shifted, and not saturated.
void setShift(Emitter& emitter);
/// What becomes bf16 is rounded to the nearest, ties to even.
void setRounding(Emitter& emitter);

}  // namespace airlite::npu::codegen
