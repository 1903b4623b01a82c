// Runs a whole program on the CPU: host functions natively, every gpu.launch_func on the host twin
// of its kernel (see jit/HostJit.hpp).
//
//   auto program = gpu::HostProgram::create(*module);
//   if (!program) return fail(program.error().message);
//   const HostValue arguments[] = {HostValue::buffer(data.data(), {256})};
//   auto run = program->run("main", arguments);
#pragma once

#include "airlite/gpu/jit/HostJit.hpp"
#include "airlite/host/HostValue.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::gpu {

/// What one run did.
struct HostRun {
  std::vector<HostValue> results;  ///< buffers among them live as long as `memory`
  RunStats stats;                  ///< summed over the launches
  std::uint64_t launches = 0;
  std::uint64_t allocatedBytes = 0;  ///< by memref.alloc of host functions, in total
  std::uint64_t leakedBuffers = 0;   ///< allocated, not freed and not returned; freed now
  std::shared_ptr<void> memory;
};

struct HostProgramOptions {
  HostJitOptions jit;
  std::uint64_t maxAllocationBytes = std::uint64_t(8) << 30;  ///< live at one time, per run
};

/// A compiled program. It does not refer to the IR that it was made from. run() may be called from
/// several threads.
class HostProgram {
 public:
  /// Compiles every gpu.module of `module` and every func.func with a body that is not private or
  /// that one of these calls; `module` stays as it is. Problems of the program are reported as
  /// diagnostics at their op.
  static Result<HostProgram> create(Operation& module, const HostProgramOptions& options = {});

  HostProgram(HostProgram&&) noexcept;
  HostProgram& operator=(HostProgram&&) noexcept;
  ~HostProgram();

  std::span<const HostFunction> functions() const;
  /// Null when there is no such function.
  const HostFunction* find(std::string_view name) const;

  /// Calls `function`. Fails on an unknown name, on arguments that do not fit the parameters
  /// (count, kind, shape, strides), on a failed launch and on a failed allocation or a wrong free.
  /// `options` holds for every launch.
  Result<HostRun> run(std::string_view function, std::span<const HostValue> args,
                      const RunOptions& options = {}) const;

 private:
  struct Impl;
  explicit HostProgram(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace airlite::gpu
