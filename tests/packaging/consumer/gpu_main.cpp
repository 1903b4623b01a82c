// Uses airlite::gpu: links the code generator in and asks it something, so that a missing library
// shows at link time and a second LLVM in the process at run time.
#include <airlite/gpu/target/GpuTarget.hpp>

#include <iostream>

static bool isKnownCpu(const char* cpu) {
  airlite::gpu::GpuTargetOptions options;
  options.cpu = cpu;
  return static_cast<bool>(airlite::gpu::GpuTarget::create(options));
}

int main() { std::cout << isKnownCpu("gfx942") << isKnownCpu("gfx1") << "\n"; }
