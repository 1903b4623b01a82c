// What is said of GPUs with and without their backend.
#pragma once

#include "CompileRequest.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace airlite::tools {

/// Wrong usage: options that only an NPU has.
std::optional<int> refuseNpuOptions(const CLI::App& app, const CompileRequest& o);

/// The AMD GPUs that the kernel driver shows below `root`, by their architecture.
std::string gpuLines(const std::string& root);

}  // namespace airlite::tools
