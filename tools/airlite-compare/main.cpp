// airlite-compare: two recorded runs side by side.
#include "../common/CommandLine.hpp"
#include "../common/Session.hpp"
#include "Comparison.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <optional>

namespace airlite::tools {
namespace {

constexpr const char* kDescription =
    "Shows two runs on the simulated NPU side by side: cycles, utilisation, stalls, DDR; in sum, "
    "of\n"
    "each run and of each core. A and B are files of airlite-run --record or --view.\n"
    "\n"
    "Examples:\n"
    "  airlite-compare before.html after.html\n"
    "  airlite-compare before.json after.json --format=json\n"
    "  airlite-compare main.json branch.json --max-slowdown=2\n"
    "\n"
    "Exit codes: 0 fine, 1 a file is wrong or B is slower than --max-slowdown allows, 2 wrong "
    "usage,\n"
    "3 internal error.";

struct CompareOptions {
  std::string a, b;
  std::string format = "text";
  std::string output = "-";
  std::optional<double> maxSlowdown;  ///< percent
};

void addOptions(CLI::App& app, CompareOptions& o) {
  app.add_option("a", o.a, "the run that is the measure")->type_name("A")->required();
  app.add_option("b", o.b, "the run that is compared with it")->type_name("B")->required();
  app.add_option("--format", o.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("-o", o.output, "output file, - for standard output")->type_name("FILE");
  app.add_option("--max-slowdown", o.maxSlowdown,
                 "fail when B takes more cycles than A by more than so many percent")
      ->check(CLI::NonNegativeNumber)
      ->type_name("PERCENT");
}

int say(const std::string& message) {
  std::cerr << message << "\n";
  return kFailure;
}

int compare(const CompareOptions& o) {
  const auto a = readRecordFile(o.a), b = a ? readRecordFile(o.b) : a;
  if (!b) return say(b.error().message);
  const Comparison comparison = compareRecords(*a, *b);
  const bool isJson = o.format == "json";
  const auto written =
      writeOutput(o.output, isJson ? comparisonJson(comparison) : comparisonText(comparison));
  if (!written) return say("airlite-compare: error: " + written.error().message);
  const double slowdown = 100 * (comparison.cycleRatio - 1);
  if (!o.maxSlowdown || slowdown <= *o.maxSlowdown) return kSuccess;
  return say(
      fmt::format("airlite-compare: error: B takes {:.1f}% more cycles than A, allowed are {:g}%",
                  slowdown, *o.maxSlowdown));
}

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, "airlite-compare"};
  CompareOptions options;
  addOptions(app, options);
  if (const auto code = parseArguments(app, argc, argv, {"-h", "-o"})) return *code;
  return compare(options);
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  return airlite::tools::guardedMain("airlite-compare",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
