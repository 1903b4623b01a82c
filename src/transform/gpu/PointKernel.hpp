// Writes launches of ops that are computed element by element.
#pragma once

#include "GpuModule.hpp"

#include <span>

namespace airlite::gpu {

/// Whether `op` computes each element of its results from those at the same place of its inputs,
/// all of them in rows without gaps: then vectors of whole waves do it.
bool isFlat(linalg::StructuredOp op);

/// Puts an air.launch in front of `op`, which computes what it does; `op` stays. Flat ops: each
/// lane has 16 bytes of the widest element. Others: a work-item for each point of the parallel
/// loops, which runs the others in their order. `starts`: what all elements of each output are before; null: what
/// is in memory.
void createFlatLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device);
void createPointLaunch(linalg::StructuredOp op, const amdgpu::GpuDevice& device,
                       std::span<const Value> starts);

}  // namespace airlite::gpu
