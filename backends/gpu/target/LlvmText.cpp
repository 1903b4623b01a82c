#include "airlite/gpu/target/LlvmText.hpp"

#include "Codegen.hpp"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace airlite::gpu {
namespace {

Error parseError(const llvm::SMDiagnostic& diagnostic) {
  return {"<llvm ir>:" + std::to_string(diagnostic.getLineNo()) + ":" +
          std::to_string(diagnostic.getColumnNo() + 1) + ": " + diagnostic.getMessage().str()};
}

}  // namespace

Result<std::unique_ptr<llvm::Module>> parseLlvmText(std::string_view text,
                                                    llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString({text.data(), text.size()}, diagnostic, context);
  if (!module) return parseError(diagnostic);
  if (auto valid = verifyIr(*module); !valid) return valid.error();
  return module;
}

std::string printLlvmText(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

}  // namespace airlite::gpu
