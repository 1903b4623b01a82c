// Rewrites of the airrt dialect, for its definitions.
#pragma once

#include "airlite/dialect/Airrt.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::airrt {

/// A wait for nothing, or whose event nobody asks for.
LogicalResult eraseUselessWait(Operation& op, Rewriter& rewriter);
/// Waits of waits become one wait, and each event is waited for once.
LogicalResult flattenWaits(Operation& op, Rewriter& rewriter);
/// Memory that is freed without having been used.
LogicalResult eraseUnusedAlloc(Operation& op, Rewriter& rewriter);
/// What is on the device already is not loaded again.
LogicalResult reuseLoad(Operation& op, Rewriter& rewriter);

}  // namespace airlite::airrt
