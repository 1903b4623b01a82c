#include "TuneNpu.hpp"

#include "../../common/CommandLine.hpp"
#include "../../common/Session.hpp"
#include "../Passes.hpp"
#include "CompileNpu.hpp"
#include "Tuner.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/runner/Choice.hpp"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>

namespace airlite::tools {
namespace {

using runner::Choice;

constexpr const char* kTuneTool = "airlite-tune";

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

/// The search with a table of what it tries, and a file of what it finds.
class Search {
 public:
  Search(const TuneRequest& request, npu::sim::Timing timing)
      : request_(request), o_(request.compile), timing_(timing) {}

  int run() {
    registerAllDialects(context_);
    DiagnosticPrinter printer(context_, o_.frontend.diagnostics);
    std::string text;
    OwningOp module = readProgramToRun(context_, o_.frontend, kTuneTool, text);
    if (!module || !chooseFunction(kTuneTool, o_, *module)) return kFailure;
    best_ = {
        .target = o_.target, .program = runner::programKey(text), .recipe = {}, .by = request_.by};
    std::cout << fmt::format("{:>4} {:>14} {:>8}  by the {}\n", "", "cycles", "",
                             request_.by == "sim" ? "simulator" : "performance model");
    const Result<Tuned> tuned = tune(*module, options());
    if (!tuned && !tuned.error().message.empty())
      std::cerr << kTuneTool << ": error: " << tuned.error().message << "\n";
    return tuned ? report(*tuned) : kFailure;
  }

 private:
  TuneOptions options() {
    return {.compile = {.target = o_.target,
                        .exact = o_.exact,
                        .floatBlocks = o_.floatBlocks,
                        .objectFolders = o_.objectFolders},
            .bySimulator = request_.by == "sim",
            .most = request_.most,
            .seconds = request_.seconds,
            .timing = timing_,
            .first = readBefore(),
            .wantsStop = [] { return interrupted != 0; },
            .onStep = [this](const TuneStep& step, const Tuned& best) { return show(step, best); }};
  }

  /// What an earlier search of the same program has found.
  std::string readBefore() {
    if (o_.output == "-" || !std::filesystem::exists(o_.output)) return {};
    const auto text = readInput(o_.output);
    DiagnosticCollector silence(context_);
    const auto choice =
        text ? runner::parseChoice(context_, o_.output, *text) : std::optional<Choice>();
    const bool isSame =
        choice && choice->program == best_.program && choice->target == best_.target;
    return isSame ? choice->recipe : std::string();
  }

  /// A row of the table. The file is written whenever something better is found.
  bool show(const TuneStep& step, const Tuned& best) {
    const std::string cycles = step.cycles ? grouped(*step.cycles) : "-";
    const std::string share = step.cycles     ? shareOf(*step.cycles, best.defaultCycles)
                              : step.isSlower ? "slower"
                                              : "no";
    const std::string way = step.number ? step.recipe : "what the compiler does by itself";
    std::cout << fmt::format("{:>4} {:>14} {:>8}  {}\n", step.number, cycles, share, way)
              << std::flush;
    return best.recipe == best_.recipe || write(best);
  }

  static std::string shareOf(uint64_t cycles, uint64_t all) {
    return fmt::format("{:.1f} %", 100.0 * double(cycles) / double(all));
  }

  bool write(const Tuned& best) {
    best_.recipe = best.recipe, best_.cycles = best.cycles;
    best_.defaultCycles = best.defaultCycles;
    const auto written = writeOutput(o_.output, runner::choiceText(best_));
    if (!written) std::cerr << kTuneTool << ": error: " << written.error().message << "\n";
    return static_cast<bool>(written);
  }

  int report(const Tuned& best) {
    std::signal(SIGINT, SIG_DFL);
    if (best.isInterrupted) std::cout << "interrupted: this is the best of what was tried\n";
    std::cout << fmt::format(
        "best: {} cycles, {} of the default: {}\n", grouped(best.cycles),
        shareOf(best.cycles, best.defaultCycles),
        best.recipe.empty() ? "what the compiler does by itself" : best.recipe);
    return write(best) ? kSuccess : kFailure;
  }

  const TuneRequest& request_;
  const CompileRequest& o_;
  npu::sim::Timing timing_;
  Context context_;  // of the module
  Choice best_;
};

}  // namespace

int tuneForNpu(const CLI::App& app, const TuneRequest& request) {
  const aie::Device* device = aie::findDevice(request.compile.target);
  if (!device || !device->isTarget())
    return usageError(app, "--target=" + request.compile.target +
                               " is not an NPU: not supported, see airlite-compile --list-targets");
  npu::sim::Timing timing;
  for (const std::string& text : request.timing)
    if (const auto set = npu::sim::setTiming(timing, text); !set)
      return usageError(app, "--sim-timing: " + set.error().message);
  std::signal(SIGINT, interrupt);
  return Search(request, timing).run();
}

int takeChoice(Context& context, const std::string& path, std::string_view target,
               std::string_view text, std::string& pipeline) {
  const auto file = readInput(path);
  if (!file) {
    std::cerr << "airlite: error: " << file.error().message << "\n";
    return kFailure;
  }
  const auto choice = runner::parseChoice(context, inputName(path), *file);
  if (!choice) return kFailure;
  if (choice->target != target) {
    std::cerr << fmt::format("airlite: error: {} is for {}, this compiles for {}\n", path,
                             choice->target, target);
    return kFailure;
  }
  if (choice->program != runner::programKey(text))
    std::cerr << fmt::format("airlite: warning: {} was made for another program: it may not be the "
                             "fastest way of this one\n",
                             path);
  pipeline = choice->recipe;
  return kSuccess;
}

}  // namespace airlite::tools
