// Kernels of elementwise ops that bring memory into another order of its dimensions, by boxes that go through LDS.
#pragma once

#include "GpuModule.hpp"

#include <optional>

namespace airlite::gpu {

/// A box of an op's loops that a workgroup copies, and how many elements a work-item accesses at once.
struct BoxPlan {
  std::vector<int64_t> sizes;  ///< for each loop, a divisor of its size
  int64_t readWidth = 1, writeWidth = 1;
  int64_t bytes = 0;  ///< of the narrower access, 16 at most
};

/// For elementwise ops with one operand in memory, on buffers of known sizes without gaps, which is indexed by all loops in
/// another order than the result: tiles of linalg.pack, transposes of any number of dimensions. None for other ops.
std::optional<BoxPlan> planBoxes(linalg::StructuredOp op, const amdgpu::GpuDevice& device);

/// Puts an air.launch in front of `op`, which computes what it does; `op` stays.
void createBoxLaunch(linalg::StructuredOp op, const BoxPlan& plan, const amdgpu::GpuDevice& device);

}  // namespace airlite::gpu
