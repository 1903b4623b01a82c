// Factors of a product whose tiles lie with their columns as rows: the core turns them around by shuffles.
#pragma once

#include "ProductParts.hpp"

namespace airlite::npu {

/// Puts a copy of each factor of `op`, a multiply-add on buffers of tiles, in its place whose last two dimensions are the
/// other way around than the matrix unit takes them: a [.., depth, rows] or b [.., columns, depth] (of floats in blocks [.., depth, columns]), whose tiles the shuffles
/// of the unit can turn. The loops that make the copies stand before the op, which is changed in place. False: there was none,
/// or no room for the copy.
bool turnFactors(linalg::StructuredOp op, ScratchBuffers& scratch);

}  // namespace airlite::npu
