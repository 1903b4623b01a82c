// Writes the launch that computes a product of matrices.
#pragma once

#include "ProductPlan.hpp"

namespace airlite::gpu {

/// What stands around a product and becomes a part of its kernel.
struct ProductContext {
  bool startsAtZero = false;  ///< C holds zeros, or is not written yet and stands for them
  linalg::StructuredOp makers[2] = {linalg::StructuredOp(nullptr),
                                    linalg::StructuredOp(nullptr)};  ///< of A and B, or null
  std::vector<linalg::StructuredOp> followers;  ///< elementwise ops on C (Followers.hpp)
};

/// Puts an air.launch in front of `op`, or of the last op that follows, which computes what they do; they stay.
void createProductLaunch(linalg::StructuredOp op, const ProductShape& shape,
                         const ProductPlan& plan, const ProductContext& context);

}  // namespace airlite::gpu
