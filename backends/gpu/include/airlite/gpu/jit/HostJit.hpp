// Runs GPU kernels on the CPU: the host twin of the amdgcn module, one fiber per work-item. Facts:
// docs/facts/cpu_nvptx_host_facts.md.
//
//   Result<HostJit> jit = HostJit::create(module);
//   std::vector args = {KernelArg::of(a.data()), KernelArg::of(b.data())};
//   jit->run("add", {16, 1, 1}, {64, 1, 1}, args, {.order = RunOrder::Reverse});
#pragma once

#include "airlite/support/Result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace llvm {
class Module;
}  // namespace llvm

namespace airlite::gpu {

/// Sizes or indices in x, y, z.
using Dim3 = std::array<std::uint32_t, 3>;

/// One kernel argument as the bytes it has in the kernel's argument segment (8 for a pointer).
struct KernelArg {
  std::vector<std::byte> bytes;

  /// A pointer (to host memory) or a scalar, by value. The size must be that of the kernel's
  /// parameter.
  template <class T> static KernelArg of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    KernelArg arg{std::vector<std::byte>(sizeof(T))};
    std::memcpy(arg.bytes.data(), &value, sizeof(T));
    return arg;
  }
};

/// In which order work-items take their turns between barriers, and workgroups are started. A
/// program without races gives the same bits for all three.
enum class RunOrder { Forward, Reverse, Random };

struct HostJitOptions {
  unsigned waveSize = 64;                       ///< what mbcnt and wavefrontsize answer: 64 or 32
  std::uint32_t minStackBytes = 64 * 1024;      ///< per work-item; grows with the kernel's allocas
  std::uint32_t maxPrivateBytes = 1024 * 1024;  ///< more allocas per work-item are an error
};

struct RunOptions {
  RunOrder order = RunOrder::Forward;
  std::uint64_t seed = 0;  ///< for RunOrder::Random; with threads = 1 a seed repeats a run exactly
  unsigned threads = 0;    ///< OS threads that take workgroups; 0 = one per core
  /// Called after each finished workgroup with (finished, total), one call at a time, from any of
  /// the threads. Must not throw.
  std::function<void(std::uint64_t, std::uint64_t)> progress = {};
};

/// What a run did, for reports.
struct RunStats {
  std::uint64_t workgroups = 0;
  std::uint64_t barriers = 0;  ///< barriers completed, summed over workgroups
  unsigned threads = 0;        ///< OS threads used
  double seconds = 0;          ///< wall time of the run, without compilation
};

/// A parameter of a kernel, as run() wants its argument.
struct HostParam {
  std::string name;
  std::uint32_t size = 0;  ///< bytes
  bool isPointer = false;
};

/// What a compiled kernel needs. Sizes in bytes.
struct HostKernel {
  std::string name;
  std::uint32_t ldsBytes = 0;
  std::uint32_t privateBytes = 0;     ///< allocas per work-item, before optimisation
  std::uint32_t stackBytes = 0;       ///< of each work-item's fiber, without its guard page
  unsigned barrierSites = 0;          ///< barriers in the code; 0 means that no fibers are needed
  std::optional<Dim3> requiredBlock;  ///< !reqd_work_group_size, when the kernel has one
  std::vector<HostParam> params;
};

/// A module compiled for this machine. run() may be called from several threads.
class HostJit {
 public:
  /// Compiles a copy of the module that goes to amdgcn, taken before optimisation; `module` stays
  /// as it is. Fails on bad IR, on intrinsics the host twin does not have (by name), on LDS above
  /// amdgpu::kMaxLdsBytes and on too much private memory.
  static Result<HostJit> create(const llvm::Module& module, const HostJitOptions& options = {});

  HostJit(HostJit&&) noexcept;
  HostJit& operator=(HostJit&&) noexcept;
  ~HostJit();

  /// All kernels of the module, in module order.
  std::span<const HostKernel> kernels() const;
  /// Null when there is no such kernel.
  const HostKernel* find(std::string_view kernel) const;

  /// Runs grid[0]*grid[1]*grid[2] workgroups of block[0]*block[1]*block[2] work-items and returns
  /// when all have finished. LDS starts as NaN (0x7ffd in every 16 bits) in each workgroup, so that
  /// a read before the write shows. Fails on an unknown kernel, wrong argument count or size, an
  /// empty or too large (1024) block, barrier divergence (says which work-item of which workgroup)
  /// and writes past the end of LDS. Memory that arguments point to is not checked: an access
  /// outside it is the caller's crash, as in C.
  Result<RunStats> run(std::string_view kernel, Dim3 grid, Dim3 block,
                       std::span<const KernelArg> args, const RunOptions& options = {}) const;

 private:
  struct Impl;
  explicit HostJit(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace airlite::gpu
