// Products with several loops of rows, columns or sums, as products of matrices.
#pragma once

#include "ProductPlan.hpp"

namespace airlite::gpu {

/// A multiply-add that has several loops of rows, columns or sums (linalg.mmt4d, contractions) becomes one that has one of each. Operands
/// whose dimensions lie as those of matrices are seen as such; of others there are copies, made by linalg.transpose,
/// and the results are brought back in the same way. Declines where productObstacle finds a product already, where
/// sizes or elements are none of a matrix instruction, and where copies would cost more than a matrix instruction saves.
/// Erases `op` and returns true then.
bool makeMatrices(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                  const ProductWishes& wishes, bool exact);

}  // namespace airlite::gpu
