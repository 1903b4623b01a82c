// Short runs of instructions on vectors that several selectors make (docs/hardware/vector_facts.md).
#pragma once

#include "Emitter.hpp"
#include "airlite/ir/Type.hpp"

#include <cstddef>
#include <cstdint>

namespace airlite::npu::codegen {

// Configuration words of products and sums of floats (docs/hardware/vector_facts.md, section 3).
inline constexpr uint32_t kProductsOfBf16 = 0x3c;  ///< lane L: a[L] * b[L] + a[L+16] * b[L+16]
inline constexpr uint32_t kFloatSum = 0x1c;        ///< of AIE2; of AIE2P that of products
/// Of AIE2P: lane L of 64 (i8) or 32 (bf16): a[L] * b[L].
inline constexpr uint32_t kProductsOf8 = 0x28, kProductsOfBf16P = 0x3c;
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
/// `to` is `from` with lanes of another width, by a form of AIE2 for ups, srs or unpack, shifted by
/// register `shift`. On AIE2P sizes are in control registers, and accumulators twice as large: sums
/// are in the low part of theirs.
void changeWidth(Emitter& emitter, isa::Form form, Operand to, Operand from, Operand shift = {});
/// On AIE2P: srs reads sums of 32 bits (else of 64).
void setSumWidth(Emitter& emitter, bool is64);
/// On AIE2P: ups makes sums of 32 bits (else of 64) of what is loaded.
void setLoadedWidth(Emitter& emitter, bool is64);
/// The configuration of sums of f32.
uint32_t floatSum(const Emitter& emitter);

// -- Accumulators: on AIE2P each has 2,048 bits, and all but the low part is not used by these --
/// Whether a type is as large as the accumulators of the core.
bool fitsAccumulator(Type type, const Emitter& emitter);
/// Where 16 sums of f32 lie in a register of RegClass::HalfAccumulator.
Part rowOfSums(const Emitter& emitter);
/// Where the products of one half of two vectors of 16 bits lie, with 32 bits each.
Part productsOfHalf(const Emitter& emitter, Part half);

// -- Comparisons of lanes of 8, 16 and 32 bits (`lane`: 0, 1, 2), as signed numbers or not --
/// A new place for a bit of each lane; lanes of 8 bits have one place.
Operand laneMask(Emitter& emitter, size_t lane);
/// A new vector register with the lanes of b whose bit is set, and those of a elsewhere.
Operand choose(Emitter& emitter, size_t lane, Operand a, Operand b, Operand mask);
/// Sets the lanes of `mask` in which a is less than b.
void compareLess(Emitter& emitter, size_t lane, bool isSigned, Operand mask, Operand a, Operand b);
/// The greater or the lesser of both; `mask` is written on the way.
void takeExtreme(Emitter& emitter, size_t lane, bool isSigned, bool isLargest, Operand to,
                 Operand mask, Operand a, Operand b);
/// What becomes bf16 is rounded to the nearest, ties to even.
void setRounding(Emitter& emitter);
/// What becomes blocks is rounded down.
void setRoundingDown(Emitter& emitter);

}  // namespace airlite::npu::codegen
