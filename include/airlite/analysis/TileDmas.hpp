// How many DMA channels of one direction the tiles of an NPU need for what is streamed through
// them.
//
// A place of a circuit-switched channel is a route of its own: its end at a tile has a DMA channel
// there for as long as the array is configured so, whether transfers are under way or not. Places
// of packet-switched channels, and air.dma_memcpy_nd, may share one.
//
//   std::vector<DmaDemand> demands = findDmaDemands(module);
//   if (failed(checkDmaDemands(demands, limits))) return failure();
#pragma once

#include "airlite/analysis/DeviceLimits.hpp"
#include "airlite/ir/Operation.hpp"

#include <vector>

namespace airlite::analysis {

/// What the ends at one site need, in one direction.
struct DmaDemand {
  /// The herd of a core; the launch (or herd, segment without one) of memory tiles and shims.
  Operation* level = nullptr;
  DmaSite site = DmaSite::Core;
  bool isIn = false;  // data comes into the memory of the site
  /// That many for certain: what cannot be told (places that are not constant) is one at least.
  int64_t needed = 0;
  bool isExact = true;
  /// The transfers, with the number of places that each adds.
  struct Part {
    Operation* op = nullptr;
    int64_t places = 0;
  };
  std::vector<Part> parts;
  std::vector<int64_t> core;  // of those of a herd, the one that needs most
};

/// Of all herds and launches in `root`, those that need any.
std::vector<DmaDemand> findDmaDemands(Operation& root);

/// Reports an error for each demand above the limit of `device`.
LogicalResult checkDmaDemands(const std::vector<DmaDemand>& demands, const DeviceLimits& device);
/// As far as it is known.
bool fits(const DmaDemand& demand, const DeviceLimits& device);

}  // namespace airlite::analysis
