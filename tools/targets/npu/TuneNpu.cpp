#include "TuneNpu.hpp"

#include "../../common/CommandLine.hpp"
#include "../../common/Session.hpp"
#include "CompileNpu.hpp"
#include "Measure.hpp"
#include "NpuDesign.hpp"
#include "Program.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/runner/Choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

namespace airlite::tools {
namespace {

using runner::Choice;

constexpr const char* kTuneTool = "airlite-tune";
/// Plans of a product that are asked for.
constexpr unsigned kPlans = 24;

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

/// `recipe` with one more option of air-npu; as it is where it has no such pass.
std::string withOption(std::string recipe, const std::string& option) {
  constexpr std::string_view kPass = "air-npu";
  const size_t at = recipe.find(kPass);
  if (at == std::string::npos) return recipe;
  const size_t end = at + kPass.size();
  const bool hasOptions = end < recipe.size() && recipe[end] == '{';
  return hasOptions ? recipe.insert(end + 1, option + " ") : recipe.insert(end, "{" + option + "}");
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

class Tuner {
 public:
  Tuner(const TuneRequest& request, npu::sim::Timing timing)
      : request_(request), o_(request.compile), timing_(timing) {}

  int run() {
    registerAllDialects(context_);
    DiagnosticPrinter printer(context_, o_.frontend.diagnostics);
    std::string text;
    module_ = readProgramToRun(context_, o_.frontend, kTuneTool, text);
    if (!module_ || !chooseFunction(kTuneTool, o_, *module_)) return kFailure;
    best_ = {
        .target = o_.target, .program = runner::programKey(text), .recipe = {}, .by = request_.by};
    const std::optional<std::string> before = readBefore();
    if (!measureDefault()) return kFailure;
    if (before && !before->empty()) attempt(*before);
    const std::vector<std::string> recipes = npu::recipesOf(*module_, options());
    std::vector<std::string> plans = plansOf(recipes.front());
    for (const std::string& plan : plans)
      if (!attempt(withOption(recipes.front(), plan))) break;
    const std::string bestPlan = best_.recipe;
    for (const std::string& recipe : recipes)
      if (!attempt(recipe)) break;
    for (const std::string& plan : plans)  // what helps all plans or none
      if (bestPlan == withOption(recipes.front(), plan) && recipes.size() > 1)
        attempt(withOption(recipes[1], plan));
    return report();
  }

 private:
  npu::CompileOptions options() const {
    return {.target = o_.target,
            .exact = o_.exact,
            .floatBlocks = o_.floatBlocks,
            .objectFolders = o_.objectFolders};
  }

  /// What an earlier search of the same program has found.
  std::optional<std::string> readBefore() {
    if (o_.output == "-" || !std::filesystem::exists(o_.output)) return std::nullopt;
    const auto text = readInput(o_.output);
    DiagnosticCollector silence(context_);
    const auto choice =
        text ? runner::parseChoice(context_, o_.output, *text) : std::optional<Choice>();
    const bool isSame =
        choice && choice->program == best_.program && choice->target == best_.target;
    return isSame ? std::optional(choice->recipe) : std::nullopt;
  }

  bool measureDefault() {
    std::cout << fmt::format("{:>4} {:>14} {:>8}  by the {}\n", "", "cycles", "",
                             request_.by == "sim" ? "simulator" : "performance model");
    const auto cycles = measure({}, 0);
    if (!cycles) {
      std::cerr << kTuneTool << ": error: " << cycles.error().message << "\n";
      return false;
    }
    if (!*cycles) {
      std::cerr << kTuneTool << ": error: interrupted before anything was measured\n";
      return false;
    }
    best_.cycles = best_.defaultCycles = **cycles;
    show(**cycles, "what the compiler does by itself");
    return true;
  }

  /// False: it is time to end.
  bool attempt(const std::string& recipe) {
    if (isOver()) return false;
    if (std::ranges::find(tried_, recipe) != tried_.end()) return true;
    tried_.push_back(recipe);
    const auto cycles = measure(recipe, request_.by == "sim" ? best_.cycles : 0);
    if (interrupted) return false;
    if (!cycles || !*cycles) return say("-", cycles ? "slower" : "no", recipe);
    const bool isBetter = **cycles < best_.cycles;
    show(**cycles, recipe);
    if (!isBetter) return true;
    best_.cycles = **cycles, best_.recipe = recipe;
    return write();
  }

  bool isOver() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return interrupted || tried_.size() >= request_.most ||
           (request_.seconds > 0 && spent.count() > request_.seconds);
  }

  Result<std::optional<uint64_t>> measure(const std::string& recipe, uint64_t most) {
    OwningOp copy(module_->clone());
    npu::CompileOptions wanted = options();
    Pipeline pipeline;
    std::optional<DiagnosticCollector> silence;
    if (!recipe.empty()) {
      silence.emplace(copy->context());
      if (!readRecipe(*copy, recipe, wanted, pipeline)) return Error{"no such recipe"};
      wanted.recipe = &pipeline;
    }
    const auto compiled = npu::compileForNpu(*copy, wanted);
    if (!compiled) return compiled.error();
    const auto design = designOfFiles(compiled->files);
    if (!design) return design.error();
    return measureCycles(*design, {.bySimulator = request_.by == "sim",
                                   .timing = timing_,
                                   .mostCycles = most,
                                   .wantsStop = [] { return interrupted != 0; }});
  }

  /// Options for the plans of products, the cheapest first by what the planner expects.
  std::vector<std::string> plansOf(const std::string& recipe) {
    OwningOp copy(module_->clone());
    npu::CompileOptions wanted = options();
    wanted.outputs = {.air = true, .images = false};
    wanted.remarks = true;
    Pipeline pipeline;
    DiagnosticCollector collector(copy->context());
    const std::string listing = withOption(recipe, fmt::format("list-plans={}", kPlans));
    if (!readRecipe(*copy, listing, wanted, pipeline)) return {};
    wanted.recipe = &pipeline;
    wanted.runPasses = [&](Operation& op, const Pipeline& passes) {
      return runPipeline(op, passes, {.remarks = true});
    };
    static_cast<void>(npu::compileForNpu(*copy, wanted));
    constexpr std::string_view kPlan = "[air-tile-linalg] plan ";
    std::vector<std::string> plans;
    for (const Diagnostic& diagnostic : collector.diagnostics())
      if (diagnostic.message.starts_with(kPlan))
        plans.push_back("product-plan=" + diagnostic.message.substr(kPlan.size()));
    return plans;
  }

  void show(uint64_t cycles, const std::string& recipe) {
    say(grouped(cycles),
        fmt::format("{:.1f} %", 100.0 * double(cycles) / double(best_.defaultCycles)), recipe);
  }
  bool say(const std::string& cycles, const std::string& share, const std::string& recipe) {
    std::cout << fmt::format("{:>4} {:>14} {:>8}  {}\n", tried_.size(), cycles, share, recipe)
              << std::flush;
    return true;
  }

  bool write() const {
    const auto written = writeOutput(o_.output, runner::choiceText(best_));
    if (!written) std::cerr << kTuneTool << ": error: " << written.error().message << "\n";
    return static_cast<bool>(written);
  }

  int report() {
    std::signal(SIGINT, SIG_DFL);
    if (interrupted) std::cout << "interrupted: this is the best of what was tried\n";
    std::cout << fmt::format(
        "best: {} cycles, {:.1f} % of the default: {}\n", grouped(best_.cycles),
        100.0 * double(best_.cycles) / double(best_.defaultCycles),
        best_.recipe.empty() ? "what the compiler does by itself" : best_.recipe);
    return write() ? kSuccess : kFailure;
  }

  const TuneRequest& request_;
  const CompileRequest& o_;
  npu::sim::Timing timing_;
  Context context_;  // of the module
  OwningOp module_;
  Choice best_;
  std::vector<std::string> tried_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
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
  return Tuner(request, timing).run();
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
