#include "airlite/gpu/target/KernelCheck.hpp"

#include "LdsUse.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace airlite::gpu {
namespace {

/// Functions that llc 19.1.7 refused on all four cpus: a library would have to supply them.
bool needsLibrary(llvm::StringRef function) {
  static const llvm::StringSet<> names = {"tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"};
  return names.contains(function);
}

/// Functions that it selects for f16, bf16 and f32 but not for f64.
bool needsLibraryForF64(llvm::StringRef function) {
  static const llvm::StringSet<> names = {"exp",   "exp2", "exp10", "log", "log2",
                                          "log10", "sin",  "cos",   "pow", "powi"};
  return names.contains(function);
}

std::optional<FloatKind> floatKind(const llvm::Type& type) {
  if (type.isHalfTy()) return FloatKind::F16;
  if (type.isBFloatTy()) return FloatKind::BF16;
  if (type.isFloatTy()) return FloatKind::F32;
  if (type.isDoubleTy()) return FloatKind::F64;
  return std::nullopt;
}

std::string_view kindName(FloatKind kind) {
  constexpr std::string_view names[] = {"f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(kind)];
}

std::string where(const llvm::Instruction& instruction) {
  return " (in '" + instruction.getFunction()->getName().str() + "')";
}

Result<void> checkIntrinsic(const llvm::CallBase& call, llvm::StringRef name) {
  const auto kind = floatKind(*call.getType()->getScalarType());
  name.consume_front("llvm.");
  if (!kind || isMathSupported({name.data(), name.size()}, *kind)) return {};
  return Error{"llvm." + name.str() + " of " + std::string(kindName(*kind)) +
               " has no lowering on amdgcn; expand it first" + where(call)};
}

Result<void> checkCall(const llvm::CallBase& call) {
  const auto* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return {};
  if (callee->isIntrinsic())
    return checkIntrinsic(call, llvm::Intrinsic::getBaseName(callee->getIntrinsicID()));
  return Error{"call of '" + callee->getName().str() + "', which the module does not define" +
               where(call)};
}

Result<void> checkLdsVariable(const llvm::GlobalVariable& variable) {
  const auto name = "LDS variable '" + variable.getName().str() + "'";
  if (!variable.hasInitializer())
    return Error{name + " is external; give it a size and internal linkage"};
  if (!llvm::isa<llvm::UndefValue>(variable.getInitializer()))
    return Error{name + " is initialised; LDS has no initial contents, use poison"};
  return {};
}

Result<void> checkLdsSize(const llvm::Function& kernel) {
  const auto bytes = layoutLds(kernel).bytes;
  if (bytes <= amdgpu::kMaxLdsBytes) return {};
  return Error{"kernel '" + kernel.getName().str() + "' needs " + std::to_string(bytes) +
               " bytes of LDS; a workgroup has " + std::to_string(amdgpu::kMaxLdsBytes)};
}

Result<void> checkFunction(const llvm::Function& function) {
  for (const auto& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) continue;
    if (auto checked = checkCall(*call); !checked) return checked;
  }
  if (function.getCallingConv() != llvm::CallingConv::AMDGPU_KERNEL) return {};
  return checkLdsSize(function);
}

}  // namespace

bool isMathSupported(std::string_view function, FloatKind type) {
  const llvm::StringRef name(function.data(), function.size());
  if (needsLibrary(name)) return false;
  return type != FloatKind::F64 || !needsLibraryForF64(name);
}

Result<void> checkKernels(const llvm::Module& module) {
  for (const auto& variable : module.globals()) {
    if (variable.getAddressSpace() != 3) continue;
    if (auto checked = checkLdsVariable(variable); !checked) return checked;
  }
  for (const auto& function : module)
    if (auto checked = checkFunction(function); !checked) return checked;
  return {};
}

}  // namespace airlite::gpu
