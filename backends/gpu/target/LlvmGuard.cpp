#include "LlvmGuard.hpp"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>

#include <mutex>

namespace airlite::gpu {
namespace {

std::mutex& llvmMutex() {
  static std::mutex mutex;
  return mutex;
}

/// Called by report_fatal_error instead of printing; jumps back into recoverFatal.
void onFatalError(void* text, const char* reason, bool) {
  *static_cast<std::string*>(text) = reason;
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(1);
}

/// Signal and fatal error handlers in place for the length of one call.
class RecoveryScope {
 public:
  explicit RecoveryScope(std::string& fatalText) {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(onFatalError, &fatalText);
  }
  ~RecoveryScope() {
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }
  RecoveryScope(const RecoveryScope&) = delete;
  RecoveryScope& operator=(const RecoveryScope&) = delete;
};

void collectError(const llvm::DiagnosticInfo* info, void* text) {
  if (info->getSeverity() != llvm::DS_Error) return;
  std::string line;
  llvm::raw_string_ostream stream(line);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  auto& errors = *static_cast<std::string*>(text);
  errors += errors.empty() ? line : "; " + line;
}

/// Diagnostics of one context go to a string; the previous handler comes back afterwards.
class DiagnosticScope {
 public:
  DiagnosticScope(llvm::LLVMContext& context, std::string& errors)
      : context_(context),
        handler_(context.getDiagnosticHandlerCallBack()),
        handlerData_(context.getDiagnosticContext()) {
    context.setDiagnosticHandlerCallBack(collectError, &errors);
  }
  ~DiagnosticScope() { context_.setDiagnosticHandlerCallBack(handler_, handlerData_); }
  DiagnosticScope(const DiagnosticScope&) = delete;
  DiagnosticScope& operator=(const DiagnosticScope&) = delete;

 private:
  llvm::LLVMContext& context_;
  llvm::DiagnosticHandler::DiagnosticHandlerTy handler_;
  void* handlerData_;
};

}  // namespace

Result<void> recoverFatal(llvm::function_ref<void()> work) {
  const std::lock_guard lock(llvmMutex());
  std::string fatalText;
  const RecoveryScope scope(fatalText);
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely(work)) return {};
  return Error{fatalText.empty() ? "LLVM crashed (code " + std::to_string(recovery.RetCode) + ")"
                                 : "LLVM gave up: " + fatalText};
}

Result<void> runLlvm(llvm::LLVMContext& context, llvm::function_ref<void()> work) {
  std::string errors;
  const DiagnosticScope scope(context, errors);
  auto done = recoverFatal(work);
  if (done && errors.empty()) return {};
  if (errors.empty()) return done;
  return Error{done ? errors : errors + "; " + done.error().message};
}

}  // namespace airlite::gpu
