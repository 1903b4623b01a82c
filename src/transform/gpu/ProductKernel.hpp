// Writes the launch that computes a product of matrices.
#pragma once

#include "ProductPlan.hpp"

namespace airlite::gpu {

/// Puts an air.launch in front of `op`, which computes what it does; `op` stays. `startsAtZero`: C
/// holds zeros, or is not written yet and stands for them.
void createProductLaunch(linalg::StructuredOp op, const ProductShape& shape,
                         const ProductPlan& plan, bool startsAtZero);

}  // namespace airlite::gpu
