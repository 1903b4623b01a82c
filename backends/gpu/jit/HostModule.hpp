// The host twin of an amdgcn module, as IR: same arithmetic, flat pointers, one function per kernel
// that runs one work-item.
#pragma once

#include "airlite/gpu/jit/HostJit.hpp"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace airlite::gpu {

struct HostModule {
  std::unique_ptr<llvm::Module> module;
  std::vector<HostKernel> kernels;
  std::vector<std::string> barrierSites;  ///< what each barrier is called in messages, by number
};

/// Bytes from one argument to the next in the host's argument segment.
std::uint32_t kernargStride(std::uint32_t size);

/// The symbol of a kernel's ItemEntry.
std::string entrySymbol(const std::string& kernel);

/// Copies and retargets `module`; it is not optimised yet.
Result<HostModule> makeHostModule(const llvm::Module& module, const HostJitOptions& options,
                                  const llvm::TargetMachine& host);

}  // namespace airlite::gpu
