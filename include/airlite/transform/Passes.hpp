// Registration of the passes of the core.
//
//   PassRegistry registry;
//   registerAllPasses(registry);  // then parsePipeline and runPipeline of pass/Pipeline.hpp
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite {

void registerAllPasses(PassRegistry& registry);

}  // namespace airlite
