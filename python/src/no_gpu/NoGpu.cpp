// Stands in for the GPU backend in a build without it.
#include "../Gpu.hpp"

namespace airlite::python {

namespace {
const Error kNoGpu{"this build has no GPU backend, only NPUs and on='interp', 'sim' and 'xrt'"};
}  // namespace

std::vector<std::string> gpuDevices() { return {}; }

Result<std::vector<Artifact>> compileForGpuDevice(Operation&, const std::string&, bool,
                                                  const GpuKinds&) {
  return kNoGpu;
}

Result<std::unique_ptr<HostRunner>> compileForHost(Operation&) { return kNoGpu; }

}  // namespace airlite::python
