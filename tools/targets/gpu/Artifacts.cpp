// Writes the results of a compilation.
#include "Artifacts.hpp"

#include "../../common/Session.hpp"

#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace airlite::tools {

namespace fs = std::filesystem;

namespace {

void addModule(std::vector<Artifact>& files, const gpu::CompiledModule& module,
               const EmitKinds& kinds) {
  if (kinds.hsaco)
    files.push_back({fileName(module.name, ".hsaco"), {module.hsaco.begin(), module.hsaco.end()}});
  if (kinds.llvm) files.push_back({fileName(module.name, ".ll"), module.llvmText});
  if (kinds.assembly) files.push_back({fileName(module.name, ".s"), module.asmText});
}

}  // namespace

std::vector<Artifact> artifactsOf(const gpu::CompiledKernels& compiled, const std::string& target,
                                  const std::string& source, const EmitKinds& kinds) {
  std::vector<Artifact> files;
  for (const gpu::CompiledModule& module : compiled.modules)
    addModule(files, module, kinds);
  if (kinds.manifest) files.push_back({"manifest.json", manifestText(compiled, target, source)});
  return files;
}

}  // namespace airlite::tools
