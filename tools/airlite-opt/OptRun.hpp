// One run of airlite-opt over its input.
#pragma once

#include "Options.hpp"

namespace airlite::tools {

/// Reads, runs passes, prints. An exit code.
int runOpt(const PassRegistry& registry, Options& options);

}  // namespace airlite::tools
