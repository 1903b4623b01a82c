// What an op's output holds before it. Private to transform/.
#pragma once

#include "airlite/dialect/Linalg.hpp"

namespace airlite::tiling {

/// Whether the op has one output, which it reads.
bool readsOutput(linalg::StructuredOp op);

/// The linalg.fill of the one output that only this op needs; null when there is none.
Operation* fillBefore(linalg::StructuredOp op);

}  // namespace airlite::tiling
