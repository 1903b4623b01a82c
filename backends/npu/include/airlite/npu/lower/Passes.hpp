// From AIR programs to what stands on the tiles of an NPU: the passes.
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite::npu {

void registerNpuPasses(PassRegistry& registry);

// Those of other files, each at its end.
void registerAirToStd(PassRegistry& registry);
void registerAirrtToNpu(PassRegistry& registry);

}  // namespace airlite::npu
