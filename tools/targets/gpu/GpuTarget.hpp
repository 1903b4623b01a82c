// AMD GPUs, and the processor of this machine, which runs their kernels too. In a build without the
// GPU backend it has no devices, and says so to who asks for one (no_gpu/).
#pragma once

#include "../Target.hpp"

namespace airlite::tools {

const Target& gpuTarget();

}  // namespace airlite::tools
