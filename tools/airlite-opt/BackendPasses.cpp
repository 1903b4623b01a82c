// Passes of the backends that need no LLVM.
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

void registerBackendPasses(PassRegistry& registry) {
  gpu::registerGpuPasses(registry);
  npu::registerNpuPasses(registry);
}

}  // namespace airlite
