// airlite-run: runs a program in the interpreter, compiled on this machine or on a device, and checks
// what it computed.
#include "../common/CommandLine.hpp"
#include "../targets/Target.hpp"
#include "../targets/run/InterpRun.hpp"
#include "Doctor.hpp"
#include "Options.hpp"

#include <iostream>

namespace airlite::tools {
namespace {

int toolMain(int argc, char** argv) {
  CLI::App app{kRunDescription, "airlite-run"};
  RunOptions options;
  addRunOptions(app, options);
  if (const auto code = parseArguments(app, argc, argv, {"-h", "-v"})) return *code;
  RunRequest& request = options.request;
  if (options.doctor) {
    std::cout << doctorReport({options.machine.root, request.xrtLibrary});
    return kSuccess;
  }
  if (request.on.empty()) request.on = defaultPlace();
  const Target* target = targetOfPlace(request.on);
  if (target && request.ranks != "one-process")
    return usageError(app, "--ranks needs --on=interp: no other place runs programs with ranks");
  return target ? target->run(app, request) : runInInterpreter(app, request);
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  return airlite::tools::guardedMain("airlite-run",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
