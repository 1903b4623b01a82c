// --report=kernel: what the objects say of their kernels, as text.
#pragma once

#include "airlite/gpu/emit/Compile.hpp"

#include <string>

namespace airlite::tools {

Result<std::string> kernelTable(const gpu::CompiledKernels& compiled, const std::string& target);

}  // namespace airlite::tools
