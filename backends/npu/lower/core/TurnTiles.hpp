// Tiles of B, row by row, as products of blocks need them: column by column.
#pragma once

#include "ProductParts.hpp"

namespace airlite::npu {

/// `op` with tiles of B turned, in a buffer of their own; null where `op` is no product of blocks whose
/// whole buffer B has its rows in the last dimension but one, or where the core has no room.
linalg::StructuredOp turnTiles(linalg::StructuredOp op, ScratchBuffers& scratch);

}  // namespace airlite::npu
