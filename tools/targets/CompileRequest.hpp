// What the command line of airlite-compile asks for.
#pragma once

#include "../common/Frontend.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct CompileRequest {
  FrontendOptions frontend;
  std::string output;  ///< folder
  std::string target;
  std::vector<std::string> emit;  ///< empty: what the target has for users
  bool noVerifyProgram = false, exact = false, floatBlocks = false;
  unsigned codeObjectVersion = 500;  ///< of a GPU
  std::string report;  ///< "plan" or "resources" of an NPU, "kernel" of a GPU, or empty
  // Of an NPU:
  std::vector<std::string> objectFolders;  ///< for what cores link with
  std::string function;                    ///< empty: whatever there is
  std::string tuned;                       ///< file of a choice
  std::vector<std::string> numbers;        ///< "N=VALUE": arguments that become constants

  bool emits(std::string_view kind) const { return std::ranges::count(emit, kind) != 0; }
};

}  // namespace airlite::tools
