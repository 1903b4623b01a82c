// Reductions over a herd: each core adds its part to what its neighbour sends along a cascade.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite {

/// Reports the first reason why the reduction of `loop` (an scf.parallel with results) cannot
/// become a pipeline.
LogicalResult checkReduction(Operation& loop);

/// `herd` has taken over the body of `loop`, which passed checkReduction; its first id is the loop
/// variable. Adds the pipeline at the end of the body: the last core combines its part with the
/// initial value and sends it to its lower neighbour over a new cascade channel, each core between
/// receives, combines and sends, core 0 receives, combines and does what the program does with the
/// result. Users of the initial value are copied into each stage, users of the result move into the
/// last one.
void reduceToCascade(air::HerdOp herd, scf::ParallelOp loop);

}  // namespace airlite
