// Programs as kernels, for code objects and for this processor.
#pragma once

#include "../Passes.hpp"

namespace airlite::tools {

/// Lanes of a wave that a module in kernel form is made for.
unsigned waveSizeOf(Operation& module);

/// An exit code; kSuccess when the module is in kernel form now. `verifyProgram`: programs that hang
/// or race are refused first. The passes of the user's come before all others.
int lowerToKernels(Operation& module, const Driver& driver, bool verifyProgram = false);

}  // namespace airlite::tools
