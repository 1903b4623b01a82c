// Programs as kernels, for code objects and for this processor.
#pragma once

#include "../Passes.hpp"

#include <string>

namespace airlite::tools {

/// Lanes of a wave that a module in kernel form is made for.
unsigned waveSizeOf(Operation& module);

/// Whether the program has linalg ops, tensors or parallel loops, and no launch, segment, herd or kernel:
/// nobody has divided it up for a device yet.
bool needsRecipe(Operation& module);

struct KernelOptions {
  bool verifyProgram = false;  ///< programs that hang or race are refused first
  bool exact = false;          ///< floats have the bits of the program
  std::string device;          ///< for programs without launches: whose kernels are made of them
  /// Of several functions, those that stay on tensors are left out with a warning; one alone is an error.
  bool leavesOut = false;
};

/// An exit code; kSuccess when the module is in kernel form now. The passes of the user's come before
/// all others. Without them, a program of linalg ops that has no launch goes through the recipe air-gpu
/// first, where `options` names a device.
int lowerToKernels(Operation& module, const Driver& driver, const KernelOptions& options);

}  // namespace airlite::tools
