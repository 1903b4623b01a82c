// airlite-compile: a program becomes files that a device can load, in one process.
#include "../common/CommandLine.hpp"
#include "../targets/Target.hpp"
#include "Options.hpp"

#include <iostream>

namespace airlite::tools {
namespace {

constexpr const char* kTool = "airlite-compile";

int listTargets() {
  for (const Target* target : targets())
    for (const std::string& device : target->devices())
      std::cout << device << "\n";
  return kSuccess;
}

int toolMain(int argc, char** argv) {
  CLI::App app{kCompileDescription, kTool};
  CompileOptions options;
  addCompileOptions(app, options);
  if (const auto code = parseArguments(app, argc, argv, {"-o", "-h", "-v", "-L"})) return *code;
  if (options.listTargets) return listTargets();
  const CompileRequest& request = options.request;
  if (request.target.empty()) return usageError(app, "no --target given, see --list-targets");
  if (request.output.empty()) return usageError(app, "no folder for the files given: -o DIR");
  return targetOfDevice(request.target).compile(app, request);
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  return airlite::tools::guardedMain("airlite-compile",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
