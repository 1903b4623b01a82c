// LLVM IR as text, for dumps, golden files and tests.
//
//   auto module = parseLlvmText("define void @f() { ret void }", context);
//   std::string text = printLlvmText(**module);
#pragma once

#include "airlite/support/Result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace airlite::gpu {

/// Parses textual LLVM IR and verifies it; the error text carries line and column.
Result<std::unique_ptr<llvm::Module>> parseLlvmText(std::string_view text,
                                                    llvm::LLVMContext& context);

/// The module as textual LLVM IR.
std::string printLlvmText(const llvm::Module& module);

}  // namespace airlite::gpu
