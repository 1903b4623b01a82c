// What airlite-opt knows, as lists for people: passes, recipes, operations.
#pragma once

#include "airlite/pass/Pass.hpp"

#include <string>

namespace airlite::tools {

// Each prints to standard output and returns the exit code.
int listPasses(const PassRegistry& registry);
int listOps();
/// Of one pass or recipe, with its options.
int helpPass(const PassRegistry& registry, const std::string& name);

}  // namespace airlite::tools
