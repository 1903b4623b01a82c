// airlite-compile for an NPU: programs, or designs of its tiles, become the files that a driver
// loads.
#pragma once

#include "../../common/Frontend.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace airlite::tools {

struct NpuOptions {
  const FrontendOptions& frontend;
  const std::string& target;                      ///< a device that is a target
  const std::string& output;                      ///< folder
  const std::vector<std::string>& emit;           ///< empty: the files that a run needs
  const std::string& report;                      ///< "resources" or empty
  const std::vector<std::string>& objectFolders;  ///< for what cores link with
  const std::string& function;                    ///< empty: whatever there is
  const std::vector<std::string>& numbers;        ///< "N=VALUE": arguments that become constants
  bool noVerifyProgram = false;
  bool exact = false;
};

/// Returns the exit code of the tool.
int compileForNpu(const CLI::App& app, const NpuOptions& options);

}  // namespace airlite::tools
