#include "Kernels.hpp"

#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
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

static bool makesTensor(const Operation& op) {
  return std::ranges::any_of(op.resultValues(),
                             [](Value value) { return value.type().isa<RankedTensorType>(); });
}

bool needsRecipe(Operation& module) {
  bool isDivided = false, hasOps = false;
  module.walk([&](Operation& op) {
    isDivided = isDivided || op.hasTrait(Trait::Hierarchy) || op.is("gpu.module");
    hasOps = hasOps || op.def().dialect == "linalg" || op.is("scf.parallel") ||
             op.is("scf.forall") || makesTensor(op);
  });
  return hasOps && !isDivided;
}

int lowerToKernels(Operation& module, const Driver& driver, const KernelOptions& options) {
  const std::string& first = driver.frontend.pipeline;
  std::string passes = first.empty() ? "" : first + ",";
  if (options.verifyProgram) passes += "air-verify-program,";
  if (first.empty() && !options.device.empty() && needsRecipe(module))
    passes += "air-gpu{device=" + options.device + (options.exact ? " exact=true" : "") + "},";
  return runPassText(module, driver, passes + gpu::gpuPipelineText(options.exact));
}

}  // namespace airlite::tools
