// The transform dialect: sequences, and the ops that run other sequences or regions.
#include "FunctionSyntax.hpp"
#include "TransformInternal.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::transform {

namespace {

using func::FuncOp;

constexpr std::string_view kNamedSequence = "transform.named_sequence";
constexpr std::string_view kSequence = "transform.sequence";
constexpr std::string_view kForeach = "transform.foreach";
constexpr std::string_view kInclude = "transform.include";
constexpr std::string_view kYield = "transform.yield";
constexpr std::string_view kConsumed = "transform.consumed";
constexpr std::string_view kReadOnly = "transform.readonly";
constexpr std::string_view kWithNamedSequence = "transform.with_named_sequence";

constexpr std::array<std::string_view, 2> kFailureModes = {"propagate", "suppress"};
constexpr AttrConstraint kFailureMode =
    WordAsInteger<kFailureModes, 1>::constraint("a failure mode, one of: propagate, suppress");

/// A named sequence has the attributes and the region of a function.
FuncOp asNamedSequence(Operation* op) {
  return op && op->is(kNamedSequence) ? FuncOp(op) : FuncOp();
}

bool isMarked(FuncOp sequence, unsigned argument, std::string_view mark) {
  return static_cast<bool>(sequence.argAttr(argument, mark));
}

// -- Which handles a region invalidates ----------------------------------------------------------

using ValueSet = std::unordered_set<Value>;

/// Does `use` invalidate its handle? `consumed`: what the regions of the owner invalidate.
bool isConsuming(const OpOperand& use, const ValueSet& consumed) {
  Operation& op = *use.owner();
  if (op.is(kForeach) || op.is(kSequence)) {
    Region& body = op.region();
    bool hasArgument = !body.empty() && use.index() < body.front().numArguments();
    return hasArgument && consumed.contains(body.front().argument(use.index()));
  }
  if (op.is(kInclude)) {
    FuncOp callee = asNamedSequence(lookupSymbol(&op, op.attrOf<SymbolRefAttr>("target")));
    return callee && use.index() < callee.numArguments() &&
           isMarked(callee, use.index(), kConsumed);
  }
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return false;
  return std::ranges::any_of(effects, [&](const EffectInstance& effect) {
    return effect.effect == Effect::Free && effect.value == use.get();
  });
}

/// The handles that ops in `region` invalidate. Inner ops come before the ops around them.
ValueSet consumedIn(Region& region) {
  ValueSet consumed;
  region.walk([&](Operation& op) {
    for (unsigned i = 0; i < op.numOperands(); ++i)
      if (isConsuming(op.opOperand(i), consumed)) consumed.insert(op.operand(i));
  });
  return consumed;
}

// -- named_sequence ------------------------------------------------------------------------------

LogicalResult verifyScope(Operation& op) {
  Operation* table = op.parentOp();
  if (!table || table->hasAttr(kWithNamedSequence)) return success();
  InFlightDiagnostic error = op.emitError();
  error << "expects the parent symbol table to have the '" << kWithNamedSequence << "' attribute";
  error.note(table->location()) << "symbol table operation";
  return error;
}

LogicalResult verifyTerminator(FuncOp sequence) {
  Operation& op = *sequence;
  Operation* last = sequence.entry().empty() ? nullptr : &sequence.entry().back();
  if (last && last->is(kYield)) return success();
  InFlightDiagnostic error = op.emitError();
  error << "expected '" << kYield << "' as terminator";
  if (last) error.note(last->location()) << "terminator";
  return error;
}

LogicalResult verifyYielded(FuncOp sequence) {
  Operation& yield = sequence.entry().back();
  std::span<const Type> results = sequence.functionType().results();
  if (yield.numOperands() != results.size())
    return yield.emitError() << "expected terminator to have as many operands as the parent op "
                                "has results";
  for (unsigned i = 0; i < results.size(); ++i)
    if (yield.operand(i).type() != results[i])
      return yield.emitError() << "the type of the terminator operand #" << i
                               << " must match the type of the corresponding parent op result ("
                               << yield.operand(i).type() << " vs " << results[i] << ")";
  return success();
}

/// `called`: others see the marks of the arguments only.
LogicalResult verifyMarksAreThere(FuncOp sequence) {
  for (unsigned i = 0; i < sequence.numArguments(); ++i) {
    if (isMarked(sequence, i, kConsumed) || isMarked(sequence, i, kReadOnly)) continue;
    return sequence->emitError() << "must provide consumed/readonly status for arguments of "
                                    "external or called ops";
  }
  return success();
}

LogicalResult verifyMarks(FuncOp sequence) {
  ValueSet consumed;
  if (!sequence.isDeclaration()) consumed = consumedIn(sequence.body());
  for (unsigned i = 0; i < sequence.numArguments(); ++i) {
    bool isConsumed = isMarked(sequence, i, kConsumed);
    bool isReadOnly = isMarked(sequence, i, kReadOnly);
    if (isConsumed && isReadOnly)
      return sequence->emitError() << "argument #" << i << " cannot be both readonly and consumed";
    if (sequence.isDeclaration()) continue;
    bool found = consumed.contains(sequence.argument(i));
    if (found && isReadOnly)
      return sequence->emitError()
             << "argument #" << i << " is consumed in the body but is not marked as such";
    if (!found && isConsumed)
      sequence->emitWarning() << "op argument #" << i
                              << " is not consumed in the body but is marked as consumed";
  }
  return sequence.isDeclaration() ? verifyMarksAreThere(sequence) : success();
}

/// Looks for a cycle of includes, once for all sequences of a symbol table.
class RecursionCheck {
 public:
  explicit RecursionCheck(Operation& table) : symbols_(table) {}

  LogicalResult visit(FuncOp root) {
    if (!done_.insert(root.op()).second) return success();
    enter(root);
    while (!stack_.empty())
      if (failed(step())) return failure();
    return success();
  }

 private:
  struct Frame {
    Operation* sequence;
    std::vector<Operation*> callees;
  };

  void enter(FuncOp sequence) {
    open_.insert(sequence.op());
    Frame& frame = stack_.emplace_back(Frame{sequence.op(), {}});
    sequence.body().walk([&](Operation& op) {
      if (!op.is(kInclude)) return;
      auto target = op.attrOf<SymbolRefAttr>("target");
      Operation* callee = target ? symbols_.find(target.root()) : nullptr;
      if (asNamedSequence(callee)) frame.callees.push_back(callee);
    });
  }

  LogicalResult step() {
    Frame& frame = stack_.back();
    if (frame.callees.empty()) {
      open_.erase(frame.sequence);
      stack_.pop_back();
      return success();
    }
    Operation* callee = frame.callees.back();
    frame.callees.pop_back();
    if (open_.contains(callee)) return report(*callee, *frame.sequence);
    if (done_.insert(callee).second) enter(FuncOp(callee));
    return success();
  }

  LogicalResult report(Operation& callee, Operation& caller) {
    InFlightDiagnostic error = callee.emitError();
    error << "recursion not allowed in named sequences";
    if (&caller != &callee) error.note(caller.location()) << "operation on recursion stack";
    return error;
  }

  SymbolMap symbols_;
  std::unordered_set<Operation*> done_, open_;
  std::vector<Frame> stack_;
};

/// The first sequence of a table answers for all of them.
LogicalResult verifyNoRecursion(Operation& op) {
  for (Operation* before = op.prev(); before; before = before->prev())
    if (before->is(kNamedSequence)) return success();
  if (!op.parentOp()) return success();
  RecursionCheck check(*op.parentOp());
  for (Operation* sequence = &op; sequence; sequence = sequence->next())
    if (sequence->is(kNamedSequence) && failed(check.visit(FuncOp(sequence)))) return failure();
  return success();
}

LogicalResult verifyNamedSequence(Operation& op) {
  FuncOp sequence(&op);
  if (failed(func::verifySignature(op)) || failed(verifyScope(op))) return failure();
  if (!sequence.isDeclaration() &&
      (failed(verifyTerminator(sequence)) || failed(verifyYielded(sequence))))
    return failure();
  return failed(verifyMarks(sequence)) ? failure() : verifyNoRecursion(op);
}

// -- include -------------------------------------------------------------------------------------

LogicalResult verifyIncludeResults(Operation& op, std::span<const Type> results) {
  if (op.numResults() != results.size())
    return op.emitError() << "incorrect number of results for callee";
  for (unsigned i = 0; i < results.size(); ++i)
    if (!isSameKind(op.result(i).type(), results[i]))
      return op.emitOpError() << "type of result #" << i
                              << " must implement the same transform dialect interface as the "
                                 "corresponding callee result";
  return success();
}

LogicalResult verifyInclude(Operation& op) {
  FuncOp callee = asNamedSequence(lookupSymbol(&op, op.attrOf<SymbolRefAttr>("target")));
  if (!callee) return op.emitOpError() << "does not reference a named transform sequence";
  std::span<const Type> inputs = callee.functionType().inputs();
  if (op.numOperands() != inputs.size())
    return op.emitError() << "incorrect number of operands for callee";
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (op.operand(i).type() != inputs[i])
      return op.emitOpError() << "operand type mismatch: expected operand type " << inputs[i]
                              << ", but provided " << op.operand(i).type() << " for operand number "
                              << i;
  if (failed(verifyIncludeResults(op, callee.functionType().results()))) return failure();
  return verifyMarksAreThere(callee);
}

// -- sequence ------------------------------------------------------------------------------------

LogicalResult verifySequenceArguments(Operation& op, Block& body) {
  if (body.numArguments() == 0)
    return op.emitOpError() << "expects the entry block to have at least one argument";
  if (!isOpHandle(body.argument(0).type()))
    return op.emitOpError() << "expects the first entry block argument to be of type "
                               "implementing TransformHandleTypeInterface";
  for (unsigned i = 1; i < body.numArguments(); ++i)
    if (!kHandleOrValueOrParam.accepts(body.argument(i).type())) {
      InFlightDiagnostic error = op.emitOpError();
      error << "expects trailing entry block arguments to be of type implementing "
               "TransformHandleTypeInterface, TransformValueHandleTypeInterface or "
               "TransformParamTypeInterface";
      error.note(op.location()) << "argument #" << i << " does not";
      return error;
    }
  return success();
}

LogicalResult verifyNestedSequence(Operation& op, Block& body) {
  Operation* outer = op.parentOfName(kSequence);
  if (op.numOperands() == 0 && !outer) return success();
  if (op.numOperands() != body.numArguments()) {
    InFlightDiagnostic error = op.emitOpError();
    error << "expects operands to be provided for a nested op";
    if (outer) error.note(outer->location()) << "nested in another possible top-level op";
    return error;
  }
  for (unsigned i = 0; i < op.numOperands(); ++i)
    if (op.operand(i).type() != body.argument(i).type())
      return op.emitOpError() << "expects the type of the block argument to match the type of the "
                                 "operand";
  return success();
}

LogicalResult verifySequenceChildren(Operation& op, Block& body) {
  for (Operation& child : body.ops()) {
    if (child.def().dialect == "transform" && !isPatternSet(child)) continue;
    InFlightDiagnostic error = op.emitOpError();
    error << "expected children ops to implement TransformOpInterface";
    error.note(child.location()) << "op without interface";
    return error;
  }
  return success();
}

/// A handle that two ops invalidate is dead for the second one.
LogicalResult verifyOneConsumer(Operation& op, Value argument, const ValueSet& consumed) {
  std::vector<const OpOperand*> consumers;
  for (const OpOperand& use : argument.uses())
    if (isConsuming(use, consumed)) consumers.push_back(&use);
  if (consumers.size() < 2) return success();
  InFlightDiagnostic error = op.emitOpError();
  error << "block argument #" << argument.index() << " has more than one potential consumer";
  for (const OpOperand* use : consumers)
    error.note(use->owner()->location()) << "used here as operand #" << use->index();
  return error;
}

LogicalResult verifySequence(Operation& op) {
  if (op.region().empty())
    return op.emitOpError() << "expects the entry block to have at least one argument";
  Block& body = op.region().front();
  if (failed(verifySequenceArguments(op, body)) || failed(verifyNestedSequence(op, body)) ||
      failed(verifySequenceChildren(op, body)))
    return failure();
  ValueSet consumed = consumedIn(op.region());
  for (Value argument : body.arguments())
    if (failed(verifyOneConsumer(op, argument, consumed))) return failure();
  Operation* yield = body.terminator();
  if (!yield || yield->operandTypes() == op.resultTypes()) return success();
  InFlightDiagnostic error = op.emitOpError();
  error << "expects the types of the terminator operands to match the types of the result";
  error.note(yield->location()) << "terminator";
  return error;
}

// -- foreach and alternatives --------------------------------------------------------------------

LogicalResult verifyForeach(Operation& op) {
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  Block& body = op.region().front();
  if (body.numArguments() != op.numOperands())
    return op.emitOpError() << "expects the same number of targets as the body has block "
                               "arguments";
  for (unsigned i = 0; i < op.numOperands(); ++i)
    if (!isSameKind(op.operand(i).type(), body.argument(i).type()))
      return op.emitOpError() << "expects co-indexed targets and the body's block arguments to "
                                 "have the same op/value/param type";
  Operation* yield = body.terminator();
  if (!yield || yield->numOperands() != op.numResults())
    return op.emitOpError() << "expects the same number of results as the yield terminator has "
                               "operands";
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (!isSameKind(yield->operand(i).type(), op.result(i).type()))
      return op.emitOpError() << "expects co-indexed results and yield operands to have the same "
                                 "op/value/param type";
  return success();
}

LogicalResult verifyAlternatives(Operation& op) {
  if (op.numRegions() == 0) return op.emitOpError() << "expects at least one region";
  for (Region& region : op.regions()) {
    if (region.empty() || region.front().numArguments() == 0)
      return op.emitOpError() << "expects the entry block to have at least one argument";
    if (!isOpHandle(region.front().argument(0).type()))
      return op.emitOpError() << "expects the first entry block argument to be of type "
                                 "implementing TransformHandleTypeInterface";
    Operation* yield = region.front().terminator();
    if (!yield || yield->operandTypes() == op.resultTypes()) continue;
    InFlightDiagnostic error = op.emitOpError();
    error << "expects terminator operands to have the same type as results of the operation";
    error.note(yield->location()) << "terminator";
    return error;
  }
  return success();
}

}  // namespace

// -- The ops -------------------------------------------------------------------------------------

static void defineCallables(Dialect& d) {
  d.op("named_sequence")
      .doc("A script with a name; `@__transform_main` is where an interpreter starts. Arguments "
           "are marked `transform.consumed` or `transform.readonly`.")
      .attr("sym_name", attrs::symbolName)
      .attr("function_type", attrs::functionType)
      .optionalAttr("sym_visibility", attrs::string)
      .optionalAttr("arg_attrs", attrs::dictArray)
      .optionalAttr("res_attrs", attrs::dictArray)
      .region("body")
      .traits(Trait::IsolatedFromAbove | Trait::Symbol | Trait::Function | Trait::SingleBlock)
      .syntax(func::parseFunction, func::printFunction)
      .verify(verifyNamedSequence)
      .example("module attributes {transform.with_named_sequence} {\n"
               "  transform.named_sequence @main(%a: !transform.any_op {transform.readonly}) {\n"
               "    transform.yield\n  }\n}");
  d.op("include")
      .doc("Runs a named sequence; its failures are passed on or hidden.")
      .variadicOperand("operands", kHandleOrValueOrParam)
      .variadicResult("results", kHandleOrValueOrParam)
      .attr("target", attrs::symbolRef)
      .attr("failure_propagation_mode", kFailureMode)
      .format("$target `failures` `(` $failure_propagation_mode `)` `(` $operands `)` attr-dict "
              "`:` functional-type($operands, $results)")
      .verify(verifyInclude)
      .example("module attributes {transform.with_named_sequence} {\n"
               "  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {\n"
               "    transform.yield\n  }\n"
               "  transform.named_sequence @main(%a: !transform.any_op {transform.readonly}) {\n"
               "    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()\n"
               "    transform.yield\n  }\n}");
  d.op("yield")
      .doc("Ends a region and gives its results.")
      .variadicOperand("operands", kHandleOrValueOrParam)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .format("operands attr-dict (`:` type($operands)^)?")
      .example("transform.yield %a : !transform.any_op");
}

void defineSequences(Dialect& d) {
  defineCallables(d);
  d.op("sequence")
      .doc("Ops that run one after the other. Without operands it is a whole script: the first "
           "block argument is the payload.")
      .optionalOperand("root", kHandle)
      .variadicOperand("extra_bindings", kHandleOrValueOrParam)
      .variadicResult("results", kHandle)
      .attr("failure_propagation_mode", kFailureMode)
      .region("body")
      .traits(Trait::AttrSizedOperandSegments)
      .terminatedBy(kYield)
      .format("custom<TransformSequenceOperands>($root, $extra_bindings) (`->` type($results)^)? "
              "`failures` `(` $failure_propagation_mode `)` attr-dict-with-keyword $body")
      .verify(verifySequence)
      .example("transform.sequence failures(propagate) {\n"
               "^bb0(%a: !transform.any_op):\n  transform.annotate %a \"seen\" : "
               "!transform.any_op\n}");
  d.op("foreach")
      .doc("Runs its body once per payload object of the targets, taken side by side.")
      .variadicOperand("targets", kHandleOrValueOrParam)
      .variadicResult("results", kHandleOrValueOrParam)
      .optionalAttr("with_zip_shortest", attrs::unit)
      .region("body")
      .traits(Trait::RecursiveEffects)
      .terminatedBy(kYield)
      .format("$targets (`with_zip_shortest` $with_zip_shortest^)? `:` type($targets) "
              "(`->` type($results)^)? $body attr-dict")
      .verify(verifyForeach)
      .example("transform.foreach %a : !transform.any_op {\n"
               "^bb0(%one: !transform.any_op):\n  transform.annotate %one \"seen\" : "
               "!transform.any_op\n}");
  consuming(
      d.op("alternatives").optionalOperand("scope", kHandle).variadicResult("results", kHandle),
      {"scope"})
      .doc("Tries its regions one after the other until one succeeds.")
      .variadicRegion("alternatives")
      .terminatedBy(kYield)
      .format("($scope^ `:` type($scope))? (`->` type($results)^)? attr-dict-with-keyword regions")
      .verify(verifyAlternatives)
      .example("%0 = transform.alternatives %a : !transform.any_op -> !transform.any_op {\n"
               "^bb0(%b: !transform.any_op):\n  transform.yield %b : !transform.any_op\n}");
}

}  // namespace airlite::transform
