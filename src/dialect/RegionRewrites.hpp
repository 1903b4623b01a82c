// Rewrites of ops with regions that several dialects need.
#pragma once

#include "airlite/ir/Rewriter.hpp"

namespace airlite {

/// Replaces `op` by the single block of `region`, whose arguments become `values`; the results
/// become the operands of the block's terminator.
void replaceByRegion(Rewriter& rewriter, Operation& op, Region& region,
                     std::span<const Value> values = {});

/// `op` again, before it, with other operands and result types; it takes over the attributes and
/// regions of `op`, which is left for the caller to replace.
Operation* recreate(Rewriter& rewriter, Operation& op, std::span<const Value> operands,
                    std::span<const Type> resultTypes);

/// Replaces `op` by `other`, which has no result for those that `kept` is false for: they become
/// `others[i]`.
void replaceKept(Rewriter& rewriter, Operation& op, Operation& other, const std::vector<bool>& kept,
                 std::span<const Value> others);

}  // namespace airlite
