// One result of an indexing map of a structured op as a sum over its loops.
//
//   std::optional<LoopIndex> index = readLoopIndex(map.result(0), map.numDims());
//   if (index && index->isLoop(1)) visit(index->extent(tile));
#pragma once

#include "airlite/ir/Affine.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace airlite::analysis {

/// constant + sum of factors * loop variable.
struct LoopIndex {
  int64_t constant = 0;
  std::vector<int64_t> factors;  // one per loop

  bool operator==(const LoopIndex&) const = default;
  bool uses(unsigned loop) const { return factors[loop] != 0; }
  /// It is the variable of this loop and nothing else.
  bool isLoop(unsigned loop) const;
  /// The loop whose variable it is; none: it is constant or something else.
  std::optional<unsigned> onlyLoop() const;
  /// How many places it takes while each loop runs over `tile` values; factors must not be negative.
  int64_t extent(std::span<const int64_t> tile) const;
};

/// None: not a sum of constants and constant multiples of loop variables.
std::optional<LoopIndex> readLoopIndex(AffineExpr expr, unsigned numLoops);

/// The loop that runs along a dimension from its end on, as in `63 - d1` with 64 iterations of d1.
std::optional<unsigned> readBackwardsLoop(AffineExpr expr, std::span<const int64_t> sizes);

}  // namespace airlite::analysis
