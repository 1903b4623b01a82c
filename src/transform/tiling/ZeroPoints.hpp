// Products of integers with zero points or without signs, by products of integers with signs. Private to transform/.
#pragma once

#include "airlite/dialect/Linalg.hpp"

namespace airlite::tiling {

/// What a unit that multiplies matrices lacks.
enum class TakenOut { ZeroPoints, ZeroPointsAndUnsigned };

/// A product of bytes into i32 becomes one that matrix units make, of factors without zero points, sums of
/// the rows of A and of the columns of B where the other factor has a zero point, and an elementwise op that puts them
/// together. This is for linalg.quantized_matmul and its batch, and convolutions with zero points (`_q`) that are no depthwise ones. Where
/// unsigned factors are taken out as well, it is for products and convolutions that widen a factor without its sign, too: such a factor is
/// one with signs, the first bit turned, and the zero point -128. All of it wraps, so the bits are the same.
/// Erases `op` and returns true then.
bool takeOutZeroPoints(linalg::StructuredOp op, TakenOut what);

}  // namespace airlite::tiling
