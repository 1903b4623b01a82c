// A file that a compilation makes, before it is written anywhere.
//
//   Artifact file{fileName("main", ".cdo"), bytes};
#pragma once

#include <string>
#include <string_view>

namespace airlite {

struct Artifact {
  std::string name;  ///< of the file, without a folder
  std::string bytes;
};

/// A name for what is called `symbol`: a quoted symbol may hold anything, a file name may not.
std::string fileName(std::string_view symbol, std::string_view ending);

}  // namespace airlite
