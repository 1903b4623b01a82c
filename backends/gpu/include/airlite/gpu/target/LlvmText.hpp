// LLVM IR as text, for dumps, golden files and tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "airlite/gpu/Expected.hpp"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace airlite::gpu {

/// Parses textual LLVM IR and verifies it; the error text carries line and column.
Expected<std::unique_ptr<llvm::Module>> parseLlvmText(std::string_view text,
                                                      llvm::LLVMContext& context);

/// The module as textual LLVM IR.
std::string printLlvmText(const llvm::Module& module);

}  // namespace airlite::gpu
