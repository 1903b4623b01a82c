// Loops of loads and stores whose rounds the lanes of a wave share.
#pragma once

#include "Kernel.hpp"

namespace airlite::gpu {

/// Whether the rounds of `loop`, an scf.for, touch different elements of all that it writes, so that they may
/// run in any order and at once.
bool hasOwnRounds(const Kernel& kernel, Operation& loop);

/// Divides the rounds of `loop`, and of such loops that are all there is in it, among the lanes; the loops are gone
/// then.
void divideRounds(const Kernel& kernel, Operation& loop);

}  // namespace airlite::gpu
