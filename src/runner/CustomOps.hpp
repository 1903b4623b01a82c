// Ops that stand for a user's own kernel (air.custom) become calls, which the unfolding knows. Private to
// runner/.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string_view>

namespace airlite::runner {

/// Of a call that was an air.custom: its symbol, a symbol reference.
inline constexpr std::string_view kCustomSymbol = "airlite.custom";

/// False after errors: an op without a symbol, or with tokens of its own.
bool callCustomOps(Operation& module);

}  // namespace airlite::runner
