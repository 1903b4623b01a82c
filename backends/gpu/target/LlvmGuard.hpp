// Keeps the library's promise never to print, abort or exit, although LLVM does all three.
#pragma once

#include "airlite/support/Result.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace llvm {
class LLVMContext;
}  // namespace llvm

namespace airlite::gpu {

/// Runs `work`; a report_fatal_error, exit() or crash signal inside it becomes an error text. What
/// `work` had allocated by then leaks (LLVM's recovery is a longjmp). One call at a time in the
/// whole process, since LLVM's fatal error handler is a global.
Result<void> recoverFatal(llvm::function_ref<void()> work);

/// recoverFatal, and the error diagnostics that `work` sends to `context` become the error text as
/// well (without a handler LLVM prints them and exits).
Result<void> runLlvm(llvm::LLVMContext& context, llvm::function_ref<void()> work);

}  // namespace airlite::gpu
