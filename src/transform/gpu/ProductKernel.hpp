// Writes the launch that computes a product of matrices.
#pragma once

#include "ProductPlan.hpp"

namespace airlite::gpu {

/// What stands around a product and becomes a part of its kernel.
struct ProductContext {
  bool startsAtZero = false;  ///< C holds zeros, or is not written yet and stands for them
  /// Null, or the op that follows: it computes its result from each element of C, and C is not needed
  /// any more when it is not that result.
  linalg::StructuredOp epilogue{nullptr};
};

/// Whether `op` can be the epilogue of the product `product`, apart from who else needs C: elementwise
/// on matrices, its inputs of the shape of C, of the shape of a row of it, or numbers.
bool canFollowProduct(linalg::StructuredOp op, linalg::StructuredOp product,
                      const ProductShape& shape);

/// Puts an air.launch in front of `op`, or of its epilogue, which computes what they do; they stay.
void createProductLaunch(linalg::StructuredOp op, const ProductShape& shape,
                         const ProductPlan& plan, const ProductContext& context);

}  // namespace airlite::gpu
