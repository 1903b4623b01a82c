// Products of matrices in LDS or other memory by all lanes of a wave.
#pragma once

#include "Kernel.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite::gpu {

/// Writes `op`, which stays, in front of it as vectors of a wave that become matrix instructions. False: nothing is
/// written, since the device has none for these elements and sizes, or sums of floats have to keep their order.
bool writeProduct(const Kernel& kernel, linalg::StructuredOp op);

}  // namespace airlite::gpu
