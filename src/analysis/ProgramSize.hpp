// How large an unfolding becomes at least.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>

namespace airlite::analysis {

/// Points that the transfers of `function` take for sure when it is unfolded: each run of a copy, put
/// or get in loops and levels whose sizes are constants. What stands in conditionals and in loops of
/// open length counts nothing. Saturates.
uint64_t leastPoints(Operation& function);

}  // namespace airlite::analysis
