// Ops of a block that follow each other with nothing between them that does anything.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <span>
#include <vector>

namespace airlite {

/// Ops one after the other with nothing but pure ops between, from the first that `works` to the last.
std::vector<std::vector<Operation*>> opRuns(Block& block, FunctionRef<bool(Operation&)> works);

/// It is one of the ops of a run, or in one of them.
bool isInRun(const Operation& op, std::span<Operation* const> run);
/// Its op is, or the op whose region it is an argument of.
bool isInRun(Value value, std::span<Operation* const> run);

}  // namespace airlite
