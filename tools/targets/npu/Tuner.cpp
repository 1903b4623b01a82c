#include "Tuner.hpp"

#include "Measure.hpp"
#include "NpuDesign.hpp"
#include "Program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace airlite::tools {
namespace {

/// Plans of a product that are asked for.
constexpr unsigned kPlans = 24;

/// `recipe` with one more option of air-npu; as it is where it has no such pass.
std::string withOption(std::string recipe, const std::string& option) {
  constexpr std::string_view kPass = "air-npu";
  const size_t at = recipe.find(kPass);
  if (at == std::string::npos) return recipe;
  const size_t end = at + kPass.size();
  const bool hasOptions = end < recipe.size() && recipe[end] == '{';
  return hasOptions ? recipe.insert(end + 1, option + " ") : recipe.insert(end, "{" + option + "}");
}

class Tuner {
 public:
  Tuner(Operation& module, TuneOptions options) : module_(module), o_(std::move(options)) {}

  Result<Tuned> run() {
    if (const auto error = measureDefault()) return *error;
    if (!o_.first.empty()) attempt(o_.first);
    const std::vector<std::string> recipes = npu::recipesOf(module_, o_.compile);
    const std::vector<std::string> plans = plansOf(recipes.front());
    for (const std::string& plan : plans)
      if (!attempt(withOption(recipes.front(), plan))) break;
    const std::string bestPlan = best_.recipe;
    for (const std::string& recipe : recipes)
      if (!attempt(recipe)) break;
    for (const std::string& plan : plans)  // what helps all plans or none
      if (bestPlan == withOption(recipes.front(), plan) && recipes.size() > 1)
        attempt(withOption(recipes[1], plan));
    best_.isInterrupted = isStopped_;
    return best_;
  }

 private:
  std::optional<Error> measureDefault() {
    const auto cycles = measure({}, 0);
    if (!cycles) return cycles.error();
    if (!*cycles) return Error{"interrupted before anything was measured"};
    best_.cycles = best_.defaultCycles = **cycles;
    tell({.cycles = *cycles});
    return std::nullopt;
  }

  /// False: it is time to end.
  bool attempt(const std::string& recipe) {
    if (isOver()) return false;
    if (std::ranges::find(tried_, recipe) != tried_.end()) return true;
    tried_.push_back(recipe);
    const auto cycles = measure(recipe, o_.bySimulator ? best_.cycles : 0);
    if (isStopped_) return false;
    TuneStep step{.number = unsigned(tried_.size()), .recipe = recipe};
    if (cycles) step.cycles = *cycles;
    step.isSlower = cycles && !*cycles;
    if (step.cycles && *step.cycles < best_.cycles)
      best_.cycles = *step.cycles, best_.recipe = recipe;
    return tell(step);
  }

  bool tell(const TuneStep& step) {
    if (o_.onStep && !o_.onStep(step, best_)) isEnded_ = true;
    return !isEnded_;
  }

  bool isOver() {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return isEnded_ || wantsStop() || tried_.size() >= o_.most ||
           (o_.seconds > 0 && spent.count() > o_.seconds);
  }

  bool wantsStop() { return isStopped_ = isStopped_ || (o_.wantsStop && o_.wantsStop()); }

  Result<std::optional<uint64_t>> measure(const std::string& recipe, uint64_t most) {
    OwningOp copy(module_.clone());
    npu::CompileOptions wanted = o_.compile;
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
    return measureCycles(*design, {.bySimulator = o_.bySimulator,
                                   .timing = o_.timing,
                                   .mostCycles = most,
                                   .wantsStop = [this] { return wantsStop(); }});
  }

  /// Options for the plans of products, the cheapest first by what the planner expects.
  std::vector<std::string> plansOf(const std::string& recipe) {
    OwningOp copy(module_.clone());
    npu::CompileOptions wanted = o_.compile;
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

  Operation& module_;
  const TuneOptions o_;
  Tuned best_;
  bool isStopped_ = false;  ///< from outside
  bool isEnded_ = false;    ///< by who is told of each step
  std::vector<std::string> tried_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<Tuned> tune(Operation& module, TuneOptions options) {
  return Tuner(module, std::move(options)).run();
}

}  // namespace airlite::tools
