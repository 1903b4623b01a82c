// Giving the buffers of a level their memory: shared by the pass and by scripts of transform ops.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite::air {

/// Moves the buffers that `scope` (a function or a hierarchy op) allocates itself, not in a
/// hierarchy op inside of it, and that have no level nearer than L3 yet, to memory `space`. Views,
/// executes and arguments of hierarchy ops follow. A buffer whose type something else holds fast
/// stays, with a remark. True when something changed.
bool overrideMemorySpace(Operation& scope, int64_t space, PassContext& context);

}  // namespace airlite::air
