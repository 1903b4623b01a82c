// Tokens when an op is moved or goes away: what passes share that take ops out of loops.
#pragma once

#include "airlite/dialect/Scf.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <vector>

namespace airlite::air {

void addOnce(std::vector<Value>& values, Value value);
/// Defined in a region of `op`.
bool isInside(Value value, Operation& op);
/// Of an asynchronous op; null for others.
Value tokenOf(Operation& op);

/// What waits for `token` (of the users that are meant) waits for `tokens`.
void replaceWaits(Value token, const std::vector<Value>& tokens,
                  FunctionRef<bool(Operation&)> isMeant);
/// Tokens from outside of `loop` for which `tokens` wait in the first iteration.
std::vector<Value> outsideOf(const std::vector<Value>& tokens, scf::ForOp loop);

}  // namespace airlite::air
