// airlite-compile for an NPU: programs, or designs of its tiles, become the files that a driver
// loads.
#pragma once

#include "../CompileRequest.hpp"
#include "airlite/ir/Operation.hpp"

#include <string_view>

namespace CLI {
class App;
}

namespace airlite::tools {

/// Leaves of the module the function that is asked for, with its numbers as constants. False: said why
/// not, as `tool`.
bool chooseFunction(std::string_view tool, const CompileRequest& request, Operation& module);

/// Returns the exit code of the tool.
int compileForNpu(const CLI::App& app, const CompileRequest& request);

}  // namespace airlite::tools
