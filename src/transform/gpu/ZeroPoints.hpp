// Products of integers with zero points, by products without.
#pragma once

#include "airlite/dialect/Linalg.hpp"

namespace airlite::gpu {

/// linalg.quantized_matmul and its batch, of i8 into i32, become the product without zero points, which is one of
/// matrix instructions, sums of the rows of A and of the columns of B where the other factor has a zero point, and
/// an elementwise op that puts them together. All of it wraps, so the bits are the same. Erases `op` and returns true then.
bool takeOutZeroPoints(linalg::StructuredOp op);

}  // namespace airlite::gpu
