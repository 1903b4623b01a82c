// The files that airlite-compile writes: all of them, or none.
#pragma once

#include "airlite/support/Artifact.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <vector>

namespace airlite::tools {

/// Writes all files into `folder`, which is made when it is not there. They are written elsewhere
/// first and then renamed, so that a failure leaves the folder as it was.
Result<void> writeArtifacts(const std::string& folder, const std::vector<Artifact>& artifacts);

}  // namespace airlite::tools
