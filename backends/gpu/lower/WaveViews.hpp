// L1 buffers that only mirror a part of L2.
#pragma once

#include "Kernel.hpp"

namespace airlite::gpu {

/// In `herd`, which one lane of a wave would run, replaces L1 buffers by the part of L2 that they are copied from, where
/// nobody changes either before the buffer is done with, or the buffer is copied back to the same place and the herd does
/// nothing else with that L2 buffer. On a GPU both are LDS.
void useL2InPlace(Kernel& kernel, Operation& herd);

}  // namespace airlite::gpu
