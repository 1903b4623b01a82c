// airlite-sweep: a list of compilations and simulations, several at once, with results that stay.
#include "../common/CommandLine.hpp"
#include "../common/Session.hpp"
#include "JobList.hpp"
#include "ResultFile.hpp"
#include "Sweep.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace airlite::tools {
namespace {

constexpr const char* kDescription =
    "Does a list of jobs, several at once, and appends the result of each to a file. Started "
    "again,\n"
    "it does the jobs that have no result yet. A job is a line of JOBS, a command of airlite:\n"
    "\n"
    "  run --on=sim --init=random:1 --stats matmul.mlir   # opt, compile, run, tune, inspect, "
    "compare\n"
    "  compile --target=npu1 'my program.mlir' -o out     # quotes as in a shell\n"
    "\n"
    "Examples:\n"
    "  airlite sweep jobs.txt -o results.jsonl\n"
    "  airlite sweep jobs.txt -o results.jsonl --processes=8 --seconds=600 --retry\n"
    "  airlite sweep jobs.txt --part=0/2 -o results.0.jsonl\n"
    "\n"
    "RESULTS.jsonl has a JSON object a line (docs/sweep.md). Ctrl-C ends the jobs that still run; "
    "they\n"
    "have no result then.\n"
    "Exit codes: 0 all jobs of the list have succeeded, 1 one has not or has no result, 2 wrong "
    "usage,\n"
    "3 internal error.";

struct SweepOptions {
  std::string jobs, results, part;
  SweepLimits limits;
  bool isRetry = false;
};

/// Every `of`-th job, from number `index` on.
struct Part {
  size_t index = 0, of = 1;
};

void addOptions(CLI::App& app, SweepOptions& o) {
  o.limits.processes = std::max(1U, std::thread::hardware_concurrency());
  app.add_option("jobs", o.jobs, "the list of jobs, - for standard input")
      ->type_name("JOBS")
      ->required();
  app.add_option("-o", o.results, "the file of results, which is made or continued")
      ->type_name("RESULTS.jsonl")
      ->required();
  app.add_option("--processes", o.limits.processes, "jobs at once (default: one per core)")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
  app.add_option("--seconds", o.limits.seconds,
                 "end a job that takes longer; its outcome is \"time\" (default: no limit)")
      ->check(CLI::Range(0.001, 1e8))
      ->type_name("S");
  app.add_option("--keep", o.limits.keep, "bytes of each output of a job in its result, the last")
      ->check(CLI::Range(size_t(0), size_t(1) << 30))
      ->capture_default_str()
      ->type_name("BYTES");
  app.add_flag("--retry", o.isRetry, "do jobs again whose last result is not \"ok\"");
  app.add_option("--part", o.part, "only the jobs number K, K+N, K+2N ... of the list, K from 0")
      ->type_name("K/N");
}

int say(const std::string& message) {
  std::cerr << message << "\n";
  return kFailure;
}

bool readNumber(std::string_view text, size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<Part> readPart(std::string_view text) {
  Part part;
  if (text.empty()) return part;
  const size_t slash = std::min(text.find('/'), text.size());
  const bool isPart = slash < text.size() && readNumber(text.substr(0, slash), part.index) &&
                      readNumber(text.substr(slash + 1), part.of) && part.index < part.of;
  return isPart ? std::optional(part) : std::nullopt;
}

std::vector<Job> jobsOf(const Part& part, const std::vector<Job>& jobs) {
  std::vector<Job> chosen;
  for (size_t i = part.index; i < jobs.size(); i += part.of)
    chosen.push_back(jobs[i]);
  return chosen;
}

/// What of the list was done before.
struct Earlier {
  size_t succeeded = 0, failed = 0;
  std::vector<Job> left;
};

Earlier lookUp(const std::vector<Job>& jobs, const ResultFile& file, bool isRetry) {
  Earlier earlier;
  for (const Job& job : jobs) {
    const auto found = file.earlier().find(job.words);
    const bool isDone = found != file.earlier().end() && (found->second || !isRetry);
    if (!isDone)
      earlier.left.push_back(job);
    else
      ++(found->second ? earlier.succeeded : earlier.failed);
  }
  return earlier;
}

int sweep(const SweepOptions& o, const Part& part) {
  const auto text = readInput(o.jobs);
  if (!text) return say("error: " + text.error().message);
  const auto list = readJobs(inputName(o.jobs), *text);
  if (!list) return say(list.error().message);
  const std::vector<Job> jobs = jobsOf(part, *list);
  auto file = ResultFile::open(o.results);
  if (!file) return say(file.error().message);
  if (file->wasCut())
    std::cerr << fmt::format("note: the last line of '{}' was cut, its job is done again\n",
                             o.results);
  const Earlier earlier = lookUp(jobs, *file, o.isRetry);
  const SweepSummary now = sweepJobs(earlier.left, *file, o.limits);
  const size_t succeeded = earlier.succeeded + now.succeeded, failed = earlier.failed + now.failed;
  const size_t left = jobs.size() - succeeded - failed;
  std::cout << fmt::format(
                   "{} jobs: {} ok, {} failed, {} without a result; {} of them from before\n",
                   jobs.size(), succeeded, failed, left, earlier.succeeded + earlier.failed)
            << std::flush;
  if (!now.error.empty()) return say(now.error);
  if (now.isInterrupted) return say("interrupted: the same command goes on with the rest");
  return failed + left == 0 ? kSuccess : kFailure;
}

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, "airlite-sweep"};
  SweepOptions options;
  addOptions(app, options);
  if (const auto code = parseArguments(app, argc, argv, {"-h", "-o"})) return *code;
  const auto part = readPart(options.part);
  if (!part)
    return usageError(
        app, fmt::format("expected --part=K/N with K from 0 to N - 1, got '{}'", options.part));
  return sweep(options, *part);
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  return airlite::tools::guardedMain("airlite-sweep",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
