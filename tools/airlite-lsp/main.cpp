// airlite-lsp: the language server that editors start.
#include "../common/CommandLine.hpp"
#include "../common/ToolPath.hpp"
#include "Server.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <map>
#include <unistd.h>

namespace airlite::tools {
namespace {

constexpr const char* kDescription =
    "A language server for .mlir and .air files: an editor starts it and speaks with it over "
    "standard\n"
    "input and output. docs/lsp.md says how to set up VS Code, Neovim and Emacs.\n"
    "\n"
    "Exit codes: 0 shut down by the editor, 1 the editor went away or sent something else, 2 wrong "
    "usage,\n"
    "3 internal error.";

const std::map<std::string, CheckTime> kCheckTimes{
    {"idle", CheckTime::Idle}, {"save", CheckTime::Save}, {"request", CheckTime::Request}};

void addOptions(CLI::App& app, ServerOptions& o, bool& isStdio) {
  app.add_option("--check", o.check,
                 "when a program is checked for hangs, races and bounds: idle (1.5 s without an "
                 "edit), save, request (the command airlite.check only)")
      ->transform(CLI::CheckedTransformer(kCheckTimes))
      ->type_name("WHEN")
      ->default_str("idle");
  app.add_option("--target", o.device,
                 "what the check asks of a device as well: npu1, npu2, mi300x, ..., or a JSON file")
      ->type_name("DEVICE");
  app.add_option("--check-seconds", o.limits.seconds, "a check that takes longer is stopped")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  app.add_option("--max-bytes", o.reading.maxBytes, "a larger file is not read")
      ->check(CLI::Range(size_t(1), size_t(1) << 30))
      ->capture_default_str();
  app.add_flag("--allow-unregistered", o.reading.allowUnregistered,
               "keep what unknown dialects own");
  app.add_flag("--stdio", isStdio, "what some editors add; there is no other way to connect");
}

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, "airlite-lsp"};
  ServerOptions options;
  bool isStdio = false;
  addOptions(app, options, isStdio);
  if (const auto code = parseArguments(app, argc, argv, {"-h"})) return *code;
  std::signal(SIGPIPE, SIG_IGN);  // an editor that is gone is an error of write
  options.tool = toolPath("airlite-opt");
  Server server(Connection(STDIN_FILENO, STDOUT_FILENO), std::move(options));
  return server.run();
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  return airlite::tools::guardedMain("airlite-lsp",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
