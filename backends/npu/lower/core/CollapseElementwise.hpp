// Elementwise structured ops on whole buffers as loops over one dimension.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::npu {

/// Gives structured ops inside `root` that compute each element from those at the same place one
/// loop in place of several: their buffers are taken as rows. True when there was one.
bool collapseElementwise(Operation& root);

}  // namespace airlite::npu
