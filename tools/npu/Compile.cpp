#include "Compile.hpp"

#include "../common/KernelPipeline.hpp"
#include "Files.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace airlite::tools {
namespace {

const aie::Device& targetOf(const NpuRequest& request) { return *aie::findDevice(request.target); }

/// Cores serve every iteration of the launch; herds that the recipe placed stay where they are.
PassList designPasses(const aie::Device& target) {
  return {{"air-to-aie",
           {{"device", std::string(target.name)},
            {"row-offset", target.firstCoreRow()},
            {"col-offset", 0},
            {"emit-while-loop", true},
            {"lock-parameters", true}}},
          {"air-to-std"},
          {"airrt-to-npu"}};
}
/// Of designs, too: a core may be written as its author likes.
PassList corePasses() { return {{"air-aie-legalize-core", {{"vectorize", true}}}}; }

/// Shapes of herds, columns first, in the order in which they are tried behind all of the array.
constexpr std::pair<int64_t, int64_t> kSmallerHerds[] = {{4, 2}, {2, 4}, {2, 2}, {4, 1},
                                                         {1, 4}, {2, 1}, {1, 2}, {1, 1}};

/// With what differs from the default, which is all of an npu1; `herd`, when it is given, in any case.
PassUse recipeFor(const aie::Device& target, bool exact, std::vector<int64_t> herd = {}) {
  PassUse recipe = {"air-npu"};
  const bool isPart = target.name != kNpu;
  if (herd.empty() && isPart) herd = wholeHerd(target);
  if (!herd.empty()) recipe.options.push_back({"herd", std::move(herd)});
  if (isPart) recipe.options.push_back({"num-cols", target.columns});
  if (exact) recipe.options.push_back({"exact", true});
  return recipe;
}

class NpuCompilation {
 public:
  /// `recipe`: the passes that make it a program of tiles, when it is none yet; empty: those that
  /// the user has written.
  NpuCompilation(Operation& module, const NpuRequest& request, PassList recipe, Stopwatch& watch,
                 NpuResult& result)
      : module_(module), o_(request), recipe_(std::move(recipe)), watch_(watch), result_(result) {}

  int run() {
    countInputs();
    work_ = findWork();
    if (designs().empty())
      if (int code = makeDesign(); code != kSuccess) return code;
    return o_.emit.needsConfig() ? makeFiles() : int(kSuccess);
  }

 private:
  void countInputs() {
    for (Operation& op : module_.region().front().ops())
      if (auto function = dynCast<func::FuncOp>(&op))
        numInputs_[std::string(function.symName())] = function.functionType().inputs().size();
  }

  std::vector<Operation*> designs() const {
    std::vector<Operation*> found;
    for (Operation& op : module_.region().front().ops())
      if (isa<aie::DeviceOp>(&op)) found.push_back(&op);
    return found;
  }

  int runPasses(const char* step, const PassList& passes) {
    watch_.next(step);
    return runPassList(module_, o_.frontend, o_.tool, o_.inputText, passes);
  }

  void addModule(const char* name) { result_.files.push_back({name, printToString(module_)}); }

  /// The recipe is checked as every program is: what it makes must not hang or race either.
  int runRecipe() {
    constexpr const char* kCheck = "air-verify-program";
    if (recipe_.empty()) {
      const std::string& text = o_.frontend.pipeline;
      watch_.next("recipe");
      return runPassText(module_, o_.frontend, o_.tool, o_.inputText,
                         o_.noVerifyProgram ? text : fmt::format("{0},{1},{0}", kCheck, text));
    }
    PassList passes = recipe_;
    if (!o_.noVerifyProgram) {
      passes.insert(passes.begin(), {kCheck});
      passes.push_back({kCheck});
    }
    return runPasses("recipe", passes);
  }

  int makeDesign() {
    int code = runRecipe();
    if (code != kSuccess) return code;
    countInputs();  // what a function returns is an argument now
    if (o_.keepsUnitSums && linalg::hasSumDepths(module_))
      result_.withUnitSums = OwningOp(module_.clone());
    if (o_.emit.air) addModule("program.mlir");
    if (!o_.emit.needsConfig() && !o_.emit.aie) return kSuccess;
    code = runPasses("design", designPasses(targetOf(o_)));
    if (code == kSuccess && o_.emit.aie) addModule("design.mlir");
    return code;
  }

  // -- What the host does -------------------------------------------------------------------------

  std::vector<Operation*> sequences() const {
    std::vector<Operation*> found;
    for (Operation* design : designs())
      for (Operation& op : design->region().front().ops())
        if (isa<aie::RuntimeSequenceOp>(&op)) found.push_back(&op);
    return found;
  }

  /// The sequence that runs those of other designs, or the only one. Null after an error.
  Operation* entrySequence() const {
    const std::vector<Operation*> all = sequences();
    std::vector<Operation*> roots;
    std::ranges::copy_if(all, std::back_inserter(roots),
                         [](Operation* sequence) { return loadsDesigns(*sequence); });
    if (roots.empty()) roots = all;
    if (roots.size() == 1) return roots[0];
    InFlightDiagnostic error = roots[1]->emitOpError();
    error << "not supported: a second runtime sequence that nothing runs; --function says which "
             "function to compile";
    error.note(roots[0]->location()) << "the first one is here";
    return nullptr;
  }

  static bool loadsDesigns(Operation& sequence) {
    return std::ranges::any_of(sequence.region().front().ops(),
                               [](Operation& op) { return op.is("aiex.configure"); });
  }

  /// Adds what `load` (an aiex.configure) runs.
  LogicalResult addSteps(Operation& load, std::vector<std::pair<Operation*, NpuStep>>& steps) {
    Operation* device = lookupSymbol(&load, load.attrOf<SymbolRefAttr>("symbol"));
    if (!isa<aie::DeviceOp>(device)) return load.emitOpError() << "names no design";
    for (Operation& op : load.region().front().ops()) {
      if (!op.is("aiex.run"))
        return op.emitOpError() << "not supported between the runs of designs";
      Operation* sequence =
          lookupSymbolIn(*device, op.attrOf<SymbolRefAttr>("runtime_sequence_symbol").root());
      if (!isa<aie::RuntimeSequenceOp>(sequence)) return op.emitOpError() << "names no sequence";
      NpuStep step{nullptr, sequence, {}};
      for (Value operand : op.operands()) {
        if (!operand.isBlockArgument())
          return op.emitOpError() << "not supported: part of a buffer";
        step.arguments.push_back(operand.index());
      }
      steps.push_back({device, std::move(step)});
    }
    return success();
  }

  LogicalResult planSteps(Operation& entry, std::vector<std::pair<Operation*, NpuStep>>& steps) {
    if (!loadsDesigns(entry)) {
      NpuStep step{nullptr, &entry, {}};
      for (unsigned i = 0; i < entry.region().front().numArguments(); ++i)
        step.arguments.push_back(i);
      steps.push_back({entry.parentOp(), std::move(step)});
      return success();
    }
    for (Operation& op : entry.region().front().ops())
      if (!op.is("aiex.configure"))
        return op.emitOpError() << "not supported between the runs of designs";
      else if (failed(addSteps(op, steps)))
        return failure();
    return success();
  }

  /// The first op of a function that computes: more than the module would say.
  std::optional<Location> findWork() {
    std::optional<Location> place;
    module_.walk(
        [&](Operation& op) {
          const bool isWork = (!isPure(op) || op.name().starts_with("linalg.")) &&
                              !op.hasTrait(Trait::Terminator) && op.parentOfName("func.func");
          if (isWork && !place) place = op.location();
        },
        WalkOrder::PreOrder);
    return place;
  }

  int reportNothing() {
    InFlightDiagnostic error = work_ ? emitError(module_.context(), *work_) : module_.emitError();
    error << "there is no segment or herd to compile";
    if (work_) error << ": all of this stays on the host, --remarks says why";
    return kFailure;
  }

  // -- Files --------------------------------------------------------------------------------------

  int makeFiles() {
    if (int code = runPasses("cores", corePasses()); code != kSuccess) return code;
    if (designs().empty()) return reportNothing();
    std::vector<std::pair<Operation*, NpuStep>> steps;
    Operation* entry = nullptr;
    if (sequences().empty()) {  // there is something to look at, even so
      for (Operation* design : designs())
        steps.push_back({design, {}});
    } else if (!(entry = entrySequence()) || failed(planSteps(*entry, steps))) {
      return kFailure;
    }
    std::vector<PlacedDesign> placed;
    if (int code = placeAll(steps, placed); code != kSuccess) return code;
    return writeFiles(placed, entry ? planOf(*entry, steps, placed) : NpuPlan());
  }

  /// The designs of the steps, each once.
  int placeAll(const std::vector<std::pair<Operation*, NpuStep>>& steps,
               std::vector<PlacedDesign>& placed) {
    for (const auto& [device, step] : steps)
      if (std::ranges::find(placed, device, &PlacedDesign::device) == placed.end())
        if (int code = place(*device, placed); code != kSuccess) return code;
    return kSuccess;
  }

  NpuPlan planOf(Operation& entry, std::vector<std::pair<Operation*, NpuStep>>& steps,
                 const std::vector<PlacedDesign>& placed) const {
    NpuPlan plan;
    for (auto& [device, step] : steps) {
      step.design = &*std::ranges::find(placed, device, &PlacedDesign::device);
      plan.steps.push_back(std::move(step));
    }
    for (Value argument : entry.region().front().arguments()) {
      plan.arguments.push_back(argument);
      plan.contents.push_back(aie::RuntimeSequenceOp(&entry).contentsOf(argument.index()));
    }
    const auto known = numInputs_.find(std::string(symbolName(entry)));
    plan.numArguments = known == numInputs_.end() ? plan.arguments.size() : known->second;
    return plan;
  }

  int place(Operation& design, std::vector<PlacedDesign>& placed) {
    const std::string_view device = aie::DeviceOp(&design).device().name;
    if (!isNpuTarget(device) || aie::findDevice(device)->columns > targetOf(o_).columns) {
      design.emitOpError() << "is for device '" << device << "', the target is " << o_.target;
      return kFailure;
    }
    watch_.next("configure");
    npu::codegen::CoreCodeCache codes;
    auto config = npu::configure(
        design,
        [&](Operation& core, const npu::codegen::CoreSurroundings& around) {
          return compileCore(codes, core, around);
        },
        o_.objectFolders);
    if (!config) return kFailure;
    placed.push_back({&design, std::move(*config)});
    return kSuccess;
  }

  std::optional<npu::codegen::CoreCode> compileCore(
      npu::codegen::CoreCodeCache& codes, Operation& core,
      const npu::codegen::CoreSurroundings& around) const {
    auto code = codes.generate(core, around);
    if (code && o_.frontend.remarks)
      for (const npu::codegen::LoopReport& loop : code->loops)
        emitRemark(core.context(), loop.location) << loop.text();
    return code;
  }

  int writeFiles(const std::vector<PlacedDesign>& placed, const NpuPlan& plan) {
    watch_.next("files");
    for (const PlacedDesign& design : placed) {
      if (o_.emit.config) result_.files.push_back(configText(design.config));
      if (o_.emit.floorplan) result_.files.push_back(floorplan(design.config));
      if (o_.emit.report) report(design.config);
    }
    if (!o_.emit.images) return kSuccess;
    if (plan.steps.empty()) {
      placed.front().device->emitOpError() << "has no aie.runtime_sequence: nothing would start it";
      return kFailure;
    }
    auto images = npuImages(placed, plan);
    if (!images) return kFailure;
    std::ranges::move(*images, std::back_inserter(result_.files));
    return kSuccess;
  }

  void report(const npu::ArrayConfig& config) {
    const npu::ResourceReport resources = npu::resourcesOf(config);
    result_.table += npu::resourceTable(config, resources);
    result_.files.push_back(
        {fileName(config.name, ".resources.json"), npu::resourceJson(config, resources)});
  }

  std::map<std::string, size_t>
      numInputs_;                 ///< of functions, before the host side adds memory of its own
  std::optional<Location> work_;  ///< of the first op that computes
  Operation& module_;
  const NpuRequest& o_;
  const PassList recipe_;
  Stopwatch& watch_;
  NpuResult& result_;
};

/// Tries recipes until the array has enough of everything: DMA channels, memory, routes. Only the
/// whole way says so.
class RecipeSearch {
 public:
  RecipeSearch(Operation& module, const NpuRequest& request, Stopwatch& watch, NpuResult& result)
      : module_(module), o_(request), watch_(watch), result_(result) {}

  int run() {
    if (computesInDoubles()) return kFailure;
    const std::vector<PassList> recipes = recipesFor(module_);
    OwningOp first(module_.clone());
    int code = kSuccess;
    std::vector<Diagnostic> reported;
    {
      DiagnosticCollector collector(module_.context());
      code = compile(*first, o_, recipes[0], result_);
      reported = collector.diagnostics();
    }
    if (code == kFailure)
      for (const PassList& recipe : std::span(recipes).subspan(1))
        if (isPossible(recipe)) return compileWith(recipe, recipes[0], reported);
    addLast(recipes.back(), reported);
    for (Diagnostic& diagnostic : reported)
      module_.context().diagnostics().report(std::move(diagnostic));
    return code;
  }

 private:
  /// No recipe helps then: cores move floats of 64 bits, and have no arithmetic for them.
  bool computesInDoubles() {
    bool found = false;
    module_.walk([&](Operation& op) {
      if (found || !isComputation(op) || !hasDoubles(op)) return;
      found = true;
      op.emitOpError() << "not supported on the NPU: arithmetic on f64; f32 has all of it";
    });
    return found;
  }
  static bool hasDoubles(const Operation& op) {
    auto isDouble = [](Type type) { return elementTypeOrSelf(type).isF64(); };
    return std::ranges::any_of(op.operandTypes(), isDouble) ||
           std::ranges::any_of(op.resultTypes(), isDouble);
  }
  /// Of a core: arithmetic of a herd, or of what becomes one.
  static bool isComputation(Operation& op) {
    const std::string_view dialect = op.def().dialect;
    if (dialect == "linalg") {
      constexpr std::string_view kMoves[] = {"linalg.fill",      "linalg.copy",  "linalg.transpose",
                                             "linalg.broadcast", "linalg.yield", "linalg.generic"};
      return std::ranges::none_of(kMoves, [&](std::string_view name) { return op.is(name); });
    }
    if (dialect != "arith" && dialect != "math") return false;
    constexpr std::string_view kMoves[] = {"arith.constant", "arith.select", "arith.bitcast"};
    if (std::ranges::any_of(kMoves, [&](std::string_view name) { return op.is(name); }))
      return false;
    return op.parentOfName("air.herd") || op.parentOfName("linalg.generic");
  }

  /// Where the compiler makes herds, smaller and smaller ones; else what the author wrote, as it
  /// is. Each instance of a segment is a design.
  std::vector<PassList> recipesFor(Operation& module) const {
    bool makesHerds = false;
    PassList first;
    module.walkWith([&](Operation& op) {
      if (isa<air::HerdOp>(&op)) return WalkResult::Skip;
      if (isa<air::SegmentOp>(&op) && air::SegmentOp(&op).numDims())
        first = {{"air-unroll-segments"}};
      const bool isLoop = isa<scf::ParallelOp>(&op) || isa<scf::ForallOp>(&op);
      makesHerds |= static_cast<bool>(linalg::asStructured(&op)) || op.is("linalg.softmax") ||
                    (isLoop && isa<func::FuncOp>(op.parentOp()));
      return WalkResult::Advance;
    });
    const aie::Device& target = targetOf(o_);
    std::vector<PassList> recipes;
    auto add = [&](const PassList& passes) {
      recipes.push_back(first);
      recipes.back().insert(recipes.back().end(), passes.begin(), passes.end());
    };
    if (!makesHerds) {
      add({recipeFor(target, o_.exact)});
      add({{"inline"}, {"canonicalize"}});
      add({{"inline"}, {"air-sink-loops-into-herds"}, {"canonicalize"}});
      return recipes;
    }
    // Transfers of short tiles have fewer dimensions.
    auto addShort = [&](std::vector<int64_t> herd) {
      PassUse recipe = recipeFor(target, o_.exact, std::move(herd));
      recipe.options.push_back({"grow", false});
      add({std::move(recipe)});
    };
    add({recipeFor(target, o_.exact, wholeHerd(target))});
    addShort(wholeHerd(target));
    for (auto [columns, rows] : kSmallerHerds)
      if (columns <= target.columns && (columns != target.columns || rows != target.coreRows()))
        addShort({columns, rows});
    return recipes;
  }

  int compile(Operation& module, const NpuRequest& request, const PassList& recipe,
              NpuResult& result) {
    return NpuCompilation(module, request, recipe, watch_, result).run();
  }

  bool isPossible(const PassList& recipe) {
    FrontendOptions quiet;
    const NpuRequest request{
        quiet,     o_.tool, o_.inputText, {}, o_.noVerifyProgram, o_.objectFolders,
        o_.target, o_.exact};
    OwningOp copy(module_.clone());
    NpuResult unused;
    DiagnosticCollector silence(module_.context());
    const int code = compile(*copy, request, recipe, unused);
    last_ = silence.diagnostics();
    return code == kSuccess;
  }

  /// What stands in the way of the smallest attempt is what the user has to change.
  void addLast(const PassList& recipe, std::vector<Diagnostic>& reported) const {
    const auto first = std::ranges::find(reported, Severity::Error, &Diagnostic::severity);
    const auto last = std::ranges::find(last_, Severity::Error, &Diagnostic::severity);
    if (first == reported.end() || last == last_.end() || first->message == last->message) return;
    first->notes.push_back({Severity::Note,
                            last->location,
                            "with " + pipelineText(recipe) + ": " + last->message,
                            {},
                            0});
  }

  int compileWith(const PassList& recipe, const PassList& first,
                  const std::vector<Diagnostic>& reported) {
    const auto why = std::ranges::find(reported, Severity::Error, &Diagnostic::severity);
    if (o_.frontend.remarks && why != reported.end())
      emitRemark(module_.context(), why->location)
          << "compiled by " << pipelineText(recipe) << ", since with " << pipelineText(first)
          << ": " << why->message;
    result_ = {};
    return compile(module_, o_, recipe, result_);
  }

  Operation& module_;
  const NpuRequest& o_;
  Stopwatch& watch_;
  NpuResult& result_;
  std::vector<Diagnostic> last_;  // of the last attempt that failed
};

}  // namespace

int compileForNpu(Operation& module, const NpuRequest& request, Stopwatch& watch,
                  NpuResult& result) {
  const std::string& passes = request.frontend.pipeline;
  const bool isWhole = request.emit.aie || request.emit.needsConfig();
  if (passes.empty() && isWhole) return RecipeSearch(module, request, watch, result).run();
  PassList recipe;
  if (passes.empty()) recipe = {recipeFor(targetOf(request), request.exact)};
  return NpuCompilation(module, request, std::move(recipe), watch, result).run();
}

}  // namespace airlite::tools
