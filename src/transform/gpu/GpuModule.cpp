#include "GpuModule.hpp"

#include "airlite/dialect/Gpu.hpp"

namespace airlite::gpu {

const amdgpu::GpuDevice* deviceOf(Operation& module, std::string_view name) {
  const amdgpu::GpuDevice* device = amdgpu::findGpuDevice(name);
  if (device) return device;
  auto error = module.emitError();
  error << "no kernels are planned for the device '" << name << "'; known:";
  for (const amdgpu::GpuDevice& known : amdgpu::kGpuDevices)
    error << " " << known.name;
  return nullptr;
}

bool isInHierarchy(Operation& op) {
  for (Operation* up = op.parentOp(); up; up = up->parentOp())
    if (up->hasTrait(Trait::Hierarchy) || up->is("gpu.module")) return true;
  return false;
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

void markDevice(Operation& module, const amdgpu::GpuDevice& device) {
  Context& context = module.context();
  module.setAttr(kDeviceAttr, StringAttr::get(context, device.name));
  module.setAttr(kWaveSizeAttr, IntegerAttr::get(IntegerType::get(context, 64), device.wave));
}

}  // namespace airlite::gpu
