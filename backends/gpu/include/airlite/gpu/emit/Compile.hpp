// From a module in kernel form to hsaco files and what a loader must know about them.
//
//   auto compiled = gpu::compileForGpu(*module, {.cpu = "gfx942"});
//   if (!compiled) return fail(compiled.error().message);
//   for (const gpu::CompiledModule& part : compiled->modules) load(part.hsaco);
#pragma once

#include "airlite/gpu/jit/HostJit.hpp"
#include "airlite/gpu/lower/LdsConflicts.hpp"
#include "airlite/gpu/object/Hsaco.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/host/ArgLayout.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/support/Result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::gpu {

/// One kernel of a compiled module.
struct CompiledKernel {
  std::string name;          ///< symbol in the hsaco; the descriptor is name + ".kd"
  Dim3 block = {1, 1, 1};    ///< work-items per workgroup; zeros when the kernel fixes none
  std::optional<Dim3> grid;  ///< workgroups, when all launches agree on constants
  unsigned waveSize = 64;
  std::vector<ArgLayout> args;  ///< slots carry offsets in the kernel argument segment
  /// Three more i32 arguments follow the others: the grid's x, y and z (the kernel asks for it).
  std::optional<ArgLayout> gridArg;
  std::vector<LdsLoop> lds;  ///< how its accesses use the banks of LDS (LdsConflicts.hpp)
};

/// One gpu.module. `info.find(kernel.name)` has registers, LDS and the argument segment.
struct CompiledModule {
  std::string name;
  std::string llvmText;  ///< LLVM IR before optimisation: what the host JIT runs as well
  std::string asmText;   ///< empty unless asked for
  Bytes hsaco;
  HsacoInfo info;
  std::vector<CompiledKernel> kernels;

  const CompiledKernel* find(std::string_view kernel) const;
};

struct CompiledKernels {
  std::vector<CompiledModule> modules;  ///< in program order
};

struct CompileOptions {
  bool assembly = false;  ///< also make asmText
};

/// Compiles every gpu.module of `module`, which stays as it is. Problems of the program are
/// reported as diagnostics at their op; the error text then only says in which module.
Result<CompiledKernels> compileForGpu(Operation& module, const GpuTargetOptions& target,
                                      const CompileOptions& options = {});

/// The LLVM IR of every gpu.module, in program order, prepared for no target in particular.
struct LlvmTextModule {
  std::string name;
  std::string text;
};
Result<std::vector<LlvmTextModule>> translateToLlvmText(Operation& module);

}  // namespace airlite::gpu
