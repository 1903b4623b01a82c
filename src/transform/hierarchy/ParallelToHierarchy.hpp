// One parallel loop as a hierarchy op: what the passes do with the loops that they choose.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

enum class HierarchyLevel { Launch, Segment, Herd };

struct LoopConversion {
  HierarchyLevel level = HierarchyLevel::Herd;
  int64_t firstDim = 0;        // of herds: the dimension that takes the first one of the loop
  bool hasAirSegment = false;  // of launches: fill it with a segment
};

/// Null: an error has been reported. The loop is gone otherwise. Names are given to all ops of the
/// level in its module that have none.
air::HierarchyOp convertLoop(Operation& loop, const LoopConversion& how, PassContext& context);

}  // namespace airlite
