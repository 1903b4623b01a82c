// Program order in which every channel is filled before it is emptied.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

/// Moves the ops of `launch`, of its segments and of loops there, not those of herds, so that what puts into a channel
/// stands before what gets from it, wherever values, memory and the order of the transfers of each channel leave
/// that open. Loops that put and get are divided first (`dividesLoops`), where parts of their bodies have nothing else to do with each
/// other. Tokens are gone. A block that has no such order stays as it is.
void putsBeforeGets(Operation& launch, bool dividesLoops);

}  // namespace airlite::air
