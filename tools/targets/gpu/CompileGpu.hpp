// airlite-compile for a GPU: programs become the code objects that a driver loads.
#pragma once

#include "../CompileRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

/// Returns the exit code of the tool.
int compileForGpu(const CLI::App& app, const CompileRequest& request);

}  // namespace airlite::tools
