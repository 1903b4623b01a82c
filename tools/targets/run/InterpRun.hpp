// Programs in the reference interpreter, at any stage of lowering.
#pragma once

#include "../RunRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

/// Runs the program of the request, and checks the results. An exit code.
int runInInterpreter(const CLI::App& app, const RunRequest& request);

}  // namespace airlite::tools
