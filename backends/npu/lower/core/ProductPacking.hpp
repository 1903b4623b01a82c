// Sums of products of buffers that do not lie in tiles of the matrix unit: the core lays them out
// in tiles itself.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <string>

namespace airlite::npu {

/// Puts in place of `op`, a sum of products in the program of `core`: loops that copy its operands
/// to buffers of tiles, filled up to whole ones; the product of these; and loops that copy the sums
/// back. Matched are multiply-adds of signed i8 or i16 into i32, and of bf16 into f32 with
/// linalg::kSumDepth, whose indices are sums of multiples of loops: products in any layout, and
/// convolutions. The new product; null, with the reason, where that does not pay or fit.
linalg::StructuredOp packProduct(linalg::StructuredOp op, aie::CoreOp core, std::string& why);

}  // namespace airlite::npu
