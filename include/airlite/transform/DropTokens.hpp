// Removes asynchronous tokens: what is left runs in program order.
//
//   bool changed = false;
//   if (failed(dropTokens(module, changed))) return failure();
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/LogicalResult.hpp"

namespace airlite::air {

/// Erases every token inside `root`, with the operands, results, arguments and ops that only carry
/// tokens; the bodies of air.execute move to where it stood. An order that tokens state is never
/// against the program order, so nothing has to move. `changed` says whether there was anything.
LogicalResult dropTokens(Operation& root, bool& changed);

}  // namespace airlite::air
