// Where a tool is, see the header.
#include "ToolPath.hpp"

#include <filesystem>
#include <string>
#include <system_error>

namespace airlite::tools {

std::string toolPath(std::string_view tool) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return std::string(tool);
  const std::filesystem::path beside = self.parent_path() / tool;
  return std::filesystem::exists(beside, error) ? beside.string() : std::string(tool);
}

}  // namespace airlite::tools
