// What LLVM 19's AMDGPU code generator cannot do, refused by name before it is asked to.
//
//   if (Result<void> checked = checkKernels(module); !checked) return checked.error();
#pragma once

#include "airlite/support/Result.hpp"

#include <cstdint>
#include <string_view>

namespace llvm {
class Module;
}  // namespace llvm

namespace airlite::gpu {

/// Scalar types that math functions are asked for.
enum class FloatKind { F16, BF16, F32, F64 };

/// Whether `llvm.<function>` of this type can be selected for amdgcn without a math library.
/// `function` is the intrinsic's name without "llvm." and type suffix, such as "exp", "sqrt" or
/// "maximum". Found by compiling each for gfx90a, gfx942, gfx1100 and gfx1201 with LLVM 19.1.7.
bool isMathSupported(std::string_view function, FloatKind type);

/// Refuses kernels that would make LLVM stop or silently miscompile: math without a lowering, LDS
/// above amdgpu::kMaxLdsBytes per kernel, initialised or external LDS, calls of undefined functions.
Result<void> checkKernels(const llvm::Module& module);

}  // namespace airlite::gpu
