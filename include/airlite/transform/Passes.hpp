// Registration of the passes of the core.
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite {

void registerAllPasses(PassRegistry& registry);

}  // namespace airlite
