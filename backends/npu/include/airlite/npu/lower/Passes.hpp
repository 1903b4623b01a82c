// The passes that lower AIR programs to the tiles of an NPU.
//
//   PassRegistry registry;
//   npu::registerNpuPasses(registry);  // air-to-aie, air-to-std, airrt-to-npu, those of cores,
//                                     // aie-verify-progress
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite::npu {

void registerNpuPasses(PassRegistry& registry);

// Passes of other files; each is registered at the end of its file.
void registerObjectFifos(PassRegistry& registry);
void registerSendInParts(PassRegistry& registry);
void registerAirToStd(PassRegistry& registry);
void registerAirrtToLlvm(PassRegistry& registry);
void registerMergeUnrolledDevices(PassRegistry& registry);
void registerAirrtToNpu(PassRegistry& registry);
void registerVerifyProgress(PassRegistry& registry);

}  // namespace airlite::npu
