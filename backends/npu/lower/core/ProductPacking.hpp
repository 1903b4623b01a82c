// Sums of products of buffers that do not lie in tiles of the matrix unit: the core lays them out
// in tiles itself.
#pragma once

#include "ProductParts.hpp"

#include <string>

namespace airlite::npu {

/// Puts in place of `op`, a sum of products in the program of a core: loops that copy its operands
/// to buffers of tiles, filled up to whole ones; the product of these; and loops that copy the sums
/// back; all of it for rows or columns one slice after the other, where the core has no room for more. Matched are multiply-adds that the unit can make (partsOf), whose indices are sums of
/// multiples of loops: products in any layout, and convolutions. The new product; null, with the
/// reason, where that does not pay or fit.
linalg::StructuredOp packProduct(linalg::StructuredOp op, ScratchBuffers& scratch,
                                 std::string& why);

}  // namespace airlite::npu
