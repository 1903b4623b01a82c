// What the passes that write kernels share: which ops, and for which device.
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <string_view>
#include <vector>

namespace airlite::gpu {

/// The device called `name`; null after an error at `module`.
const amdgpu::GpuDevice* deviceOf(Operation& module, std::string_view name);

/// Whether a launch, a segment, a herd or a kernel is around `op`.
bool isInHierarchy(Operation& op);

/// Structured ops on buffers that the host runs, in program order.
std::vector<linalg::StructuredOp> hostOps(Operation& module);

/// Says in `module` that its herds are for `device`.
void markDevice(Operation& module, const amdgpu::GpuDevice& device);

}  // namespace airlite::gpu
