// The nests of launches, cores and memory in which the rounds of a loop run. Private to transform/.
#pragma once

#include "RowShares.hpp"
#include "SharedLoop.hpp"

#include <cstdint>
#include <vector>

namespace airlite::tiling {

/// Rounds from `begin` on, as many as `shares` has in launches of `columns * cores * tile`.
struct SharedRounds {
  int64_t begin = 0, count = 0;
  RowShares shares;

  int64_t ofColumn() const { return count / shares.columns; }
  int64_t ofLaunch() const { return shares.cores * shares.tile; }
};

/// In front of a loop without affine ops in it, launches of cores that have these rounds of it.
void writeShares(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                 const SharedRounds& rounds);
/// The same by one core, in the order of the rounds, `tile` of them at a time: what they have in common stays in its memory.
void writeStream(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                 const SharedRounds& rounds);

}  // namespace airlite::tiling
