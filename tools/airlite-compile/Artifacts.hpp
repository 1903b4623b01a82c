// The files that airlite-compile writes: all of them, or none.
#pragma once

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

struct Artifact {
  std::string name;  // of the file, without a folder
  std::string bytes;
};

/// The files of a compilation, in the order of their names.
std::vector<Artifact> artifactsOf(const gpu::CompiledKernels& compiled, const std::string& target,
                                  const std::string& source, const EmitKinds& kinds);

/// Kernels with their arguments, sizes and resources as JSON.
std::string manifestText(const gpu::CompiledKernels& compiled, const std::string& target,
                         const std::string& source);

/// Writes all files into `folder`, which is made when it is not there. They are written elsewhere
/// first and then renamed, so that a failure leaves the folder as it was.
bool writeArtifacts(const std::string& folder, const std::vector<Artifact>& artifacts,
                    std::string& error);

}  // namespace airlite::tools
