// Control flow clean-up: unreachable blocks and blocks with a single way in.
#pragma once

#include "airlite/ir/Rewriter.hpp"

namespace airlite {

/// Erases unreachable blocks and merges a block into its only predecessor where that one jumps
/// nowhere else. Works on the regions directly in `op`. Returns true when something changed.
bool simplifyRegions(Operation& op, Rewriter& rewriter);

}  // namespace airlite
