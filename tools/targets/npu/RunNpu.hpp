// airlite-run for an NPU: designs and programs, simulated or on the device of this machine.
#pragma once

#include "../RunRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

/// For --on=sim, --on=model and --on=xrt. An exit code.
int runOnNpu(const CLI::App& app, const RunRequest& request);

}  // namespace airlite::tools
