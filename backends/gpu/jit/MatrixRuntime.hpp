// What the matrix instructions compute, for the host twin: all lanes of a wave at once.
#pragma once

#include "airlite/device/GpuMatrix.hpp"

#include <span>

namespace airlite::gpu {

/// The fragments of one lane; `sum` becomes the result.
struct MatrixOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* sum = nullptr;
};

/// sum += a * b of the wave whose lanes these are. Integers wrap. Products of floats are added in
/// the order of k, each with one rounding (an fma in the type of the sum; a product of two f16 or
/// bf16 is exact in f32). AMD's documents leave the order and the roundings inside of an instruction
/// open: a device may differ by the bound of docs/gpu.md. Subnormal factors and sums are kept.
void multiplyWave(const amdgpu::MatrixInstruction& instruction,
                  std::span<const MatrixOperands> lanes);

}  // namespace airlite::gpu
