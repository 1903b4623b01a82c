// The files that airlite-compile writes: all of them, or none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct Artifact {
  std::string name;  // of the file, without a folder
  std::string bytes;
};

/// A name for what is called `symbol`: a quoted symbol may hold anything, a file name may not.
std::string fileName(std::string_view symbol, std::string_view ending);

/// Writes all files into `folder`, which is made when it is not there. They are written elsewhere
/// first and then renamed, so that a failure leaves the folder as it was.
bool writeArtifacts(const std::string& folder, const std::vector<Artifact>& artifacts,
                    std::string& error);

}  // namespace airlite::tools
