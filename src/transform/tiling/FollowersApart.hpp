// How many of the ops after a product of matrices are better computed with it. Private to transform/.
#pragma once

#include "TilePlan.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::tiling {

/// Each matrix that an op after a product reads besides the sums takes channels of every core, so that fewer cores have a part in
/// the product. Compares the plan with all ops (`wishes.mostFollowers`) and the plan with those in front of the first that reads a matrix
/// and a launch for the others. The program is as before afterwards.
size_t followersWorthwhile(linalg::StructuredOp product, Operation* fill, const TileWishes& wishes,
                           Rewriter& rewriter);

}  // namespace airlite::tiling
