// What stands between a program as written and what the emitter takes: no linalg, affine, scf.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::gpu {

/// A copy of the module that `op` is in (or is), with all loops of functions and kernels as blocks
/// and branches. Null after a failure, which has been reported.
OwningOp lowerForEmission(Operation& op);

/// Direct members of `module` called `name`, such as "gpu.module".
std::vector<Operation*> membersOf(Operation& module, std::string_view name);

}  // namespace airlite::gpu
