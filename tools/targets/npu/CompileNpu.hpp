// airlite-compile for an NPU: programs, or designs of its tiles, become the files that a driver
// loads.
#pragma once

#include "../CompileRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

/// Returns the exit code of the tool.
int compileForNpu(const CLI::App& app, const CompileRequest& request);

}  // namespace airlite::tools
