// Result types from the definition of an op. Used by the builder; the parser and the verifier may
// ask it too. Private to the library.
#pragma once

#include "airlite/ir/Context.hpp"

namespace airlite::detail {

/// True when the definition says enough for `inferResultTypes` to try.
bool canInferResultTypes(const OpDef& def);

/// Fills `state.resultTypes` from the op's own hook or, without one, from type rules, same-type
/// lists, traits and constraints with only one type. Failure without a diagnostic when the
/// definition does not say all of them; a hook that fails reports why.
LogicalResult inferResultTypes(Context& context, OperationState& state);

}  // namespace airlite::detail
