// Writes the results of a compilation.
#if AIRLITE_HAVE_GPU
#include "Artifacts.hpp"

#include "../common/Session.hpp"

#include <cctype>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace airlite::tools {

namespace fs = std::filesystem;

namespace {

/// A file name for a module: a quoted symbol may hold anything.
std::string fileName(const std::string& module, std::string_view ending) {
  std::string name;
  for (unsigned char c : module)
    name += std::isalnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  if (name.starts_with('.')) name[0] = '_';
  return name + std::string(ending);
}

void addModule(std::vector<Artifact>& files, const gpu::CompiledModule& module,
               const EmitKinds& kinds) {
  if (kinds.hsaco)
    files.push_back({fileName(module.name, ".hsaco"), {module.hsaco.begin(), module.hsaco.end()}});
  if (kinds.llvm) files.push_back({fileName(module.name, ".ll"), module.llvmText});
  if (kinds.assembly) files.push_back({fileName(module.name, ".s"), module.asmText});
}

/// Removes what a failed run leaves.
struct TemporaryFolder {
  fs::path path;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

std::vector<Artifact> artifactsOf(const gpu::CompiledKernels& compiled, const std::string& target,
                                  const std::string& source, const EmitKinds& kinds) {
  std::vector<Artifact> files;
  for (const gpu::CompiledModule& module : compiled.modules)
    addModule(files, module, kinds);
  if (kinds.manifest) files.push_back({"manifest.json", manifestText(compiled, target, source)});
  return files;
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

#endif
