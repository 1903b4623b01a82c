// Checks that a program is well formed: each op against its definition and its own verifier,
// symbols, terminators, dominance, isolation.
//
//   if (failed(verify(*module))) return 1;  // the errors have been reported
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite {

/// Verifies `op` and everything inside; reports every error it finds (up to 100 per run).
LogicalResult verify(Operation& op);

/// Only the shape of one op (operand, result, attribute, region counts and constraints), without
/// what is nested in it.
LogicalResult verifyOpShape(Operation& op);

}  // namespace airlite
