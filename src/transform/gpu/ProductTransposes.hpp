// Transposes around products, which read and write memory in any order of its dimensions.
#pragma once

#include "ProductPlan.hpp"

namespace airlite::gpu {

/// A factor of a product that linalg.transpose has made (also of linalg.pack) is read where that reads it, and a
/// result that linalg.transpose brings elsewhere (linalg.unpack) is made there, where a fill has begun it and nobody
/// else needs it. Of batches of matrices, where rows, columns or sums stay the last dimension; of products with
/// several loops of each, where the operand can be seen as matrices then. Transposes whose result nobody reads any
/// more go. Returns whether something changed.
bool foldProductTransposes(Operation& module, const amdgpu::GpuDevice& device,
                           const ProductWishes& wishes, bool exact);

}  // namespace airlite::gpu
