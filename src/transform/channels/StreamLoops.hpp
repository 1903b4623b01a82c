// Loops around the two ends of a channel become one loop.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

/// Lets loops of a process of `launch` and of its herds that send each other data through channels run round by round: a herd that
/// is one loop with ops before and after it becomes three herds, of which the second one stands in the loop. L1 memory that
/// they share moves out of the herd, where each core has it as well. So what lies in memory is what one round sends, not all of it.
///
///   for k { put(k) }  herd { a; for k { get(k); b }; c }   ->   herd { a }  for k { put(k); herd { get(k); b } }  herd { c }
///
/// Loops stay apart whose rounds meet in memory, run a different number of times, or hand on values. In program order, without tokens.
void fuseStreams(Operation& launch);

}  // namespace airlite::air
