// Where the tool is that another tool starts.
#pragma once

#include <string>
#include <string_view>

namespace airlite::tools {

/// Path of the program `tool` ("airlite-opt") beside this program, wherever that was called from;
/// where there is none, the name itself, which execvp looks up in the PATH.
std::string toolPath(std::string_view tool);

}  // namespace airlite::tools
