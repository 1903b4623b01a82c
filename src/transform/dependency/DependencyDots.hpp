// The graph files of the dependency passes.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string>

namespace airlite {

/// Writes `host.dot`, a file per level and `combined.dot` for the functions of `module` that have a
/// body into `folder` ("": the current one), which is made when it is missing; with several
/// functions into a folder for each, by its name. A failure has been reported.
LogicalResult writeDependencyDots(Operation& module, const std::string& folder, bool perCore);

}  // namespace airlite
