// Ops whose bodies may not fit into the program memory of one core (air-split-long-ops).
//
//   if (functionsIn(generic) > 12) options.push_back({"split", 12});
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>

namespace airlite {

/// Whether cores compute an op on floats by a routine or a long series of instructions: ops of math, quotients.
bool isLongFunction(const Operation& op);

/// How many of them the body of a linalg.generic has; 0 for other ops.
int64_t functionsIn(Operation& op);

}  // namespace airlite
