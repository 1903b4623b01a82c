#include "LdsUse.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace airlite::gpu {
namespace {

using Functions = llvm::SmallPtrSet<const llvm::Function*, 8>;

void addReachable(const llvm::Function& function, Functions& reached) {
  if (!reached.insert(&function).second) return;
  for (const auto& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const auto* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration()) addReachable(*callee, reached);
  }
}

/// Whether an instruction of one of the functions uses `value`, directly or through constants.
bool isUsedIn(const llvm::Value& value, const Functions& functions) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return functions.contains(instruction->getFunction());
    return llvm::isa<llvm::Constant>(user) && isUsedIn(*user, functions);
  });
}

}  // namespace

LdsLayout layoutLds(const llvm::Function& kernel) {
  constexpr unsigned ldsAddressSpace = 3;
  Functions functions;
  addReachable(kernel, functions);
  LdsLayout layout;
  const auto& sizes = kernel.getParent()->getDataLayout();
  for (const auto& variable : kernel.getParent()->globals()) {
    if (variable.getAddressSpace() != ldsAddressSpace || !isUsedIn(variable, functions)) continue;
    const auto align = std::max(sizes.getPreferredAlign(&variable), llvm::Align(4));
    const auto offset = llvm::alignTo(layout.bytes, align);
    layout.offsets.emplace_back(const_cast<llvm::GlobalVariable*>(&variable), offset);
    layout.bytes = offset + sizes.getTypeAllocSize(variable.getValueType());
  }
  return layout;
}

}  // namespace airlite::gpu
