// The bounds and steps of parallel loops, whichever dialect they are written in.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <optional>
#include <vector>

namespace airlite {

/// One dimension: absent where it is not a constant.
struct ParallelBounds {
  std::optional<int64_t> lower, upper, step;
};

/// scf.parallel, scf.forall or affine.parallel.
bool isParallelLoop(const Operation& op);
/// Of such a loop, a dimension each.
std::vector<ParallelBounds> parallelBounds(Operation& loop);

}  // namespace airlite
