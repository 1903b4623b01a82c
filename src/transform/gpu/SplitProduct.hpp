// Splits the sums of a product that has too few results for the device.
#pragma once

#include "ProductPlan.hpp"

namespace airlite::gpu {

/// Where the workgroups of a product with known sizes leave most compute units without work and its sums are
/// long: the op becomes a batch of products of parts of the sums, and an elementwise op that adds their results.
/// Returns how many parts there are then; 1: nothing changed.
int64_t splitProduct(linalg::StructuredOp op, Operation* zeroFill, const ProductShape& shape,
                     const ProductPlan& plan, const amdgpu::GpuDevice& device);

}  // namespace airlite::gpu
