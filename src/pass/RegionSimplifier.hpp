// Control flow clean-up: unreachable blocks and blocks with a single way in.
#pragma once

#include "airlite/ir/Rewriter.hpp"

namespace airlite {

/// Erases the unreachable blocks of the regions directly in `op`. Values may go round in circles in
/// them: rewrites had better not meet one.
bool eraseUnreachableBlocks(Operation& op, Rewriter& rewriter);

/// Erases unreachable blocks and merges a block into its only predecessor where that one jumps
/// nowhere else. Works on the regions directly in `op`. Returns true when something changed.
bool simplifyRegions(Operation& op, Rewriter& rewriter);

}  // namespace airlite
