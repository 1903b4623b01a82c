// The numbering of data movement, as a step of other passes.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

/// Gives the DMAs, puts and gets inside `scope` the `id`s 1, 2, ... in the order of the program.
void renumberMovement(Operation& scope);
/// Numbers DMAs, puts and gets; executes; hierarchy ops; joins: each kind from 1. Whether a number
/// changed.
bool renumberAll(Operation& scope);

}  // namespace airlite::air
