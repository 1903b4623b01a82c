// Replaces what is AMDGPU-specific in one function by what the host twin offers.
#pragma once

#include "airlite/support/Result.hpp"

#include <string>
#include <vector>

namespace llvm {
class Function;
}  // namespace llvm

namespace airlite::gpu {

/// Stands for "LDS start + n bytes" between the LDS variables and the rewrite: ptr addrspace(3)
/// (i32 n).
inline constexpr const char* ldsPlaceholder = "airlite.lds";

/// Rewrites `function`, whose first argument is the ItemContext and whose pointers are all flat:
/// ids and lane masks become loads from the context, barriers become calls (each adds its
/// description to `barrierSites`), workgroup fences go away, f16 fma is computed without double
/// rounding, maximum and minimum of f16 by their bits. Fails on every other AMDGPU intrinsic and on inline assembly, by name.
Result<void> rewriteForHost(llvm::Function& function, unsigned waveSize,
                            std::vector<std::string>& barrierSites);

}  // namespace airlite::gpu
