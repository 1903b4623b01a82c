// Making ops wait for more.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

/// Lets an op with tokens start after `token`, first in its list: through the initial tokens of a
/// loop, in each branch of a conditional. Nothing in an inner loop may begin before those tokens.
void addWait(Operation& op, Value token);

}  // namespace airlite::air
