// The files that airlite-compile writes: all of them, or none.
#pragma once

#include <string>
#include <vector>

namespace airlite::tools {

struct Artifact {
  std::string name;  // of the file, without a folder
  std::string bytes;
};

/// Writes all files into `folder`, which is made when it is not there. They are written elsewhere
/// first and then renamed, so that a failure leaves the folder as it was.
bool writeArtifacts(const std::string& folder, const std::vector<Artifact>& artifacts,
                    std::string& error);

}  // namespace airlite::tools
