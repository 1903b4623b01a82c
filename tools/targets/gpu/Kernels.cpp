#include "Kernels.hpp"

#include "airlite/gpu/lower/Lower.hpp"

#include <optional>

namespace airlite::tools {

unsigned waveSizeOf(Operation& module) {
  int64_t size = gpu::kDefaultWaveSize;
  module.walk([&](Operation& op) {
    if (!op.is("gpu.func")) return;
    if (std::optional<int64_t> stated = constantInt(op.attr(gpu::kWaveSizeAttr))) size = *stated;
  });
  return static_cast<unsigned>(size);
}

int lowerToKernels(Operation& module, const Driver& driver, bool verifyProgram) {
  const std::string& first = driver.frontend.pipeline;
  std::string passes = first.empty() ? "" : first + ",";
  if (verifyProgram) passes += "air-verify-program,";
  return runPassText(module, driver, passes + gpu::gpuPipelineText());
}

}  // namespace airlite::tools
