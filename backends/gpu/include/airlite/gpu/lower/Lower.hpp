// From AIR programs to GPU kernels, without LLVM: the passes and the pipeline that they make up.
//
//   registerGpuPasses(registry);
//   parsePipeline(context, registry, gpuPipelineText(), pipeline);  // leaves kernels of a module
#pragma once

#include "airlite/dialect/Gpu.hpp"
#include "airlite/pass/Pass.hpp"

#include <string>

namespace airlite::gpu {

inline constexpr int64_t kDefaultWaveSize = 64;

inline constexpr unsigned kMaxGridDims = 3;

void registerGpuPasses(PassRegistry& registry);

/// Passes that bring a module of AIR programs to kernels of scf, arith, memref and vector and host
/// functions that launch them: text for parsePipeline. `exact`: floats have the bits of the program,
/// products and sums are not fused.
std::string gpuPipelineText(bool exact = false);

}  // namespace airlite::gpu
