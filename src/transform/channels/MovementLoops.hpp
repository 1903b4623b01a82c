// Unrolling loops that only move data: what the passes share that make transfers for buffer
// descriptors.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string_view>
#include <vector>

namespace airlite::air {

/// Empty when `loop` was replaced by a copy of its body for each iteration, else why not.
///
/// scf.parallel: what is inside is asynchronous (one blocking copy after the other is another order
/// than all at once) and no launch, segment or herd, the bounds are constant. The copies start after the tokens that the loop
/// starts with. With `mayBlock` the body may also block: its iterations do not wait for each other, or do so in their order.
std::string_view unrollParallel(Operation& loop, bool mayBlock = false);

/// scf.for or affine.for with nothing but channel ops, joins and calculations, a constant trip
/// count, and one buffer where several tokens are carried. Where all copies would be the same transfer, the
/// loop stays when they would be as many as a channel has locks: what comes after gives each copy a
/// lock of its own.
std::string_view unrollMovement(Operation& loop);

/// Whether `op` is a loop that unrollMovement looks at: it holds channel ops, joins and
/// calculations only.
bool isMovementLoop(Operation& op);

}  // namespace airlite::air
