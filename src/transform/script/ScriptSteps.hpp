// Ops of transform scripts that work on several handles or give several: each is a function on the
// ops that its handles hold.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pass.hpp"

#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace airlite {

using PayloadOps = std::vector<Operation*>;

/// One op of a script while it runs.
struct ScriptStep {
  Operation& script;
  std::span<const PayloadOps> operands;   ///< a list for each operand
  std::vector<PayloadOps> results;        ///< a list for each result
  std::unordered_set<Operation*> erased;  ///< handles to these become stale
  PassContext& context;
};

/// A failure has been reported.
using ScriptStepFn = LogicalResult (*)(ScriptStep& step);

/// What an op of a script does, by its name; null when it is not one of these.
ScriptStepFn findScriptStep(std::string_view name);

}  // namespace airlite
