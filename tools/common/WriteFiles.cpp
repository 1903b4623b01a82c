// Writes the files of a compilation.
#include "WriteFiles.hpp"

#include "Session.hpp"

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

Result<void> writeArtifacts(const std::string& folder, const std::vector<Artifact>& artifacts) {
  fs::path target = fs::path(folder).lexically_normal();
  if (target.filename().empty()) target = target.parent_path();
  TemporaryFolder temporary{target.string() + ".tmp" + std::to_string(getpid())};
  auto failure = [&](const std::error_code& code) {
    return Error{"cannot write to '" + folder + "': " + code.message()};
  };
  std::error_code code;
  fs::create_directories(temporary.path, code);
  if (code) return failure(code);
  for (const Artifact& file : artifacts)
    if (auto written = writeOutput((temporary.path / file.name).string(), file.bytes); !written)
      return written;
  fs::create_directories(target, code);
  if (code) return failure(code);
  for (const Artifact& file : artifacts) {
    fs::rename(temporary.path / file.name, target / file.name, code);
    if (code) return failure(code);
  }
  return {};
}

}  // namespace airlite::tools
