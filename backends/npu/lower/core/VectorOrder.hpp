// The order of the loops of a structured op: a parallel loop along which elements lie side by side
// goes innermost, so that vectors can take it. Loops over sums keep their order, and with it each
// result its bits; several of their rounds follow each other in the body, so that sums stay in registers meanwhile.
#pragma once

#include "ViewPlace.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/transform/LinalgToLoops.hpp"

#include <vector>

namespace airlite::npu {

class VectorOrder {
 public:
  linalg::LoopNest of(linalg::StructuredOp op);

 private:
  /// No result lies where an operand is read, or another result.
  bool areApart(linalg::StructuredOp op);

  Places places_;
};

}  // namespace airlite::npu
