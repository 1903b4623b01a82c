// GPUs and the host JIT. They are a library of their own (python/gpu), which is loaded when it is first
// asked for: LLVM alone takes longer to load than the rest of the package.
#pragma once

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

/// What the library does.
class GpuSupport {
 public:
  virtual ~GpuSupport() = default;
  /// Devices that programs can be compiled for.
  virtual std::vector<std::string> devices() const = 0;
  /// Lowers `module` to kernels and compiles them. Errors without a message have been reported.
  virtual Result<std::vector<Artifact>> compile(Operation& module, const std::string& target,
                                                bool verifyProgram,
                                                const GpuKinds& kinds) const = 0;
  /// The same for this processor.
  virtual Result<std::unique_ptr<HostRunner>> compileForHost(Operation& module) const = 0;
};

/// An error where this build has no such library, or where it cannot be loaded.
Result<const GpuSupport*> gpuSupport();

/// The library's file, beside that of the extension module, and its function of type GpuSupportEntry.
inline constexpr const char* kGpuLibrary = "libairlite_python_gpu.so";
inline constexpr const char* kGpuSupportEntry = "airlite_gpu_support";
using GpuSupportEntry = const GpuSupport*();

}  // namespace airlite::python
