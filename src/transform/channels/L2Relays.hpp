// Copies to and from L3 in parts, without a buffer of L2 that has all of them at once.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

/// Leaves out buffers of L2 that only copies use, one of which is between all of the buffer and L3, and the others between
/// parts of it and other memory: what fills it part by part goes to L3 directly, and so does what it hands out in parts, each element once.
///
///   copy b[0..31] from x;  copy b[32..63] from y;  copy c from b   ->   copy c[0..31] from x;  copy c[32..63] from y
///   copy b from c;  copy x from b[0..31];  copy y from b[32..63]   ->   copy x from c[0..31];  copy y from c[32..63]
///
/// In program order, without tokens. Nothing between these copies may have to do with what is in L3.
void skipRelays(Operation& launch);

}  // namespace airlite::air
