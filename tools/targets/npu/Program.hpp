// Programs for an NPU as the drivers compile them.
#pragma once

#include "../Passes.hpp"
#include "airlite/npu/compile/Compile.hpp"

namespace airlite::tools {

/// Passes in place of the recipe, which are checked as the recipe is. False after an error.
bool readRecipe(Operation& module, const std::string& text, const npu::CompileOptions& options,
                Pipeline& recipe);

/// npu::compileForNpu with what the user of the driver asks for: passes in place of the recipe, and
/// what is printed, timed and checked. An exit code; errors have been reported.
int compileForNpu(Operation& module, const Driver& driver, npu::CompileOptions options,
                  Stopwatch& watch, npu::CompiledDesigns& result);

}  // namespace airlite::tools
