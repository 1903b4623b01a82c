// Reductions of other dimensions than the last ones, in parts that keep the device busy.
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite::gpu {

/// Puts ops in the place of the reduction `op`: one of parts, and those that reduce what it made. Where the last
/// dimensions are reduced among others, they are rows of their own; where the last ones stay, the results are so few
/// that a work-item for each leaves most of `device` idle. Erases `op` and returns true then.
bool splitPoints(linalg::StructuredOp op, const amdgpu::GpuDevice& device);

}  // namespace airlite::gpu
