// The order of the loops of a structured op: a parallel loop along which elements lie side by side
// goes innermost, so that vectors can take it. Loops over sums keep their order, and with it each
// result its bits.
#pragma once

#include "ViewPlace.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <vector>

namespace airlite::npu {

class VectorOrder {
 public:
  /// The loops of `op` from the outermost on; empty: as they are.
  std::vector<unsigned> of(linalg::StructuredOp op);

 private:
  /// No result lies where an operand is read, or another result.
  bool areApart(linalg::StructuredOp op);

  Places places_;
};

}  // namespace airlite::npu
