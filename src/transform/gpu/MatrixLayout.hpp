// How the operands of a product with several loops of rows, columns or sums lie when they are seen as matrices.
#pragma once

#include "ProductPlan.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace airlite::gpu {

/// The loops of a product by the operands that they index.
struct ProductLoops {
  enum Kind : unsigned { Batch, Rows, Columns, Sums };
  std::array<std::vector<unsigned>, 4> of;
  std::vector<int64_t> sizes;

  int64_t count(Kind kind) const;
  Kind kindOf(unsigned loop) const;
};

/// Of a multiply-add. None: some loop is none of these, a size is not known, or an operand is indexed otherwise than
/// by loops.
std::optional<ProductLoops> productLoops(linalg::StructuredOp op);

/// The loops of a multiply-add that makeMatrices can make a product of; none: it cannot.
std::optional<ProductLoops> loopsOfMatrices(linalg::StructuredOp op,
                                            const amdgpu::GpuDevice& device,
                                            const ProductWishes& wishes, bool exact);

/// Of an operand as a batch of matrices.
struct MatrixLayout {
  std::array<ProductLoops::Kind, 2> kinds;  ///< of its last two dimensions
  std::vector<int64_t>
      order;  ///< for each loop in the order of the matrices, the dimension of the operand
  std::vector<int64_t> sizes;    ///< of these loops
  memref::Reassociation groups;  ///< which of them are one dimension
  bool isView = false;           ///< the operand lies so
};

/// Of operand number `operand`, of this type and indexed by `map`. The kind of its last dimension stays last.
MatrixLayout layoutOfMatrices(const ProductLoops& loops, unsigned operand, AffineMap map,
                              MemRefType type);

}  // namespace airlite::gpu
