// Writes the files of a compilation.
#include "WriteFiles.hpp"

#include "Session.hpp"

#include <cctype>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace airlite::tools {

namespace fs = std::filesystem;

namespace {

/// Removes what a failed run leaves.
struct TemporaryFolder {
  fs::path path;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

std::string fileName(std::string_view symbol, std::string_view ending) {
  std::string name;
  for (unsigned char c : symbol)
    name += std::isalnum(c) || c == '_' || c == '-' || c == '.' ? static_cast<char>(c) : '_';
  if (name.starts_with('.')) name[0] = '_';
  return name + std::string(ending);
}

bool writeArtifacts(const std::string& folder, const std::vector<Artifact>& artifacts,
                    std::string& error) {
  fs::path target = fs::path(folder).lexically_normal();
  if (target.filename().empty()) target = target.parent_path();
  TemporaryFolder temporary{target.string() + ".tmp" + std::to_string(getpid())};
  auto failed = [&](const std::error_code& code) {
    if (code) error = "cannot write to '" + folder + "': " + code.message();
    return static_cast<bool>(code);
  };
  std::error_code code;
  fs::create_directories(temporary.path, code);
  if (failed(code)) return false;
  for (const Artifact& file : artifacts)
    if (!writeOutput((temporary.path / file.name).string(), file.bytes, error)) return false;
  fs::create_directories(target, code);
  if (failed(code)) return false;
  for (const Artifact& file : artifacts) {
    fs::rename(temporary.path / file.name, target / file.name, code);
    if (failed(code)) return false;
  }
  return true;
}

}  // namespace airlite::tools
