// air-transform: runs a script of transform ops on the program.
//
// `filename` names a file with a transform.named_sequence called @__transform_main, of one
// argument: a handle to the module. Its ops run in order; each handle is a list of ops of the
// program. Supported: transform.structured.match (by names and attributes), get_parent_op (by
// name), cast, merge_handles, select, split_handle, debug.emit_remark_at, yield, and of the air ops
// get_segment_for, par_to_herd, par_to_launch, par_to_segment, override_memref_memory_space,
// linalg_to_library_call, convert_memref_copy_to_linalg_copy, transpose_reduce, hoist_static_alloc,
// normalize_for_bounds, broadcast_before_unary, convert_divf_sqrt_to_rsqrt, and those of
// ScriptSteps.cpp. Bounds of loops that nothing else uses go with them.
//
// Declines, with an error at the op of the script: other transform ops, a handle to a loop that the
// script has turned into something else. What the rewrites decline is an error at the loop. The
// program then stays as the ops before have left it.
#include "ScriptRewrites.hpp"
#include "ScriptSteps.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/text/Parser.hpp"
#include "transform/hierarchy/ParallelToHierarchy.hpp"
#include "transform/l2/OverrideMemrefMemorySpace.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

constexpr std::string_view kMain = "__transform_main";

using Ops = std::vector<Operation*>;

std::optional<std::string> readFile(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Operation* findMain(Operation& script) {
  Operation* found = nullptr;
  script.walk([&](Operation& op) {
    auto name = op.attrOf<StringAttr>("sym_name");
    if (op.is("transform.named_sequence") && name && name.value() == kMain) found = &op;
  });
  return found;
}

int64_t integerOr(const Operation& op, std::string_view name, int64_t otherwise) {
  auto attr = op.attrOf<IntegerAttr>(name);
  return attr ? attr.value() : otherwise;
}

/// Has all of `wanted` with these values.
bool hasAttributes(const Operation& op, DictionaryAttr wanted) {
  return std::ranges::all_of(wanted.value(), [&](const NamedAttribute& attr) {
    return op.attr(attr.name.str()) == attr.value;
  });
}

/// Erases what nothing but a loop that is gone has used; adds it to `erased`.
void eraseUnused(const std::vector<Value>& values, std::unordered_set<Operation*>& erased) {
  std::unordered_set<Operation*> ops;
  for (Value value : values)
    if (Operation* op = value.definingOp()) ops.insert(op);
  for (Operation* op : ops) {
    if (!isTriviallyDead(*op)) continue;
    erased.insert(op);
    op->erase();
  }
}

// -- Rewrites of what a handle holds --------------------------------------------------------------

struct Rewrite {
  std::string_view target;  // the only ops that it takes; "": any
  void (*run)(Operation& script, Operation& target, PassContext& context,
              std::unordered_set<Operation*>& erased);
};

const std::unordered_map<std::string_view, Rewrite>& rewrites() {
  using Erased = std::unordered_set<Operation*>;
  static const std::unordered_map<std::string_view, Rewrite> kRewrites = {
      {"transform.air.convert_memref_copy_to_linalg_copy",
       {"",
        [](Operation&, Operation& root, PassContext& context, Erased& erased) {
          context.declareEffectChange(CountedEffect::Store, "memref.copy becomes linalg.copy");
          copiesToLinalg(root, context, erased);
        }}},
      {"transform.air.transpose_reduce",
       {"linalg.reduce", [](Operation&, Operation& reduce, PassContext& context,
                            Erased&) { transposeReduce(reduce, context); }}},
      {"transform.air.hoist_static_alloc",
       {"", [](Operation&, Operation& root, PassContext& context,
               Erased&) { hoistStaticAllocs(root, context); }}},
      {"transform.air.normalize_for_bounds",
       {"scf.for", [](Operation&, Operation& loop, PassContext& context,
                      Erased&) { normalizeForBounds(loop, context); }}},
      {"transform.air.broadcast_before_unary",
       {"",
        [](Operation& script, Operation& root, PassContext&, Erased& erased) {
          auto name = script.attrOf<StringAttr>("op_name");
          broadcastBeforeUnary(root, name ? name.value() : std::string_view(), erased);
        }}},
      {"transform.air.flatten_for_iter_args",
       {"scf.for",
        [](Operation&, Operation& loop, PassContext&, Erased&) { flattenIterArgs(loop); }}},
      {"transform.air.eliminate_redundant_vector_transfers",
       {"", [](Operation&, Operation& root, PassContext&,
               Erased& erased) { dropRedundantReads(root, erased); }}},
      {"transform.air.eliminate_cascade_memcpy",
       {"", [](Operation&, Operation& root, PassContext& context,
               Erased& erased) { joinCascadedCopies(root, context, erased); }}},
      {"transform.air.fuse_elementwise_linalg",
       {"", [](Operation&, Operation& root, PassContext&,
               Erased& erased) { fuseElementwise(root, erased); }}},
      {"transform.air.remove_uninitialized_copy",
       {"", [](Operation&, Operation& root, PassContext& context,
               Erased& erased) { removeUninitializedCopies(root, context, erased); }}},
      {"transform.air.convert_size1_vector_to_scalar",
       {"", [](Operation&, Operation& root, PassContext&,
               Erased& erased) { oneElementVectorsToScalars(root, erased); }}},
      {"transform.air.convert_divf_sqrt_to_rsqrt",
       {"", [](Operation&, Operation& root, PassContext&,
               Erased& erased) { rsqrtForDivision(root, erased); }}},
  };
  return kRewrites;
}

// -- Running a script -----------------------------------------------------------------------------

class Interpreter {
 public:
  Interpreter(Operation& module, PassContext& context) : module_(module), context_(context) {}

  LogicalResult run(Operation& sequence) {
    Block& body = sequence.region().front();
    if (body.numArguments() != 1)
      return sequence.emitOpError() << "expected one argument: the handle to the program";
    handles_[body.argument(0)].ops = {&module_};
    for (Operation& op : body.ops())
      if (failed(runOp(op))) return failure();
    return success();
  }

 private:
  struct Handle {
    Ops ops;
    bool isStale = false;  // one of the ops is gone
  };
  using RunFn = LogicalResult (Interpreter::*)(Operation& op, const Ops& target, Ops& result);

  LogicalResult runOp(Operation& op) {
    if (op.is("transform.yield")) return success();
    RunFn run = functionFor(op);
    ScriptStepFn step = findScriptStep(op.name());
    if (!run && !step) return op.emitOpError() << "not supported: this op in a script";
    Ops target, result;
    for (Value operand : op.operands()) {
      const Handle& handle = handles_[operand];
      if (handle.isStale) return op.emitOpError() << "uses a handle to an op that is gone";
      target.insert(target.end(), handle.ops.begin(), handle.ops.end());
    }
    if (step) return runStep(op, step);
    if (failed((this->*run)(op, target, result))) return failure();
    if (op.numResults() > 0) handles_[op.result()].ops = std::move(result);
    return success();
  }

  static RunFn functionFor(const Operation& op) {
    static const std::unordered_map<std::string_view, RunFn> kFunctions = {
        {"transform.structured.match", &Interpreter::match},
        {"transform.get_parent_op", &Interpreter::parents},
        {"transform.cast", &Interpreter::same},
        {"transform.merge_handles", &Interpreter::merge},
        {"transform.select", &Interpreter::select},
        {"transform.debug.emit_remark_at", &Interpreter::remark},
        {"transform.air.get_segment_for", &Interpreter::segments},
        {"transform.air.par_to_herd", &Interpreter::toHerd},
        {"transform.air.par_to_launch", &Interpreter::toLaunch},
        {"transform.air.par_to_segment", &Interpreter::toSegment},
        {"transform.air.override_memref_memory_space", &Interpreter::overrideSpace},
        {"transform.air.linalg_to_library_call", &Interpreter::toLibraryCall},
    };
    if (rewrites().count(op.name())) return &Interpreter::rewrite;
    auto found = kFunctions.find(op.name());
    return found == kFunctions.end() ? nullptr : found->second;
  }

  LogicalResult runStep(Operation& op, ScriptStepFn function);
  LogicalResult match(Operation& op, const Ops& target, Ops& result);
  LogicalResult parents(Operation& op, const Ops& target, Ops& result);
  LogicalResult around(Operation& op, const Ops& target, std::string_view name, Ops& result);
  LogicalResult same(Operation&, const Ops& target, Ops& result) {
    result = target;
    return success();
  }
  LogicalResult merge(Operation& op, const Ops& target, Ops& result);
  LogicalResult select(Operation& op, const Ops& target, Ops& result);
  LogicalResult remark(Operation& op, const Ops& target, Ops& result);
  LogicalResult segments(Operation& op, const Ops& target, Ops& result) {
    return around(op, target, "air.segment", result);
  }
  LogicalResult convert(const Ops& target, const LoopConversion& how, Ops& result);
  LogicalResult toHerd(Operation& op, const Ops& target, Ops& result) {
    return convert(target, {HierarchyLevel::Herd, integerOr(op, "first_dim", 0)}, result);
  }
  LogicalResult toLaunch(Operation& op, const Ops& target, Ops& result) {
    bool hasSegment = integerOr(op, "has_air_segment", 0) != 0;
    return convert(target, {HierarchyLevel::Launch, 0, hasSegment}, result);
  }
  LogicalResult toSegment(Operation& op, const Ops& target, Ops& result) {
    if (integerOr(op, "has_air_segment", 0) != 0)
      return op.emitOpError() << "not supported: a segment in a segment";
    return convert(target, {HierarchyLevel::Segment}, result);
  }

  LogicalResult overrideSpace(Operation& op, const Ops& target, Ops& result);
  LogicalResult toLibraryCall(Operation& op, const Ops& target, Ops& result);
  LogicalResult rewrite(Operation& op, const Ops& target, Ops& result);
  /// Handles to these ops are not to be used any more.
  void retire(const std::unordered_set<Operation*>& erased);

  Operation& module_;
  PassContext& context_;
  std::unordered_map<Value, Handle> handles_;
};

LogicalResult Interpreter::runStep(Operation& op, ScriptStepFn function) {
  std::vector<Ops> operands;
  for (Value operand : op.operands())
    operands.push_back(handles_[operand].ops);
  ScriptStep step{op, operands, std::vector<Ops>(op.numResults()), {}, context_};
  if (failed(function(step))) return failure();
  retire(step.erased);
  for (unsigned i = 0; i < op.numResults(); ++i)
    handles_[op.result(i)].ops = std::move(step.results[i]);
  return success();
}

LogicalResult Interpreter::match(Operation& op, const Ops& target, Ops& result) {
  for (std::string_view filter : {"interface", "filter_result_type", "filter_operand_types"})
    if (op.hasAttr(filter))
      return op.emitOpError() << "not supported: to match by '" << filter << "'";
  std::unordered_set<std::string_view> names;
  auto wanted = op.attrOf<ArrayAttr>("ops");
  for (size_t i = 0; wanted && i < wanted.size(); ++i)
    names.insert(wanted[i].cast<StringAttr>().value());
  auto attributes = op.attrOf<DictionaryAttr>("op_attrs");
  for (Operation* root : target)
    root->walk(
        [&](Operation& inner) {
          bool isMatch = (!wanted || names.count(inner.name())) &&
                         (!attributes || hasAttributes(inner, attributes));
          if (&inner != root && isMatch) result.push_back(&inner);
        },
        WalkOrder::PreOrder);
  return success();
}

LogicalResult Interpreter::parents(Operation& op, const Ops& target, Ops& result) {
  for (std::string_view filter : {"isolated_from_above", "deduplicate", "allow_empty_results"})
    if (op.hasAttr(filter)) return op.emitOpError() << "not supported: '" << filter << "'";
  if (integerOr(op, "nth_parent", 1) != 1) return op.emitOpError() << "not supported: 'nth_parent'";
  auto name = op.attrOf<StringAttr>("op_name");
  return around(op, target, name ? name.value() : std::string_view(), result);
}

/// The nearest op of this name (any for "") around each of `target`, each once.
LogicalResult Interpreter::around(Operation& op, const Ops& target, std::string_view name,
                                  Ops& result) {
  for (Operation* inner : target) {
    Operation* parent = name.empty() ? inner->parentOp() : inner->parentOfName(name);
    if (!parent) return op.emitOpError() << "found no op around '" << inner->name() << "'";
    if (std::find(result.begin(), result.end(), parent) == result.end()) result.push_back(parent);
  }
  return success();
}

LogicalResult Interpreter::merge(Operation& op, const Ops& target, Ops& result) {
  std::unordered_set<Operation*> seen;
  for (Operation* inner : target)
    if (!op.hasAttr("deduplicate") || seen.insert(inner).second) result.push_back(inner);
  return success();
}

LogicalResult Interpreter::select(Operation& op, const Ops& target, Ops& result) {
  std::string_view name = op.attrOf<StringAttr>("op_name").value();
  std::copy_if(target.begin(), target.end(), std::back_inserter(result),
               [&](Operation* inner) { return inner->is(name); });
  return success();
}

LogicalResult Interpreter::remark(Operation& op, const Ops& target, Ops&) {
  auto message = op.attrOf<StringAttr>("message");
  for (Operation* inner : target)
    inner->emitRemark() << (message ? message.value() : std::string_view());
  return success();
}

LogicalResult Interpreter::convert(const Ops& target, const LoopConversion& how, Ops& result) {
  std::unordered_set<Operation*> consumed(target.begin(), target.end());
  if (consumed.size() != target.size())
    return target.front()->emitOpError() << "is to be converted twice";
  for (Operation* loop : target) {
    bool isLoop = loop->is("scf.parallel") || loop->is("scf.forall");
    if (!isLoop) return loop->emitOpError() << "expected a parallel loop";
    std::vector<Value> bounds = loop->operands().vec();
    air::HierarchyOp op = convertLoop(*loop, how, context_);
    if (!op) return failure();
    result.push_back(op.op());
    eraseUnused(bounds, consumed);
  }
  retire(consumed);
  return success();
}

void Interpreter::retire(const std::unordered_set<Operation*>& erased) {
  for (auto& [value, handle] : handles_)
    for (Operation* op : handle.ops)
      handle.isStale |= erased.count(op) > 0;
}

LogicalResult Interpreter::toLibraryCall(Operation& op, const Ops& target, Ops& result) {
  auto text = [&](std::string_view name) {
    auto attr = op.attrOf<StringAttr>(name);
    return attr ? attr.value() : std::string_view();
  };
  for (CountedEffect effect : {CountedEffect::Store, CountedEffect::Dma})
    context_.declareEffectChange(effect, "linalg ops become calls");
  LibraryCall how{text("function_name"), text("link_with"), false, false};
  std::unordered_set<Operation*> erased;
  for (Operation* linalg : target) {
    if (linalg->def().dialect != "linalg")
      return linalg->emitOpError() << "is not a linalg op that could become a call";
    if (!erased.insert(linalg).second) return op.emitOpError() << "is given one op twice";
    Operation* call = callLibrary(*linalg, how);
    if (!call) return failure();
    result.push_back(call);
  }
  retire(erased);
  return success();
}

LogicalResult Interpreter::rewrite(Operation& op, const Ops& target, Ops& result) {
  const Rewrite& how = rewrites().at(op.name());
  std::unordered_set<Operation*> erased;
  for (Operation* root : target) {
    if (erased.count(root)) return op.emitOpError() << "is given an op that it has replaced";
    if (!how.target.empty() && !root->is(how.target))
      return root->emitOpError() << "is not '" << how.target << "', as '" << op.name() << "' wants";
    how.run(op, *root, context_, erased);
  }
  retire(erased);
  std::ranges::copy_if(target, std::back_inserter(result),
                       [&](Operation* root) { return erased.count(root) == 0; });
  return success();
}

LogicalResult Interpreter::overrideSpace(Operation& op, const Ops& target, Ops& result) {
  int64_t space = integerOr(op, "memory_space", 0);
  if (space < 0 || space > 2) return op.emitOpError() << "memory_space is 0, 1 or 2, not " << space;
  for (Operation* scope : target) {
    bool isScope = scope->is("func.func") || scope->is("air.launch") || scope->is("air.segment") ||
                   scope->is("air.herd");
    if (!isScope)
      return scope->emitOpError()
             << "is not a function, launch, segment or herd, whose buffers get "
                "another memory space";
    air::overrideMemorySpace(*scope, space, context_);
  }
  result = target;
  return success();
}

class AirTransform : public Pass {
 public:
  AirTransform() : Pass("air-transform", "Runs a script of transform ops") {
    anchor("builtin.module");
    option("filename", filename_, "the file with the script");
    example("airlite-opt --air-transform='filename=script.mlir' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::optional<std::string> text = readFile(filename_);
    if (!text) {
      module.emitError() << "cannot read the script '" << filename_ << "'";
      return PassResult::Failed;
    }
    OwningOp script = parseSource(module.context(), std::move(*text), filename_);
    if (!script) return PassResult::Failed;
    Operation* main = findMain(*script);
    if (!main) {
      script->emitError() << "expected a transform.named_sequence @" << kMain;
      return PassResult::Failed;
    }
    if (failed(Interpreter(module, context).run(*main))) return PassResult::Failed;
    return PassResult::Changed;
  }

 private:
  std::string filename_;
};

}  // namespace

void registerAirTransform(PassRegistry& registry) { registry.add<AirTransform>(); }

}  // namespace airlite
