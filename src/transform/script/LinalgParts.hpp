// A part of what a linalg op on buffers computes: where it begins in each loop, and how far it goes.
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <string>
#include <vector>

namespace airlite {

struct LinalgPart {
  std::vector<memref::MixedIndex> origins;  ///< one per loop: a number, or a value of index type
  std::vector<int64_t> sizes;               ///< one per loop
};

/// All of the op.
LinalgPart wholeOf(linalg::StructuredOp op);

/// Why no part of the op can be made; empty when it can.
std::string partObstacle(linalg::StructuredOp op);

/// Makes the part with the builder: subviews of the operands and the op on them. There must be no
/// obstacle. `output`: what takes the place of the only output; null: a subview of it.
Operation* emitPart(linalg::StructuredOp op, const LinalgPart& part, Builder& builder,
                    Value output = Value());

}  // namespace airlite
