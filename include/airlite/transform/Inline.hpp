// Replaces a call by what the function does.
//
//   inlineCall(call, function);  // `function` is what `call` names
#pragma once

#include "airlite/dialect/Func.hpp"

namespace airlite {

/// Puts the body of `function` in the place of `call`, which goes. A body of several blocks becomes
/// an `scf.execute_region`, since it has no place between two ops of a block.
void inlineCall(func::CallOp call, func::FuncOp function);

}  // namespace airlite
