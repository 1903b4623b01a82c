#include "GpuModule.hpp"

#include "airlite/dialect/Gpu.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

namespace airlite::gpu {

namespace {

/// The device called `name`; null after an error at `module`.
const amdgpu::GpuDevice* deviceOf(Operation& module, std::string_view name) {
  const amdgpu::GpuDevice* device = amdgpu::findGpuDevice(name);
  if (device) return device;
  auto error = module.emitError();
  error << "no kernels are planned for the device '" << name << "'; known:";
  for (const amdgpu::GpuDevice& known : amdgpu::kGpuDevices)
    error << " " << known.name;
  return nullptr;
}

/// Says in `module` that its herds are for `device`.
void markDevice(Operation& module, const amdgpu::GpuDevice& device) {
  Context& context = module.context();
  module.setAttr(kDeviceAttr, StringAttr::get(context, device.name));
  module.setAttr(kWaveSizeAttr, IntegerAttr::get(IntegerType::get(context, 64), device.wave));
}

}  // namespace

bool isInHierarchy(Operation& op) {
  return air::isInHierarchy(op) || op.parentOfName("gpu.module");
}

std::vector<linalg::StructuredOp> hostOps(Operation& module) {
  std::vector<linalg::StructuredOp> ops;
  module.walk([&](Operation& op) {
    auto structured = linalg::asStructured(&op);
    if (structured && structured.onBuffers() && !op.numResults() && !isInHierarchy(op))
      ops.push_back(structured);
  });
  return ops;
}

LaunchPass::LaunchPass(std::string_view name, std::string_view summary) : Pass(name, summary) {
  anchor("builtin.module");
  option("device", device_, "the GPU: gfx90a, gfx942, gfx1100 or gfx1201");
}

PassResult LaunchPass::run(Operation& module, PassContext& context) {
  const amdgpu::GpuDevice* device = deviceOf(module, device_);
  if (!device) return PassResult::Failed;
  const bool changed = makeLaunches(module, *device, context);
  if (changed) markDevice(module, *device);
  return changedIf(changed);
}

}  // namespace airlite::gpu
