// Products of matrices that add to what their result holds, done in two ops: the product makes sums of its own, which are then added.
// Private to transform/.
//
//   C[i, j] += A[i, k] * B[k, j]   ->   T = 0; T[i, j] += A[i, k] * B[k, j]; C[i, j] = T[i, j] + C[i, j]
//
// Tiles of the first op may not overlap, since they would be added twice: where rows or columns have no divisor that fits the matrix
// unit (85 columns), one core computes all of it. Those of the second one may.
#pragma once

#include "TilePlan.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <optional>

namespace airlite::tiling {

/// The ops in front of the original one, which stays, in the order of the program.
struct SeparateSums {
  Operation* buffer = nullptr;
  Operation* fill = nullptr;
  linalg::StructuredOp product;
  Operation* addition = nullptr;
  Operation* free = nullptr;

  void erase(Rewriter& rewriter) const;
};

/// Sums of products of bf16 are f32, rounded once as they are added. None: the op is no such product, or it is one of floats that keep
/// the order of the program (`areExact`), or a factor may share memory with the result.
std::optional<SeparateSums> separateSums(linalg::StructuredOp op, bool areExact,
                                         Rewriter& rewriter);

/// Makes the product with sums of another type in `sums`, to which factors are extended; integers with their signs.
linalg::StructuredOp multiplyInto(Rewriter& rewriter, linalg::StructuredOp product, Value sums);

/// What a product that adds to its result costs, in cycles, roughly. `cyclesOfElement`: of an op that is none, of one round of all its loops.
int64_t costOfPlan(const TilePlan& plan, std::optional<int64_t> cyclesOfElement = {});
/// What adding costs beside the product, in cycles, roughly.
int64_t costOfAddition(const SeparateSums& made, const TileWishes& wishes);

}  // namespace airlite::tiling
