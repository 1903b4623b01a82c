// Programs in kernel form: on this machine's processor, or on a GPU by HIP.
#pragma once

#include "../RunRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

/// For --on=host and --on=hip. An exit code.
int runCompiled(const CLI::App& app, const RunRequest& request);

}  // namespace airlite::tools
