// Command lines of the drivers, see the header.
#include "CommandLine.hpp"

#include "Session.hpp"
#include "airlite/support/Text.hpp"
#include "airlite_build_info.hpp"

#include <algorithm>
#include <iostream>
#include <new>

namespace airlite::tools {

namespace {

/// Long names of all options, also of those in groups, which CLI11 keeps as nameless subcommands.
void collectNames(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back(name);
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; }))
    collectNames(*group, names);
}

std::string unknownOption(const CLI::App& app, const std::string& text) {
  std::string name = text.substr(0, text.find('='));
  while (name.starts_with('-'))
    name.erase(0, 1);
  std::vector<std::string> options;
  collectNames(app, options);
  std::vector<std::string_view> names(options.begin(), options.end());
  return "unknown option '" + text + "'" + didYouMean(name, names);
}

std::optional<int> checkExtras(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return std::nullopt;
  if (extras[0].starts_with('-')) return usageError(app, unknownOption(app, extras[0]));
  return usageError(app, "more than one input file: '" + extras[0] + "'");
}

}  // namespace

int usageError(const CLI::App& app, const std::string& message) {
  std::cerr << app.get_name() << ": error: " << message << "\n";
  return kUsage;
}

std::optional<int> parseArguments(CLI::App& app, int argc, char** argv,
                                  const std::vector<std::string>& shortOptions) {
  app.set_version_flag("--version", app.get_name() + " " + versionText());
  app.allow_extras();
  std::vector<std::string> arguments = normalizeArguments(argc, argv, shortOptions);
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::Success& done) {  // --help or --version
    app.exit(done);
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    // A misspelled option is the better explanation of what follows from it.
    std::optional<int> extras = checkExtras(app);
    return extras ? extras : usageError(app, error.what());
  }
  return checkExtras(app);
}

CLI::Option* addRepeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                         const std::string& help) {
  return app.add_option(name, values, help)->allow_extra_args(false);
}

int guardedMain(std::string_view tool, const std::function<int()>& body) {
  std::ios::sync_with_stdio(false);
  try {
    const int code = body();
    writeSarif(tool, AIRLITE_VERSION);
    return code;
  } catch (const std::bad_alloc&) {  // memory that a program asks for, most likely
    std::cerr << tool << ": error: there is not enough memory for this\n";
    return kFailure;
  } catch (const std::exception& error) {
    std::cerr << tool << ": internal error: " << error.what() << "; please report it\n";
    return kInternal;
  }
}

std::string versionText() { return AIRLITE_VERSION " (" AIRLITE_COMMIT ")"; }

}  // namespace airlite::tools
