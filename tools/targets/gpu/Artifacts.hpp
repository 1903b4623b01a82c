// The files that airlite-compile writes for a GPU.
#pragma once

#include "../../common/WriteFiles.hpp"
#include "airlite/gpu/emit/Compile.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

/// What `--emit` can name.
struct EmitKinds {
  bool llvm = false;
  bool assembly = false;
  bool hsaco = true;
  bool manifest = true;
};

/// The files of a compilation, in the order of their names.
std::vector<Artifact> artifactsOf(const gpu::CompiledKernels& compiled, const std::string& target,
                                  const std::string& source, const EmitKinds& kinds);

/// Kernels with their arguments, sizes and resources as JSON.
std::string manifestText(const gpu::CompiledKernels& compiled, const std::string& target,
                         const std::string& source);

}  // namespace airlite::tools
