// The graph files of the dependency passes.
#include "DependencyDots.hpp"

#include "airlite/graph/Export.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <filesystem>
#include <fstream>

namespace airlite {

namespace {

namespace fs = std::filesystem;

LogicalResult writeFile(Operation& function, const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return success();
  function.emitError() << "cannot write '" << path.string() << "'";
  return failure();
}

LogicalResult writeFunction(Operation& function, const fs::path& folder, bool perCore) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) {
    function.emitError() << "cannot make the folder '" << folder.string()
                         << "': " << error.message();
    return failure();
  }
  std::vector<graph::NamedText> files = graph::levelGraphs(function, perCore);
  files.push_back({"combined.dot", graph::exportAcdg(graph::buildAcdg(function), function,
                                                     graph::AcdgFormat::Dot)});
  for (const graph::NamedText& file : files)
    if (failed(writeFile(function, folder / file.fileName, file.text))) return failure();
  return success();
}

}  // namespace

LogicalResult writeDependencyDots(Operation& module, const std::string& folder, bool perCore) {
  std::vector<Operation*> functions;
  module.walk(
      [&](Operation& op) {
        bool hasBody = op.numRegions() && !op.region().empty();
        if (op.hasTrait(Trait::Function) && hasBody) functions.push_back(&op);
      },
      WalkOrder::PreOrder);
  for (Operation* function : functions) {
    fs::path path = folder;
    if (functions.size() > 1) path /= fs::path(std::string(symbolName(*function))).filename();
    if (failed(writeFunction(*function, path, perCore))) return failure();
  }
  return success();
}

}  // namespace airlite
