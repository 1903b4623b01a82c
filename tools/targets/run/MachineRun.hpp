// Programs on a machine that a file describes: how long they would take.
#pragma once

#include "../RunRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

/// For --on=model with --machine. An exit code.
int runOnMachineFile(const CLI::App& app, const RunRequest& request);

}  // namespace airlite::tools
