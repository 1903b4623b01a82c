// manifest.json of a design for an NPU, as airlite-compile writes it: which files it is made of,
// and the arguments that its host passes.
#pragma once

#include "airlite/support/Result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct NpuArgument {
  std::string name;
  std::string elementType;  ///< "i32", "bf16"
  std::vector<int64_t> shape;
  std::string contents;  ///< of a scratch buffer: the file that it begins with; empty: none
};

/// A step of the host: a design is loaded, and its stream runs.
struct NpuManifestRun {
  std::string xclbin;  ///< files beside the manifest
  std::string instructions;
  std::string locations;            ///< empty: none
  std::vector<unsigned> arguments;  ///< numbers of the arguments, then of the scratch buffers
};

struct NpuManifest {
  std::string device;                  ///< "npu1"
  std::vector<NpuArgument> arguments;  ///< of the program
  std::vector<NpuArgument> scratch;    ///< buffers between the runs and constants, without names
  std::vector<NpuManifestRun> runs;    ///< in their order; at least one
};

/// True when the text says that it is such a manifest, right or wrong.
bool isNpuManifest(std::string_view text);
/// The error names the entry: unknown ones are wrong, too.
Result<NpuManifest> readNpuManifest(std::string_view text);

}  // namespace airlite::tools
