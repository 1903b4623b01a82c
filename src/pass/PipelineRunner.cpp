// Runs a pipeline: verification, effect counts, prints, timing and reproducers around each pass.
#include "EffectCounts.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/text/Printer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace airlite {

namespace {

using Clock = std::chrono::steady_clock;

/// Remarks and declared effect changes of one pass execution.
class ExecutionContext : public PassContext {
 public:
  ExecutionContext(std::string_view pass, bool remarks) : pass_(pass), remarks_(remarks) {}
  void remark(Operation& op, std::string_view message) override {
    if (remarks_) op.emitRemark() << "[" << pass_ << "] " << message;
  }
  void declareEffectChange(CountedEffect effect, std::string_view) override {
    declared_[static_cast<size_t>(effect)] = true;
  }
  bool declared(size_t effect) const { return declared_[effect]; }
  bool declaredAll() const {
    return std::all_of(declared_.begin(), declared_.end(), [](bool is) { return is; });
  }

 private:
  std::string_view pass_;
  bool remarks_;
  std::array<bool, 4> declared_{};
};

struct TimeEntry {
  std::string name;
  double seconds = 0;
};

class PipelineRunner {
 public:
  PipelineRunner(Operation& module, const Pipeline& pipeline, const PipelineOptions& options)
      : module_(module), pipeline_(pipeline), options_(options) {}

  PipelineOutcome run() {
    // A reproducer holds the input of the whole pipeline: kept before anything changes.
    if (options_.inputText.empty() && !options_.reproducer.empty()) printedInput_ = printGeneric();
    outcome_.result = runOn(module_, pipeline_);
    if (outcome_.result == PassResult::Failed) writeReproducer();
    if (options_.timing) reportTiming();
    if (options_.statistics) reportStatistics(pipeline_);
    return outcome_;
  }

 private:
  std::string printGeneric() { return printToString(module_, {.generic = true}); }
  void log(const std::string& text) {
    if (options_.log) options_.log(text);
  }

  PassResult runOn(Operation& op, const Pipeline& pipeline) {
    PassResult result = PassResult::Unchanged;
    for (const Pipeline::Element& element : pipeline.elements()) {
      PassResult one = element.pass ? runPass(op, *element.pass) : runNested(op, *element.nested);
      result = std::max(result, one);
      if (result == PassResult::Failed) return result;
    }
    return result;
  }

  PassResult runNested(Operation& op, const Pipeline& pipeline) {
    std::vector<Operation*> targets;
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Operation& inner : block.ops())
          if (pipeline.anchor() == "any" || inner.name() == pipeline.anchor())
            targets.push_back(&inner);
    PassResult result = PassResult::Unchanged;
    for (Operation* target : targets) {
      result = std::max(result, runOn(*target, pipeline));
      if (result == PassResult::Failed) break;
    }
    return result;
  }

  static bool listed(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::string header(std::string_view when, const Pass& pass, Operation& op) const {
    std::string_view symbol = symbolName(op);
    std::string where = "'" + std::string(op.name()) + "' operation";
    if (!symbol.empty()) where += ": @" + std::string(symbol);
    return "// -----// IR Dump " + std::string(when) + " " + std::string(pass.name()) + " (" +
           where + ") //----- //\n";
  }

  static std::string comparableText(Operation& op) { return printToString(op, {.generic = true}); }

  std::string irText(Operation& op) {
    Operation& shown = options_.printModuleScope ? module_ : op;
    std::string text = printToString(shown, {.assumeVerified = false});
    if (!text.ends_with('\n')) text += '\n';
    return text + "\n";
  }

  void printIr(std::string_view when, const Pass& pass, Operation& op) {
    if (options_.printTreeDir.empty()) return log(header(when, pass, op) + irText(op));
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(options_.printTreeDir, error);
    char number[16];
    std::snprintf(number, sizeof number, "%03u_", counter_++);
    std::string side = when.starts_with("Before") ? "_before" : "";
    fs::path file =
        fs::path(options_.printTreeDir) / (number + std::string(pass.name()) + side + ".mlir");
    std::ofstream out(file, std::ios::binary);
    out << irText(op);
    if (!out) emitWarning(module_.context(), {}) << "cannot write '" << file.string() << "'";
  }

  PassResult runPass(Operation& op, Pass& pass) {
    if (options_.printBeforeAll || listed(options_.printBefore, pass.name()))
      printIr("Before", pass, op);
    // An exact answer to "did it change" needs the text; only asked for where it is shown.
    std::string before = options_.printAfterChange ? comparableText(op) : std::string();
    EffectCounts counts = options_.countEffects ? countsOf(op) : EffectCounts{};
    ExecutionContext context(pass.name(), options_.remarks);
    PassResult result = timed(op, pass, context);
    if (result != PassResult::Failed) result = check(op, pass, context, counts, result);
    printAfter(op, pass, result, before);
    if (result == PassResult::Failed && failedPass_.empty()) failedPass_ = pass.name();
    return result;
  }

  void printAfter(Operation& op, Pass& pass, PassResult result, const std::string& before) {
    if (result == PassResult::Failed) {
      if (options_.printAfterFailure || options_.printAfterAll) printIr("After", pass, op);
      return;
    }
    bool wanted = options_.printAfterAll || listed(options_.printAfter, pass.name());
    if (options_.printAfterChange) wanted = before != comparableText(op);
    if (wanted) printIr("After", pass, op);
  }

  PassResult timed(Operation& op, Pass& pass, ExecutionContext& context) {
    Clock::time_point start = Clock::now();
    PassResult result = guarded(op, pass, context);
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (TimeEntry& entry : times_)
      if (entry.name == pass.name()) {
        entry.seconds += seconds;
        return result;
      }
    times_.push_back({std::string(pass.name()), seconds});
    return result;
  }

  PassResult guarded(Operation& op, Pass& pass, ExecutionContext& context) {
    unsigned errors = op.context().diagnostics().errorCount();
    try {
      PassResult result = pass.run(op, context);
      if (result != PassResult::Failed) return result;
      if (op.context().diagnostics().errorCount() == errors)
        op.emitError() << "pass '" << pass.name() << "' failed";
      return result;
    } catch (const std::exception& error) {
      outcome_.internalError = true;
      op.emitError() << "internal error in pass '" << pass.name() << "': " << error.what();
      return PassResult::Failed;
    }
  }

  PassResult check(Operation& op, Pass& pass, const ExecutionContext& context,
                   const EffectCounts& before, PassResult result) {
    if (result == PassResult::Unchanged) return result;
    if (options_.verifyEach && failed(verify(op))) {
      outcome_.internalError = true;
      op.emitError() << "internal error: pass '" << pass.name() << "' left an invalid program";
      return PassResult::Failed;
    }
    if (options_.countEffects && !compareCounts(op, pass, context, before))
      return PassResult::Failed;
    return keepsMeaning(pass) ? result : PassResult::Failed;
  }

  bool keepsMeaning(const Pass& pass) {
    if (!options_.checkEach || options_.checkEach(module_, pass)) return true;
    outcome_.internalError = true;
    return false;
  }

  /// As the pass before left them, when it was on the same op.
  EffectCounts countsOf(Operation& op) {
    if (counted_ != &op) counts_ = countEffects(op);
    counted_ = &op;
    return counts_;
  }

  bool compareCounts(Operation& op, Pass& pass, const ExecutionContext& context,
                     const EffectCounts& was) {
    counted_ = nullptr;
    if (context.declaredAll()) return true;
    EffectCounts is = countsOf(op);
    for (size_t i = 0; i < was.size(); ++i) {
      if (was[i] == is[i] || context.declared(i)) continue;
      op.emitError() << "pass '" << pass.name() << "' changed the number of "
                     << effectName(static_cast<CountedEffect>(i)) << " operations from " << was[i]
                     << " to " << is[i] << " without a declared reason";
      outcome_.internalError = true;
      return false;
    }
    return true;
  }

  void writeReproducer() {
    std::string path = options_.reproducer;
    if (path.empty() && outcome_.internalError && options_.reproducerOnInternalError)
      path = "airlite-reproducer.mlir";
    if (path.empty()) return;
    std::ofstream out(path, std::ios::binary);
    out << "// airlite-opt: --pass-pipeline='" << pipeline_.str() << "'\n"
        << "// The pipeline failed in '" << failedPass_ << "'. `airlite-opt FILE` runs it again.\n"
        << inputText();
    if (out) outcome_.reproducerPath = path;
  }

  std::string_view inputText() {
    if (!options_.inputText.empty()) return options_.inputText;
    if (printedInput_.empty()) printedInput_ = printGeneric();
    return printedInput_;
  }

  void reportTiming() {
    double total = 0;
    for (const TimeEntry& entry : times_)
      total += entry.seconds;
    std::string text = "===-- Pass execution timing --===\n";
    char line[160];
    for (const TimeEntry& entry : times_) {
      std::snprintf(line, sizeof line, "  %10.6f s (%5.1f%%)  %s\n", entry.seconds,
                    total > 0 ? 100 * entry.seconds / total : 0.0, entry.name.c_str());
      text += line;
    }
    std::snprintf(line, sizeof line, "  %10.6f s (100.0%%)  total\n", total);
    log(text + line);
  }

  void reportStatistics(const Pipeline& pipeline) {
    for (const Pipeline::Element& element : pipeline.elements()) {
      if (element.nested) {
        reportStatistics(*element.nested);
        continue;
      }
      if (element.pass->statistics().empty()) continue;
      std::string text = std::string(element.pass->name()) + "\n";
      for (const PassStatistic& statistic : element.pass->statistics())
        text += "  (S) " + std::to_string(statistic.value) + " " + std::string(statistic.name) +
                " - " + std::string(statistic.doc) + "\n";
      log(text);
    }
  }

  Operation& module_;
  const Pipeline& pipeline_;
  const PipelineOptions& options_;
  PipelineOutcome outcome_;
  std::string printedInput_;  // where no text was given
  std::string failedPass_;
  Operation* counted_ = nullptr;  // what counts_ is of, as it is now
  EffectCounts counts_{};
  std::vector<TimeEntry> times_;
  unsigned counter_ = 0;
};

}  // namespace

PipelineOutcome runPipeline(Operation& module, const Pipeline& pipeline,
                            const PipelineOptions& options) {
  return PipelineRunner(module, pipeline, options).run();
}

}  // namespace airlite
