// What a launch of elementwise ops on matrices costs. Private to transform/.
#pragma once

#include "TilePlan.hpp"

namespace airlite::tiling {

struct ElementwiseLaunch {
  int64_t elements = 0;
  int64_t matrices = 0, rows = 0;               // that come in; rows are the same for all
  int64_t bytesIn = 0, bytesOut = 0, most = 0;  // of an element, and of the widest
  double cycles = 0;                            // of a core for an element
};

/// Cycles of the launch: its streams, the memory of the host, its cores, and starts of transfers.
int64_t cyclesOf(const ElementwiseLaunch& launch, const TileWishes& wishes);

}  // namespace airlite::tiling
