// The three LLVM pipelines, shared by the device target and the host twin so that the pass
// builder's headers are compiled once.
#pragma once

#include "airlite/support/Result.hpp"

#include <string>
#include <string_view>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace airlite::gpu {

enum class CodeFile { Object, Assembly };

/// LLVM's verifier; the error text is its report.
Result<void> verifyIr(const llvm::Module& module);

/// The O3 pipeline as `machine` extends it.
Result<void> runO3(llvm::TargetMachine& machine, llvm::Module& module);

/// Inlines every call of a function marked alwaysinline, without any other change.
Result<void> runAlwaysInline(llvm::Module& module);

/// Machine code of the module. Consumes the module's IR.
Result<std::string> emitCode(llvm::TargetMachine& machine, llvm::Module& module, CodeFile kind);

}  // namespace airlite::gpu
