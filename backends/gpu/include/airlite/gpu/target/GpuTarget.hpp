// One AMD GPU as LLVM's code generator sees it: cpu, wave size, and how a module becomes machine
// code. Facts: docs/facts/toolchain_facts.md (LLVM 19, amdgcn-amd-amdhsa).
//
//   Result<GpuTarget> target = GpuTarget::create({.cpu = "gfx942"});
//   target->prepare(module);  // then optimize() and emit*()
#pragma once

#include "airlite/support/Result.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace airlite::gpu {

/// Raw file contents (an ELF object, a hsaco).
using Bytes = std::vector<std::uint8_t>;

/// What to generate code for.
struct GpuTargetOptions {
  std::string cpu = "gfx942";
  /// Lanes per wave: 64 everywhere, 32 only from gfx10 on; 0 means 64.
  unsigned waveSize = 64;
  /// 500 is what ROCm 6 and 7 take, 400 is for ROCm 5.2, 600 is the newest LLVM 19 writes.
  unsigned codeObjectVersion = 500;
};

/// A checked cpu plus the LLVM TargetMachine for it. Use from one thread at a time.
class GpuTarget {
 public:
  /// Fails on a cpu LLVM 19 does not know (with the nearest names: LLVM itself would silently
  /// compile for gfx700), on a wave size the cpu lacks, and on an unknown code object version.
  static Result<GpuTarget> create(const GpuTargetOptions& options);

  /// The cpus that airlite tests: gfx90a, gfx942, gfx1100, gfx1201. Others are accepted when LLVM
  /// knows them.
  static std::span<const std::string_view> supportedCpus();

  GpuTarget(GpuTarget&&) noexcept;
  GpuTarget& operator=(GpuTarget&&) noexcept;
  ~GpuTarget();

  const std::string& cpu() const { return options_.cpu; }
  unsigned waveSize() const { return options_.waveSize; }
  const GpuTargetOptions& options() const { return options_; }
  static std::string_view triple() { return "amdgcn-amd-amdhsa"; }
  /// LLVM's data layout text for this target; it changes between LLVM majors, so never spell it
  /// out.
  std::string dataLayout() const;

  /// Gives a freshly built module triple, data layout, code object version and per-function
  /// target-cpu and target-features. Idempotent. compile() calls it; call it yourself before
  /// optimize() and emit*().
  void prepare(llvm::Module& module) const;

  /// The verifier plus checkKernels(): everything that can be refused before LLVM gets to crash on
  /// it.
  Result<void> check(const llvm::Module& module) const;

  /// LLVM's O3 pipeline with this target's passes (AMDGPUAttributor, address space inference).
  Result<void> optimize(llvm::Module& module) const;

  /// Machine code of an optimised module as a relocatable ELF object. Consumes the module's IR.
  Result<Bytes> emitObject(llvm::Module& module) const;

  /// The same as assembly text. Consumes the module's IR.
  Result<std::string> emitAssembly(llvm::Module& module) const;

  /// prepare, check, optimize, emitObject. Consumes the module's IR: clone it first when it is
  /// needed again.
  Result<Bytes> compile(llvm::Module& module) const;

 private:
  GpuTarget(GpuTargetOptions options, std::unique_ptr<llvm::TargetMachine> machine);

  GpuTargetOptions options_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace airlite::gpu
