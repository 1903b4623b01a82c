// Launches as the controller of an NPU runs them: what air-opt-shim-dma-bds does with them before
// it looks at transfers.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <span>
#include <string_view>

namespace airlite::air {

/// The instances of a launch become the iterations of loops in its body, one after the other; one
/// instance: no loop. Empty when that was done or there is nothing to do, else why not.
std::string_view launchToLoops(Operation& launch, bool& changed);

/// Cuts the nest at `loop` (an scf.for) into tiles of `sizes` iterations of the loop and of those in
/// which it holds nothing else, one copy of the loops for each tile. A size counts as the largest
/// divisor of the trip count that is not larger. Empty when that was done, else why not: tiles must
/// follow each other in the order of the iterations.
std::string_view tileLoop(Operation& loop, std::span<const int64_t> sizes);

/// `air.preserve_shim_dma_order` of a launch goes to its channel ops, but not to a put of L3 memory
/// that reaches no herd that gets from a broadcast: nothing else keeps in step with it. The ends of
/// all channels are looked for in `function`.
bool spreadOrderMarks(Operation& function);

}  // namespace airlite::air
