// Ops again with one token more: what passes share that write tokens into a program.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <span>

namespace airlite::air {

/// `op` again with a token as result number `at` and more operands at the end, its regions moved
/// over. `op` is erased.
Operation* withToken(Operation& op, unsigned at, Type tokenType,
                     std::span<const Value> moreOperands = {});
/// An air.wait_all before `before` that fires after `tokens`.
Value joinTokens(Operation& before, std::span<const Value> tokens, Type tokenType);
/// Every branch of a conditional that yields something must be there.
void addMissingBranches(Operation& conditional);
/// At the end of the operands.
void addOperand(Operation& op, Value value);

}  // namespace airlite::air
