// Long rows, of which there are few, in parts that keep the device busy.
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite::gpu {

/// Puts two ops in the place of the reduction `op`, one of parts of its rows and one of what these made, where
/// rows are so few that a workgroup for each leaves most of `device` idle. Erases `op` and returns true then.
bool splitReduction(linalg::StructuredOp op, const amdgpu::GpuDevice& device);

}  // namespace airlite::gpu
