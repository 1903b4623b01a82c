#include "Compilation.hpp"

#include "Recipes.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Tensor.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/npu/lower/RuntimeStream.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/LongOps.hpp"
#include "airlite/transform/Passes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace airlite::npu {
namespace {

PassRegistry allPasses() {
  PassRegistry registry;
  registerAllPasses(registry);
  registerNpuPasses(registry);
  return registry;
}

/// The first op of a function that computes: more than the module would say.
std::optional<Location> findWork(Operation& module) {
  std::optional<Location> place;
  module.walk(
      [&](Operation& op) {
        const bool isWork = (!isPure(op) || op.name().starts_with("linalg.")) &&
                            !op.hasTrait(Trait::Terminator) && op.parentOfName("func.func");
        if (isWork && !place) place = op.location();
      },
      WalkOrder::PreOrder);
  return place;
}

}  // namespace

Compilation::Compilation(Operation& module, const CompileOptions& options, const PassList& recipe,
                         codegen::CoreCodeCache& codes, CompiledDesigns& result)
    : module_(module),
      options_(options),
      target_(*aie::findDevice(options.target)),
      recipe_(recipe),
      codes_(codes),
      result_(result) {}

Outcome Compilation::run() {
  countInputs();
  work_ = findWork(module_);
  const Outcome made = designsOf(module_).empty() ? makeDesign() : takeDesign();
  if (made != Outcome::Done) return made;
  return options_.outputs.needsConfig() ? makeFiles() : Outcome::Done;
}

void Compilation::countInputs() {
  for (Operation& op : module_.region().front().ops())
    if (auto function = dynCast<func::FuncOp>(&op))
      numInputs_[std::string(function.symName())] = function.functionType().inputs().size(),
      asWritten_.try_emplace(std::string(function.symName()), function.functionType());
}

// -- Checks -----------------------------------------------------------------------------------

namespace {

PassUse checkFor(std::string_view target, const char* cores) {
  return {"air-verify-program",
          {{"target", std::string(cores)},
           {"device", std::string(target)},
           {"resources", std::string("memory")}}};
}

}  // namespace

PassUse checkBeforeRecipe(std::string_view target) { return checkFor(target, "any"); }
PassUse checkAfterRecipe(std::string_view target) { return checkFor(target, "npu"); }

// -- Passes -------------------------------------------------------------------------------------

Outcome Compilation::runPasses(const char* step, const Pipeline& passes) {
  if (options_.onStep) options_.onStep(step);
  const PipelineOutcome outcome =
      options_.runPasses ? options_.runPasses(module_, passes) : runPipeline(module_, passes);
  if (outcome.internalError) return Outcome::Broken;
  return outcome.result == PassResult::Failed ? Outcome::Refused : Outcome::Done;
}

Outcome Compilation::runPasses(const char* step, const PassList& passes) {
  Pipeline pipeline;
  if (!addPasses(module_.context(), allPasses(), passes, pipeline)) return Outcome::Broken;
  return runPasses(step, pipeline);
}

/// The recipe is checked as every program is: what it makes must not hang or race either.
Outcome Compilation::runRecipe() {
  if (options_.recipe) return runPasses("recipe", *options_.recipe);
  PassList passes = recipe_;
  if (options_.verifyProgram) {
    const Outcome checked = runPasses("check", PassList{checkBeforeRecipe(options_.target)});
    if (checked != Outcome::Done) return checked == Outcome::Refused ? Outcome::Wrong : checked;
    passes.push_back(checkAfterRecipe(options_.target));
  }
  return runPasses("recipe", passes);
}

/// Sums of floats, which recipes add in another order.
static bool sumsFloats(Operation& op) {
  const linalg::StructuredOp structured = linalg::asStructured(&op);
  return structured && structured.reduces() &&
         elementTypeOrSelf(structured.outputs()[0].type()).isFloat();
}

/// Functions and sums of floats, which units compute in other ways. Of a function of a constant the recipe leaves a number alone.
static bool mayDifferInFloats(Operation& module) {
  return module.walkWith([](Operation& op) {
    return isLongFunction(op) || sumsFloats(op) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

Outcome Compilation::makeDesign() {
  const bool mayDiffer = floatsOf(options_) != FloatsOf::Program && mayDifferInFloats(module_);
  if (const Outcome made = runRecipe(); made != Outcome::Done) return made;
  countInputs();  // what a function returns is an argument now
  if (options_.keepsUnitSums && (mayDiffer || linalg::unitFloats(module_)))
    result_.withUnitSums = OwningOp(module_.clone());
  if (options_.outputs.air) addModule("program.mlir");
  if (!options_.outputs.needsConfig() && !options_.outputs.aie) return Outcome::Done;
  const Outcome made = lowerToDesign();
  if (made == Outcome::Done && options_.outputs.aie) addModule("design.mlir");
  return made;
}

/// The program is a design.
Outcome Compilation::takeDesign() {
  if (const Outcome made = runPasses("design", passesOfOwnDesigns()); made != Outcome::Done)
    return made;
  return checkProgress();
}

/// What the host does in turns, channel by channel, is faster. Where that would hang, it keeps to the
/// order of the program.
Outcome Compilation::lowerToDesign() {
  OwningOp before(module_.clone());
  if (const Outcome made = runPasses("design", designPasses(target_, false)); made != Outcome::Done)
    return made;
  Outcome checked = Outcome::Done;
  std::vector<Diagnostic> reported;
  {
    DiagnosticCollector collector(module_.context());
    checked = checkProgress();
    reported = collector.diagnostics();
  }
  if (checked != Outcome::Refused) {
    for (Diagnostic& diagnostic : reported)
      module_.context().diagnostics().report(std::move(diagnostic));
    return checked;
  }
  module_.region().clear();
  module_.region().takeBody(before->region());
  if (const Outcome made = runPasses("design", designPasses(target_, true)); made != Outcome::Done)
    return made;
  return checkProgress();
}

void Compilation::addModule(const char* name) {
  result_.files.push_back({name, printToString(module_)});
}

// -- Files --------------------------------------------------------------------------------------

/// What compiles must not hang, whoever has made the design.
Outcome Compilation::checkProgress() {
  if (!options_.verifyProgram) return Outcome::Done;
  return runPasses("progress", PassList{{"aie-verify-progress"}});
}

/// Arguments, and results after them, whose elements are i1.
static std::vector<size_t> boolsOf(FunctionType type) {
  std::vector<Type> types(type.inputs().begin(), type.inputs().end());
  types.insert(types.end(), type.results().begin(), type.results().end());
  std::vector<size_t> bools;
  for (size_t i = 0; i < types.size(); ++i)
    if (types[i].isa<ShapedType>() && elementTypeOrSelf(types[i]).isInteger(1)) bools.push_back(i);
  return bools;
}

Outcome Compilation::makeFiles() {
  if (const Outcome legal = runPasses("cores", corePasses()); legal != Outcome::Done) return legal;
  if (designsOf(module_).empty()) return reportNothing();
  HostPlan plan;
  if (failed(planHost(module_, plan))) return Outcome::Refused;
  if (plan.entry)
    if (const auto known = numInputs_.find(std::string(symbolName(*plan.entry)));
        known != numInputs_.end())
      plan.numArguments = known->second, plan.bools = boolsOf(asWritten_.at(known->first));
  if (const Outcome placed = placeAll(plan.steps); placed != Outcome::Done) return placed;
  warnOfTensors();
  return addFiles(plan);
}

/// What `passes` remark on the way, in which the speaker stands in front.
static std::vector<Diagnostic> remarksOf(Operation& module, const PassList& passes) {
  OwningOp copy(module.clone());
  const DiagnosticCollector collector(module.context());
  Pipeline pipeline;
  if (!addPasses(module.context(), allPasses(), passes, pipeline)) return {};
  runPipeline(*copy, pipeline, {.remarks = true});
  std::vector<Diagnostic> remarks = collector.diagnostics();
  std::erase_if(remarks, [](const Diagnostic& diagnostic) {
    return diagnostic.severity != Severity::Remark;
  });
  return remarks;
}

static std::optional<Diagnostic> noteOf(const Diagnostic& remark, std::string_view speaker) {
  if (!remark.message.starts_with(speaker)) return std::nullopt;
  return Diagnostic{Severity::Note, remark.location, remark.message.substr(speaker.size()), {}, 0};
}

/// Whether `remark` is about an op in `function`.
static bool isAbout(Operation& function, const Diagnostic& remark) {
  return function.walkWith([&](Operation& op) {
    return op.location() == remark.location ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

static bool hasTensors(Operation& function) {
  return function.walkWith([](Operation& op) {
    return tensor::usesTensors(op) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

/// Functions that the recipe has left on tensors: nothing of them is in the files.
void Compilation::warnOfTensors() const {
  for (Operation& op : module_.region().front().ops()) {
    const auto function = dynCast<func::FuncOp>(&op);
    if (!function || function.isDeclaration() || !hasTensors(op)) continue;
    InFlightDiagnostic warning = op.emitWarning();
    warning << "function '" << function.symName() << "' stays on the host: it works on tensors";
    for (const Diagnostic& remark : remarksOf(module_, {{"air-bufferize-linalg"}})) {
      const auto why = noteOf(remark, "[air-bufferize-linalg] ");
      if (!why || !isAbout(op, remark)) continue;
      warning.note(why->location) << why->message;
      break;
    }
  }
}

std::optional<Diagnostic> whyOnHost(Operation& module) {
  const std::vector<Diagnostic> remarks = remarksOf(module, {{"air-npu"}});
  for (const std::string_view speaker :
       {"[air-loops-to-cores] ", "[air-bufferize-linalg] ", "[air-tile-linalg] "})
    for (const Diagnostic& remark : remarks) {
      auto note = noteOf(remark, speaker);
      if (note && !note->message.starts_with("tiled: ")) return note;
    }
  return std::nullopt;
}

std::optional<Diagnostic> whyNoChannel(Operation& module, const PassList& recipe,
                                       Location location) {
  for (const Diagnostic& remark : remarksOf(module, recipe))
    if (remark.location == location)
      if (auto note = noteOf(remark, "[air-dma-to-channel] ")) return note;
  return std::nullopt;
}

Outcome Compilation::reportNothing() {
  InFlightDiagnostic error =
      work_ ? airlite::emitError(module_.context(), *work_) : module_.emitError();
  error << kNothingToCompile;
  if (work_) error << ": all of this stays on the host, --remarks says why";
  return Outcome::Refused;
}

/// The designs of the steps, each once. Programs of cores take longer than all else: where something else is not possible, none
/// is compiled.
Outcome Compilation::placeAll(const std::vector<HostStep>& steps) {
  std::vector<Operation*> designs;
  for (const HostStep& step : steps)
    if (std::ranges::find(designs, step.device) == designs.end()) designs.push_back(step.device);
  for (Operation* design : designs)
    if (!isForTarget(*design) || !isPossible(*design, steps)) return Outcome::Refused;
  for (Operation* design : designs)
    if (const Outcome placed = place(*design); placed != Outcome::Done) return placed;
  return Outcome::Done;
}

/// Whether all but programs of cores has a place, and the host can start it. What is said of that now is said once more when
/// it is done, unless it is an error.
bool Compilation::isPossible(Operation& design, const std::vector<HostStep>& steps) const {
  std::vector<Diagnostic> reported;
  bool isFine = false;
  {
    DiagnosticCollector collector(module_.context());
    const auto config = configureWithoutPrograms(design);
    const auto starts = [&](const HostStep& step) {
      return step.device != &design || !step.sequence || makeRuntimeStream(*step.sequence, *config);
    };
    isFine = config && (!options_.outputs.images || std::ranges::all_of(steps, starts));
    reported = collector.diagnostics();
  }
  if (!isFine)
    for (Diagnostic& diagnostic : reported)
      module_.context().diagnostics().report(std::move(diagnostic));
  return isFine;
}

bool Compilation::isForTarget(Operation& design) const {
  const aie::Device& device = aie::DeviceOp(&design).device();
  if (device.isTarget() && device.columns <= target_.columns) return true;
  design.emitOpError() << "is for device '" << device.name << "', the target is " << target_.name;
  return false;
}

Outcome Compilation::place(Operation& design) {
  if (options_.onStep) options_.onStep("configure");
  auto config = configure(
      design,
      [&](Operation& core, const codegen::CoreSurroundings& around) {
        return compileCore(core, around);
      },
      options_.objectFolders);
  if (!config) return Outcome::Refused;
  placed_.push_back({&design, std::move(*config)});
  return Outcome::Done;
}

std::optional<codegen::CoreCode> Compilation::compileCore(
    Operation& core, const codegen::CoreSurroundings& around) const {
  auto code = codes_.generate(core, around);
  if (code && options_.remarks)
    for (const codegen::LoopReport& loop : code->loops)
      emitRemark(core.context(), loop.location) << loop.text();
  return code;
}

Outcome Compilation::addFiles(const HostPlan& plan) {
  if (options_.onStep) options_.onStep("files");
  for (const PlacedDesign& design : placed_) {
    if (options_.outputs.config) result_.files.push_back(configText(design.config));
    if (options_.outputs.floorplan) result_.files.push_back(floorplan(design.config));
    if (options_.outputs.report) addReport(design.config);
  }
  if (!options_.outputs.images) return Outcome::Done;
  if (!plan.entry) {
    placed_.front().device->emitOpError() << "has no aie.runtime_sequence: nothing would start it";
    return Outcome::Refused;
  }
  auto images = imageFiles(placed_, plan);
  if (!images) return Outcome::Refused;
  std::ranges::move(*images, std::back_inserter(result_.files));
  return Outcome::Done;
}

void Compilation::addReport(const ArrayConfig& config) {
  const ResourceReport resources = resourcesOf(config);
  result_.table += resourceTable(config, resources);
  result_.files.push_back(
      {fileName(config.name, ".resources.json"), resourceJson(config, resources)});
}

}  // namespace airlite::npu
