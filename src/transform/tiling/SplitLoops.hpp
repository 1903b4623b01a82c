// Ops whose loops have no good tiles, done in two parts. Private to transform/.
//
//   c[j] += a[i, j], j < 251   ->   c[j] += a[i, j], j < 192; c[192 + j] += a[i, 192 + j], j < 59
//
// Tiles divide their loops: those of a prime number of columns have one column each, and a launch of its own for each of these. The
// first part has a round number, the second one, which is short, is one tile or is split again.
#pragma once

#include "TilePlan.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <optional>
#include <vector>

namespace airlite::tiling {

/// Two ops in front of the original one, which stays.
struct SplitLoop {
  unsigned loop = 0;
  int64_t head = 0;
  std::vector<Operation*>
      ops;  // in the order of the program, each after the fill of what it writes
  std::vector<Operation*> views;  // of the operands

  void erase(Rewriter& rewriter) const;
};

/// The split that costs least, where that is far less than `plan` as it is; none where there is no such split. Sums of floats keep
/// their order unless `wishes` allows others. `fill`: of the output, right before the op, or null.
std::optional<SplitLoop> splitLoops(linalg::StructuredOp op, const TilePlan& plan, Operation* fill,
                                    const TileWishes& wishes, Rewriter& rewriter);

/// Of a product of matrices: so many of its columns that larger tiles divide them, and the rest, where both parts take less time than
/// `plan` by their estimates; none where there is no such split.
std::optional<SplitLoop> splitColumns(linalg::StructuredOp op, const TilePlan& plan,
                                      Operation* fill, const TileWishes& wishes,
                                      Rewriter& rewriter);

}  // namespace airlite::tiling
