// From AIR programs to what stands on the tiles of an NPU: the passes.
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite::npu {

void registerNpuPasses(PassRegistry& registry);

}  // namespace airlite::npu
