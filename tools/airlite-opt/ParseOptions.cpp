#include "Options.hpp"
#include "airlite/support/Text.hpp"
#include "airlite_build_info.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <span>

namespace airlite::tools {
namespace {

constexpr const char* kDescription =
    "Reads an airlite program (text or JSON), runs passes over it and prints it.\n"
    "\n"
    "Examples:\n"
    "  airlite-opt in.mlir                                  check a program and print it\n"
    "  airlite-opt --canonicalize --cse in.mlir -o out.mlir run two passes, in this order\n"
    "  airlite-opt --pass-pipeline='module(func.func(cse))' in.mlir --emit=json\n"
    "\n"
    "Every pass is a flag as well (--list-passes), with options as --pass='a=1 b=2'.\n"
    "Exit codes: 0 fine, 1 the input or a pass failed, 2 wrong usage, 3 internal error.";

/// Takes the flags that are passes out of the arguments, in order.
void takePassFlags(const PassRegistry& registry, std::vector<std::string>& arguments, Options& o) {
  std::vector<std::string> rest;
  for (std::string& argument : arguments) {
    size_t equals = argument.find('=');
    std::string name = argument.starts_with("--") ? argument.substr(2, equals - 2) : "";
    if (name.empty() || !registry.knows(name)) {
      rest.push_back(std::move(argument));
      continue;
    }
    o.passes.push_back({name, equals == std::string::npos ? "" : argument.substr(equals + 1)});
  }
  arguments = std::move(rest);
}

std::string unknownOption(const CLI::App& app, const PassRegistry& registry,
                          const std::string& text) {
  std::string name = text.substr(0, text.find('='));
  while (name.starts_with('-'))
    name.erase(0, 1);
  std::vector<std::string> options;
  auto collect = [&](const CLI::App& group) {
    for (const CLI::Option* option : group.get_options())
      for (const std::string& known : option->get_lnames())
        options.push_back(known);
  };
  collect(app);
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; }))
    collect(*group);
  std::vector<std::string_view> names(options.begin(), options.end());
  for (std::string_view pass : registry.allNames())
    names.push_back(pass);
  return "unknown option '" + text + "'" + didYouMean(name, names);
}

/// What the parser of the command line cannot tell.
std::optional<int> checkGraphFile(Options& o) {
  if (!o.graphFile) return std::nullopt;
  constexpr std::string_view kPrefix = "acdg:", kSuffixes[] = {".dot", ".json", ".graphml"};
  std::string& name = *o.graphFile;
  bool isAcdg = name.starts_with(kPrefix);
  if (isAcdg) name.erase(0, kPrefix.size());
  if (isAcdg)
    o.acdgFormat = graph::acdgFormatOf(name);
  else
    o.graphFormat = graphFormatOf(name);
  if (!o.acdgFormat && !o.graphFormat) {
    size_t dot = name.rfind('.');
    std::string_view suffix = dot == std::string::npos ? "" : std::string_view(name).substr(dot);
    std::string expected = isAcdg ? "'.dot', '.json' or '.graphml'" : "'.dot' or '.json'";
    return usageError("--dump-graph: expected a file name that ends with " + expected +
                      ", found '" + name + "'" +
                      didYouMean(suffix, std::span(kSuffixes, isAcdg ? 3 : 2)));
  }
  if (o.splitInput)
    return usageError("--dump-graph shows one program, it cannot go with --split-input-file");
  return std::nullopt;
}

std::optional<int> checkSeed(const char* option, std::string_view text, uint64_t& seed) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return std::nullopt;
  return usageError(std::string(option) + ": expected a number as seed, found '" +
                    std::string(text) + "'");
}

std::optional<int> checkMutation(Options& o) {
  if (!o.mutation) return std::nullopt;
  std::string_view text = *o.mutation;
  if (size_t colon = text.find(':'); colon != text.npos) {
    std::string name(text.substr(0, colon));
    o.mutationKind = testing::mutationByName(name);
    std::vector<std::string_view> names;
    for (testing::Mutation kind : testing::allMutations())
      names.push_back(testing::mutationName(kind));
    if (!o.mutationKind)
      return usageError("--mutate: there is no mistake '" + name + "'" + didYouMean(name, names) +
                        "; one of " + mutationKinds());
    text.remove_prefix(colon + 1);
  }
  return checkSeed("--mutate", text, o.mutationSeed);
}

std::optional<int> checkOptions(Options& o) {
  if (o.generateText && o.input != "-")
    return usageError("--generate makes a program, it cannot go with the input '" + o.input + "'");
  if (o.generateText)
    if (std::optional<int> code = checkSeed("--generate", *o.generateText, o.generateSeed))
      return code;
  bool hasPasses = !o.passes.empty() || !o.pipeline.empty();
  if (o.reduceCommand && (hasPasses || o.mutation || o.splitInput))
    return usageError(
        "--reduce works on one program as it is: it cannot go with passes, --mutate or "
        "--split-input-file");
  if (o.reduceCommand && o.reduceCommand->empty())
    return usageError("--reduce: the command is empty");
  if (std::optional<int> code = checkMutation(o)) return code;
  return checkGraphFile(o);
}

/// Whether a word without letters stands where a file does: an extra one of these keeps CLI11 2.1.2 busy for ever.
bool hasEmptyFile(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const CLI::Option* before = i ? app.get_option_no_throw(arguments[i - 1]) : nullptr;
    if (arguments[i].empty() && !(before && before->get_expected_max() > 0)) return true;
  }
  return false;
}

}  // namespace

int usageError(const std::string& message) {
  std::cerr << "airlite-opt: error: " << message << "\n";
  return kUsage;
}

std::optional<int> parseCommandLine(int argc, char** argv, const PassRegistry& registry,
                                    Options& o) {
  CLI::App app{kDescription, "airlite-opt"};
  addOptions(app, o);
  app.set_version_flag("--version", "airlite-opt " AIRLITE_VERSION " (" AIRLITE_COMMIT ")");
  std::vector<std::string> arguments = normalizeArguments(argc, argv, {"-o", "-h"});
  takePassFlags(registry, arguments, o);
  if (hasEmptyFile(app, arguments))
    return usageError("an argument is empty: no file has that name");
  std::reverse(arguments.begin(), arguments.end());
  app.allow_extras();
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
    return kSuccess;
  } catch (const CLI::CallForVersion& version) {
    app.exit(version);
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    return usageError(error.what());
  }
  std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return checkOptions(o);
  if (extras[0].starts_with('-')) return usageError(unknownOption(app, registry, extras[0]));
  return usageError("more than one input file: '" + extras[0] + "'");
}

}  // namespace airlite::tools
