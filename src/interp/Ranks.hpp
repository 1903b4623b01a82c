// Ranks and the symmetric heap: memory that every rank of an air.rank has at the same place.
#pragma once

#include "Access.hpp"

#include <map>
#include <utility>

namespace airlite::interp {

/// The instances of one air.rank.
struct RankSpace {
  uint32_t count = 0;
  /// An allocation is the n-th of its op on each rank; all ranks make it together.
  std::map<std::pair<const Operation*, uint32_t>, std::vector<std::shared_ptr<Memory>>> heap;
  std::map<std::pair<const Operation*, uint32_t>, uint32_t> made;  // by op and rank
};

/// The part of a symmetric allocation that belongs to the rank that runs; `fresh` where there are
/// no ranks.
std::shared_ptr<Memory> symmetricMemory(Run& run, const Inst& inst,
                                        const std::shared_ptr<Memory>& fresh);

}  // namespace airlite::interp
