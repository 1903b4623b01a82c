// Uses airlite::gpu: links the code generator in and asks it something, so that a missing library
// shows at link time and a second LLVM in the process at run time.
// ADAPT: include and call to the public API of the GPU backend.
#include <airlite/gpu/Gpu.hpp>

#include <iostream>

int main() {
  std::cout << airlite::gpu::isKnownCpu("gfx942") << airlite::gpu::isKnownCpu("gfx1") << "\n";
}
