// GPUs and the host JIT; another source stands in for them in a build that has neither.
#pragma once

#include "Interrupts.hpp"
#include "airlite/host/HostValue.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/support/Artifact.hpp"
#include "airlite/support/Result.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace airlite::python {

struct GpuKinds {
  bool llvm = false, assembly = false, hsaco = true, manifest = true, program = false;
};

/// Devices that programs can be compiled for.
std::vector<std::string> gpuDevices();
/// Lowers `module` to kernels and compiles them. Errors without a message have been reported.
Result<std::vector<Artifact>> compileForGpuDevice(Operation& module, const std::string& target,
                                                  bool verifyProgram, const GpuKinds& kinds);

struct HostOutcome {
  std::vector<HostValue> results;
  std::shared_ptr<void> memory;  ///< what buffers among the results point into
  uint64_t launches = 0, workgroups = 0, threads = 0, leakedBuffers = 0;
  double seconds = 0;
};

/// A program that was compiled for this processor. It needs no context any more.
class HostRunner {
 public:
  virtual ~HostRunner() = default;
  virtual Result<HostOutcome> run(const std::string& function, std::span<const HostValue> values,
                                  unsigned threads) const = 0;
};
Result<std::unique_ptr<HostRunner>> compileForHost(Operation& module);

}  // namespace airlite::python
