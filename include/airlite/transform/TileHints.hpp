// What an op says itself about its tiles: discardable attributes that air-tile-linalg reads and
// removes. An option of the pass bounds the herd and overrides the tile.
//
//   linalg.exp {air.herd = array<i64: 4, 4>, air.l1_tile = array<i64: 1, 2048>} ins(..) outs(..)
//   linalg.matmul {air.plans_tried = 1 : index} ins(..) outs(..)
#pragma once

#include <array>
#include <string_view>

namespace airlite::tiling {

/// Cores along the last two parallel loops.
inline constexpr std::string_view kHerdHint = "air.herd";
/// Elements per loop that a core computes at a time.
inline constexpr std::string_view kTileHint = "air.l1_tile";
/// Of a product of matrices: how many of its cheapest plans the array has no room for. The next one, which has another
/// herd or keeps other things in L2, is taken; when there is none, tiles are the greatest divisors.
inline constexpr std::string_view kPlansTried = "air.plans_tried";
/// Of a product of matrices: how many ops after it are computed with it, at most. With 0 none before it either.
inline constexpr std::string_view kFollowersHint = "air.followers";
/// All of them.
inline constexpr std::array kTileHints = {kHerdHint, kTileHint, kPlansTried, kFollowersHint};

}  // namespace airlite::tiling
