// Loops at the two ends of a channel get the same number of rounds.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

/// A loop of a process of `launch` or of its herds whose first or last rounds meet single transfers at the other end of a channel
/// has them before and after it then, so that `fuseStreams` can bring what is left together:
///
///   for k in 0..8 { put(k) }  herd { get; a; for k in 1..8 { get; b } }
///     ->   put(0)  for k in 1..8 { put(k) }  herd { get; a; for k in 1..8 { get; b } }
///
/// What goes before and after the rounds goes through channels of its own, which need a place for that only. In program order, without tokens.
void evenRounds(Operation& launch);

}  // namespace airlite::air
