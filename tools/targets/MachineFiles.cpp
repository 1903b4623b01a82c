#include "MachineFiles.hpp"

#include <algorithm>
#include <fstream>

namespace airlite::tools {

namespace fs = std::filesystem;

std::string lineOf(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
    line.pop_back();
  return line;
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

}  // namespace airlite::tools
