// From airlite's IR to LLVM IR. Who destroys what these functions return must include
// <llvm/IR/Module.h>.
//
//   llvm::LLVMContext context;
//   Result<std::vector<EmittedModule>> modules = emitKernels(program, context);
#pragma once

#include "airlite/gpu/emit/HostProgram.hpp"
#include "airlite/gpu/jit/HostJit.hpp"
#include "airlite/host/ArgLayout.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/support/Result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace airlite::gpu {

struct EmittedKernel {
  std::string name;
  std::optional<Dim3> block;  ///< known_block_size
  unsigned waveSize = 64;
  std::vector<ArgLayout> args;
  bool hasGridArg = false;  ///< three i32 follow the arguments: the grid's x, y and z
  /// Bits of amdgpu::Gpu: the devices that have all its matrix instructions and shuffles.
  unsigned devices = ~0u;
};

/// The kernels of one gpu.module, before any optimisation.
struct EmittedModule {
  std::string name;
  std::unique_ptr<llvm::Module> module;
  std::vector<EmittedKernel> kernels;
};

/// Emits `op` when it is a gpu.module, else every gpu.module directly in it. The program stays as
/// it is. Problems are reported as diagnostics at their op.
Result<std::vector<EmittedModule>> emitKernels(Operation& op, llvm::LLVMContext& context);

/// A gpu.launch_func of a host function: what its call of the launch hook names by number.
struct EmittedLaunch {
  std::string module;
  std::string kernel;
  std::vector<std::uint32_t> argBytes;  ///< of each pointer in the array of arguments
};

/// The host functions of a program, for this machine's C ABI. Each has an entry
/// `airlite_host.<name>(ptr run, ptr args, ptr results)` over slots of 8 bytes.
struct EmittedHost {
  std::unique_ptr<llvm::Module> module;
  std::vector<HostFunction> functions;
  std::vector<EmittedLaunch> launches;
};

Result<EmittedHost> emitHost(Operation& module, llvm::LLVMContext& context);

}  // namespace airlite::gpu
