#include "Kernels.hpp"

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Func.hpp"
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

static bool isLoop(const Operation& op) {
  return op.is("scf.parallel") || op.is("scf.forall") || op.is("scf.for") ||
         op.is("affine.parallel") || op.is("affine.for");
}

static bool makesTensor(const Operation& op) {
  return std::ranges::any_of(op.resultValues(),
                             [](Value value) { return value.type().isa<RankedTensorType>(); });
}

bool needsRecipe(Operation& module) {
  bool isDivided = false, hasOps = false;
  module.walk([&](Operation& op) {
    isDivided = isDivided || op.hasTrait(Trait::Hierarchy) || op.is("gpu.module");
    hasOps = hasOps || op.def().dialect == "linalg" || isLoop(op) || makesTensor(op);
  });
  return hasOps && !isDivided;
}

/// With waves of another size the program would mean something else.
static bool dependsOnWaves(Operation& module) {
  bool found = gpu::tellsLanesApart(module);
  module.walk([&](Operation& op) { found = found || gpu::knowsWave(op); });
  return found;
}

/// Tells the passes for whose instructions a program with launches is, and gives it waves as the device multiplies
/// matrices with, where it says nothing of them.
static void nameDevice(Operation& module, std::string_view name) {
  const amdgpu::GpuDevice* device = amdgpu::findGpuDevice(name);
  if (!device || module.hasAttr(gpu::kDeviceAttr)) return;
  Context& context = module.context();
  module.setAttr(gpu::kDeviceAttr, StringAttr::get(context, device->name));
  if (module.hasAttr(gpu::kWaveSizeAttr) || dependsOnWaves(module)) return;
  module.setAttr(gpu::kWaveSizeAttr, IntegerAttr::get(IntegerType::get(context, 64), device->wave));
}

static bool hasSeveralFunctions(Operation& module) {
  int count = 0;
  module.walk([&](Operation& op) {
    const auto function = dynCast<func::FuncOp>(&op);
    if (function && !function.isDeclaration()) ++count;
  });
  return count > 1;
}

int lowerToKernels(Operation& module, const Driver& driver, const KernelOptions& options) {
  const std::string& first = driver.frontend.pipeline;
  std::string passes = first.empty() ? "" : first + ",";
  const bool isDivided = !needsRecipe(module);
  if (isDivided) nameDevice(module, options.device);
  const bool hasRecipe = first.empty() && !options.device.empty() && !isDivided;
  if (hasRecipe && options.leavesOut && hasSeveralFunctions(module))
    passes += "inline,air-bufferize-linalg{drop=true},";
  if (options.verifyProgram) passes += "air-verify-program,";
  if (hasRecipe)
    passes += "air-gpu{device=" + options.device + (options.exact ? " exact=true" : "") + "},";
  return runPassText(module, driver, passes + gpu::gpuPipelineText(options.exact));
}

}  // namespace airlite::tools
