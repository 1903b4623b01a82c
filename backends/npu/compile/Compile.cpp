#include "airlite/npu/compile/Compile.hpp"

#include "Compilation.hpp"
#include "Recipes.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/transform/TileHints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace airlite::npu {
namespace {

bool hasDoubles(const Operation& op) {
  auto isDouble = [](Type type) { return elementTypeOrSelf(type).isF64(); };
  return std::ranges::any_of(op.operandTypes(), isDouble) ||
         std::ranges::any_of(op.resultTypes(), isDouble);
}

/// Of a core: arithmetic of a herd, or of what becomes one.
bool isComputation(Operation& op) {
  const std::string_view dialect = op.def().dialect;
  if (dialect == "linalg") {
    constexpr std::string_view kMoves[] = {"linalg.fill",      "linalg.copy",  "linalg.transpose",
                                           "linalg.broadcast", "linalg.yield", "linalg.generic"};
    return std::ranges::none_of(kMoves, [&](std::string_view name) { return op.is(name); });
  }
  if (dialect != "arith" && dialect != "math") return false;
  constexpr std::string_view kMoves[] = {"arith.constant", "arith.select", "arith.bitcast"};
  if (std::ranges::any_of(kMoves, [&](std::string_view name) { return op.is(name); })) return false;
  return op.parentOfName("air.herd") || op.parentOfName("linalg.generic");
}

/// No recipe helps then: cores move floats of 64 bits, and have no arithmetic for them.
bool computesInDoubles(Operation& module) {
  bool found = false;
  module.walk([&](Operation& op) {
    if (found || !isComputation(op) || !hasDoubles(op)) return;
    found = true;
    op.emitOpError() << "not supported on the NPU: arithmetic on f64; f32 has all of it";
  });
  return found;
}

/// Its elements have 64 bits on the host and 32 on cores, so no transfer brings them.
bool takesIndices(Operation& module) {
  const auto hasIndices = [](Type type) {
    return type.isa<ShapedType>() && elementTypeOrSelf(type).isIndex();
  };
  bool found = false;
  for (Operation& op : module.region().front().ops()) {
    const auto function = dynCast<func::FuncOp>(&op);
    if (!function || function.isDeclaration() || found) continue;
    const FunctionType type = function.functionType();
    found = std::ranges::any_of(type.inputs(), hasIndices) ||
            std::ranges::any_of(type.results(), hasIndices);
    if (found)
      op.emitOpError() << "not supported on the NPU: memory of the host with elements of type "
                          "index; i32 and i64 have a size";
  }
  return found;
}

using Diagnostics = std::vector<Diagnostic>;

/// The end where there is none.
auto firstError(auto& reported) {
  return std::ranges::find(reported, Severity::Error, &Diagnostic::severity);
}

/// Tries recipes until the array has enough of everything: DMA channels, memory, routes. Only the
/// whole way says so.
class RecipeSearch {
 public:
  RecipeSearch(Operation& module, const CompileOptions& options, CompiledDesigns& result,
               LoopsOf loops = LoopsOf::Arrays)
      : module_(module), options_(options), result_(result), loops_(loops) {}

  Outcome run() {
    if (computesInDoubles(module_) || takesIndices(module_)) return Outcome::Refused;
    const std::vector<PassList> recipes =
        recipesFor(module_, *aie::findDevice(options_.target), floatsOf(options_), loops_);
    Diagnostics reported;
    Outcome outcome = attempt(module_, recipes[0], reported);
    if (outcome == Outcome::Refused && !isTooLong(reported)) {
      if (withOtherPlans(recipes[0], reported)) return Outcome::Done;
      for (const PassList& recipe : std::span(recipes).subspan(1))
        if (isPossible(recipe)) return compileWith(recipe, recipes[0], reported);
    }
    addLast(recipes.back(), reported);
    if (outcome == Outcome::Refused || outcome == Outcome::Wrong) addChoice(reported);
    addHostReason(reported);
    addChannelReason(recipes[0], reported);
    reportAll(reported);
    return outcome;
  }

 private:
  Outcome compile(Operation& module, const CompileOptions& options, const PassList& recipe,
                  CompiledDesigns& result) {
    return Compilation(module, options, recipe, codes_, result).run();
  }

  /// Of a copy.
  Outcome attempt(Operation& module, const PassList& recipe, Diagnostics& reported) {
    OwningOp copy(module.clone());
    DiagnosticCollector collector(module.context());
    result_ = {};
    const Outcome outcome = compile(*copy, options_, recipe, result_);
    reported = collector.diagnostics();
    return outcome;
  }

  /// The array may have no room for what one product needs: only that one gets its next best plan, then fewer ops that are
  /// computed with it, and all other ops stay as fast as they are.
  bool withOtherPlans(const PassList& recipe, const Diagnostics& first) {
    OwningOp marked(module_.clone());
    Diagnostics reported = first, remarks;
    while (Operation* product = productAt(*marked, reported)) {
      const std::string_view next = markNext(*product);
      if (next.empty()) return false;
      remarks.push_back(nextRemark(next, reported));
      const Outcome outcome = attempt(*marked, recipe, reported);
      if (outcome == Outcome::Refused) continue;
      if (outcome != Outcome::Done) return false;
      if (options_.remarks) reportAll(remarks);
      reportAll(reported);
      return true;
    }
    return false;
  }

  /// What is tried next with a product that did not fit: told by hints that it has already. Empty: nothing.
  static std::string_view markNext(Operation& product) {
    constexpr int64_t kMostPlans = 4;
    Context& context = product.context();
    auto valueOf = [&](std::string_view hint, int64_t otherwise) {
      const auto attr = product.attrOf<IntegerAttr>(hint);
      return attr ? attr.value() : otherwise;
    };
    const int64_t tried = valueOf(tiling::kPlansTried, 0) + 1;
    constexpr int64_t kAny = 2;  // as many as asked for, before one and none are tried
    const int64_t followers = std::min(kAny, valueOf(tiling::kFollowersHint, kAny));
    const bool hasPlans = followers != 1 && tried <= kMostPlans;
    if (!hasPlans && followers == 0) return {};
    product.setAttr(tiling::kPlansTried, IntegerAttr::getIndex(context, hasPlans ? tried : 0));
    if (hasPlans) return "its next best plan is taken";
    product.setAttr(tiling::kFollowersHint, IntegerAttr::getIndex(context, followers - 1));
    return followers == kAny ? "one op at most is computed with it"
                             : "no other op is computed with it";
  }

  /// The product of matrices that the first error is about; null when it is about something else.
  static Operation* productAt(Operation& module, const Diagnostics& reported) {
    const auto error = firstError(reported);
    Operation* found = nullptr;
    if (error == reported.end() || error->location.isUnknown()) return found;
    module.walk([&](Operation& op) {
      const linalg::StructuredOp structured = linalg::asStructured(&op);
      if (!found && op.location() == error->location && structured &&
          linalg::multipliesMatrices(structured))
        found = &op;
    });
    return found;
  }

  static Diagnostic nextRemark(std::string_view next, const Diagnostics& reported) {
    const auto error = firstError(reported);
    return {Severity::Remark,
            error->location,
            std::string(next) + ", since before: " + error->message,
            {},
            0};
  }

  /// Remarks only where they are asked for: some passes make them in any case.
  /// What each core of a herd says is said once.
  void reportAll(const Diagnostics& diagnostics) const {
    for (auto at = diagnostics.begin(); at != diagnostics.end(); ++at) {
      const bool isSaid = std::any_of(diagnostics.begin(), at, [&](const Diagnostic& before) {
        return before.location == at->location && before.message == at->message;
      });
      if (!isSaid && (options_.remarks || at->severity != Severity::Remark))
        module_.context().diagnostics().report(*at);
    }
  }

  /// The first recipe uses most of the array: no other one has fewer transfers of the host.
  static bool isTooLong(const Diagnostics& reported) {
    return std::ranges::any_of(reported, [](const Diagnostic& diagnostic) {
      return diagnostic.message.find("max-transfers") != std::string::npos;
    });
  }

  /// An attempt says nothing and shows nothing; its time counts.
  bool isPossible(const PassList& recipe) {
    CompileOptions quiet = options_;
    quiet.outputs = {};
    quiet.keepsUnitSums = quiet.remarks = false;
    quiet.runPasses = {};
    OwningOp copy(module_.clone());
    CompiledDesigns unused;
    DiagnosticCollector silence(module_.context());
    const Outcome outcome = compile(*copy, quiet, recipe, unused);
    last_ = silence.diagnostics();
    return outcome == Outcome::Done;
  }

  /// A design is of one function: where there are several, that may be all that is wrong.
  void addChoice(Diagnostics& reported) const {
    constexpr std::string_view kOption = "--function";
    std::vector<Operation*> functions;
    for (Operation& op : module_.region().front().ops())
      if (auto function = dynCast<func::FuncOp>(&op);
          function && !function.isDeclaration() && !function.isPrivate())
        functions.push_back(&op);
    const auto first = firstError(reported);
    if (functions.size() < 2 || first == reported.end() ||
        first->message.find(kOption) != std::string::npos)
      return;
    first->notes.push_back({Severity::Note, functions[1]->location(),
                            "there are several functions; " + std::string(kOption) +
                                " says which function to compile"});
  }

  /// Of a program that stays on the host.
  void addHostReason(Diagnostics& reported) const {
    const auto first = firstError(reported);
    if (first == reported.end() || !first->message.starts_with(kNothingToCompile)) return;
    if (std::optional<Diagnostic> why = whyOnHost(module_)) first->notes.push_back(std::move(*why));
  }

  /// Of a copy of a core, which the recipe would have made a channel.
  void addChannelReason(const PassList& recipe, Diagnostics& reported) const {
    const auto first = firstError(reported);
    if (first == reported.end() || !isCopyOfCore(first->location)) return;
    if (std::optional<Diagnostic> why = whyNoChannel(module_, recipe, first->location))
      first->notes.insert(first->notes.begin(), std::move(*why));
  }

  bool isCopyOfCore(Location location) const {
    bool found = false;
    module_.walk([&](Operation& op) {
      const bool isCopy =
          op.is("air.dma_memcpy_nd") || op.is("memref.copy") || op.is("linalg.copy");
      found = found || (isCopy && op.location() == location && op.parentOf<air::HerdOp>());
    });
    return found;
  }

  /// What stands in the way of the smallest attempt is what the user has to change.
  void addLast(const PassList& recipe, Diagnostics& reported) const {
    const auto first = firstError(reported);
    const auto last = firstError(last_);
    if (first == reported.end() || last == last_.end() || first->message == last->message) return;
    first->notes.push_back({Severity::Note,
                            last->location,
                            "with " + pipelineText(recipe) + ": " + last->message,
                            {},
                            0});
  }

  Outcome compileWith(const PassList& recipe, const PassList& first, const Diagnostics& reported) {
    const auto why = firstError(reported);
    if (options_.remarks && why != reported.end())
      emitRemark(module_.context(), why->location)
          << "compiled by " << pipelineText(recipe) << ", since with " << pipelineText(first)
          << ": " << why->message;
    result_ = {};
    return compile(module_, options_, recipe, result_);
  }

  Operation& module_;
  const CompileOptions& options_;
  CompiledDesigns& result_;
  LoopsOf loops_;
  codegen::CoreCodeCache codes_;
  Diagnostics last_;  // of the last attempt that failed
};

void reportAll(Context& context, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    context.diagnostics().report(diagnostic);
}

/// Loops on arrays are ops on them, of which the recipes choose tiles; where the array has no room for what they choose, the loops
/// are the work of one core.
Outcome compileWhole(Operation& module, const CompileOptions& options, CompiledDesigns& result) {
  const auto compile = [&](Operation& program, LoopsOf loops, Diagnostics& reported) {
    DiagnosticCollector collector(module.context());
    result = {};
    const Outcome outcome = RecipeSearch(program, options, result, loops).run();
    reported = collector.diagnostics();
    return outcome;
  };
  OwningOp raised(module.clone());
  if (!raiseLoops(*raised)) return RecipeSearch(module, options, result).run();
  Diagnostics ofArrays, ofLoops;
  const Outcome first = compile(*raised, LoopsOf::Arrays, ofArrays);
  if (first == Outcome::Done || first == Outcome::Broken)
    return reportAll(module.context(), ofArrays), first;
  const Outcome second = compile(module, LoopsOf::Program, ofLoops);
  reportAll(module.context(), second == Outcome::Refused ? ofArrays : ofLoops);
  if (const auto why = firstError(ofArrays);
      second == Outcome::Done && options.remarks && why != ofArrays.end())
    emitRemark(module.context(), why->location)
        << "loops stay the work of one core, since as linalg ops: " << why->message;
  return second;
}

Outcome compileInto(Operation& module, const CompileOptions& options, CompiledDesigns& result) {
  const bool isWhole = options.outputs.aie || options.outputs.needsConfig();
  if (!options.recipe && isWhole) return compileWhole(module, options, result);
  const PassList recipe = {recipeFor(*aie::findDevice(options.target), floatsOf(options))};
  codegen::CoreCodeCache codes;
  return Compilation(module, options, recipe, codes, result).run();
}

/// The error is a diagnostic, too.
Result<void> checkFloats(Operation& module, const CompileOptions& options) {
  if (!options.floatBlocks) return {};
  const aie::Device* device = aie::findDevice(options.target);
  std::string why;
  if (options.exact) why = "blocks of floats and exact floats exclude each other";
  if (device->generation != aie::Generation::Aie2p)
    why = fmt::format("not supported: blocks of floats on {}; npu2 has them", options.target);
  if (why.empty()) return {};
  Block& body = module.region().front();
  emitError(module.context(), body.empty() ? module.location() : body.front().location()) << why;
  return Error{why};
}

Result<void> checkTarget(std::string_view name) {
  const aie::Device* device = aie::findDevice(name);
  if (device && device->isTarget()) return {};
  std::string targets;
  for (const aie::Device& known : aie::devices())
    if (known.isTarget()) targets += (targets.empty() ? "" : ", ") + std::string(known.name);
  return Error{fmt::format("there is no NPU target '{}': {}", name, targets)};
}

}  // namespace

std::vector<std::string> recipesOf(Operation& module, const CompileOptions& options) {
  const aie::Device* device = aie::findDevice(options.target);
  std::vector<std::string> texts;
  if (device)
    for (const PassList& recipe : recipesFor(module, *device, floatsOf(options), LoopsOf::Arrays))
      texts.push_back(pipelineText(recipe));
  return texts;
}

Result<CompiledDesigns> compileForNpu(Operation& module, const CompileOptions& options) {
  if (const auto known = checkTarget(options.target); !known) return known.error();
  if (const auto checked = checkFloats(module, options); !checked) return checked.error();
  CompiledDesigns result;
  switch (compileInto(module, options, result)) {
    case Outcome::Done: return result;
    case Outcome::Refused:
    case Outcome::Wrong:
      return Error{fmt::format("the program cannot be compiled for {}", options.target)};
    case Outcome::Broken: return Error{"internal error of the compiler"};
  }
  return result;
}

}  // namespace airlite::npu
