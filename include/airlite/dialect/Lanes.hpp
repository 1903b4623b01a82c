// Lanes of the cores of a GPU program: the work items of a wave.
//
//   int64_t runs = air::runsOncePerLane(herd) ? air::waveSizeOf(*herd.op()).value_or(64) : 1;
#pragma once

#include "airlite/dialect/Air.hpp"

#include <optional>

namespace airlite::air {

/// A core of the herd runs its body once for each of its lanes: something in it tells lanes apart,
/// or it works on memory next to the core that is there once for each lane, for such a herd.
bool runsOncePerLane(HerdOp herd);
/// Lanes of a core, where the program says so: module attribute airlite.wave_size.
std::optional<int64_t> waveSizeOf(Operation& op);

}  // namespace airlite::air
