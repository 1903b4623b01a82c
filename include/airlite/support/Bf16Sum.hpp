// Sums of products of bf16 as the matrix unit of AIE2 makes them: of the simulator, and of the
// interpreter for ops that say so (linalg::kSumDepth).
#pragma once

#include <cstdint>
#include <span>

namespace airlite {

/// A term of a sum: an f32 by its bits, or a product of two bf16.
struct Bf16Product {
  uint16_t a, b;
};

/// products + accumulators, as f32 bits. All terms are aligned to the largest exponent and rounded
/// to 23 bits below it (to the nearest, ties to even), then summed exactly and rounded once: what
/// an emulator reports of the hardware (C). Products that are exact in f32 and sums without
/// cancellation agree with IEEE. `negateProducts` changes their signs. A subnormal result is kept
/// (not known).
uint32_t bf16Sum(std::span<const Bf16Product> products, bool negateProducts,
                 std::span<const uint32_t> accumulators);

}  // namespace airlite
