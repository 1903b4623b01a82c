// Command lines of the drivers: house spellings, `--help`, `--version`, and the nearest name for an
// option that does not exist.
#pragma once

#include "Session.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

/// `<tool>: error: <message>` on stderr; the exit code for wrong usage.
int usageError(const CLI::App& app, const std::string& message);

/// Parses the command line of `app`, whose name is the tool's. An exit code when the tool is done.
std::optional<int> parseArguments(CLI::App& app, int argc, char** argv,
                                  const std::vector<std::string>& shortOptions);

/// An option that may be given several times, one value each time.
CLI::Option* addRepeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                         const std::string& help);

/// Runs `body`, whose exit code it returns; an exception that nobody caught is our mistake.
int guardedMain(std::string_view tool, const std::function<int()>& body);

/// What `--version` prints after the name of the tool: version and commit.
std::string versionText();

}  // namespace airlite::tools
