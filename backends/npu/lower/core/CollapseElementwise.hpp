// Elementwise structured ops on whole buffers with as few loops as they need.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::npu {

/// Joins the loops of structured ops inside of `root` that compute each element from those at the same place:
/// loops whose elements follow each other in all buffers, or in all but those that have neither, become one,
/// and the buffers get as few dimensions. True when there was an op to change.
bool collapseElementwise(Operation& root);

}  // namespace airlite::npu
