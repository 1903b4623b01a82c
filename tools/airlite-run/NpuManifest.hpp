// manifest.json of a design for an NPU, as airlite-compile writes it: which files it is made of, and
// the arguments that its host passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct NpuArgument {
  std::string name;
  std::string elementType;  ///< "i32", "bf16"
  std::vector<int64_t> shape;
};

struct NpuManifest {
  std::string device;        ///< "npu1"
  std::string xclbin;        ///< files beside the manifest
  std::string instructions;
  std::string locations;     ///< empty: none
  std::vector<NpuArgument> arguments;  ///< in the order in which the kernel takes them
};

/// True when the text says that it is such a manifest, right or wrong.
bool isNpuManifest(std::string_view text);
/// Empty with a reason that names the entry: unknown ones are wrong, too.
std::optional<NpuManifest> readNpuManifest(std::string_view text, std::string& error);

}  // namespace airlite::tools
