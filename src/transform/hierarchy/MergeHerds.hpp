// Herds of one name become one.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite::air {

/// Two asynchronous herds of a block that have one name and the same sizes run on the same cores:
/// they become one herd, whose cores do the work of the first and then that of the second. Where
/// the second waited for the first, its work waits on each core for that of the first; cores no
/// longer wait for each other, so what they touch must be apart. Says in remarks where it declines.
bool mergeHerds(Block& block, PassContext& context);

}  // namespace airlite::air
