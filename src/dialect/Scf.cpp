// The scf dialect: the definition of each op, and the builders of its typed views. Syntax,
// verifiers and rewrites stand in ScfSyntax, ScfVerify, ScfCanonicalize and ScfCanonicalizeIf.
#include "airlite/dialect/Scf.hpp"

#include "ScfInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"

#include <algorithm>
#include <limits>

namespace airlite {

namespace scf {

// -- Views ---------------------------------------------------------------------------------------

YieldOp YieldOp::create(Builder& builder, Location location, std::span<const Value> values) {
  return YieldOp(builder.create(location, "scf.yield", values, std::span<const Type>()));
}

std::optional<int64_t> constantTripCount(int64_t lower, int64_t upper, int64_t step) {
  if (step <= 0) return std::nullopt;
  if (upper <= lower) return 0;
  // The distance of two int64_t fits an unsigned one.
  uint64_t distance = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
  uint64_t count = (distance - 1) / static_cast<uint64_t>(step) + 1;
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return static_cast<int64_t>(std::min(count, kMax));
}

std::vector<Value> ForOp::regionIterArgs() const {
  std::vector<Value> arguments = body().arguments();
  arguments.erase(arguments.begin());
  return arguments;
}

std::optional<int64_t> ForOp::tripCount() const {
  if (lowerBound() == upperBound()) return 0;
  std::optional<int64_t> lower = constantIntOf(lowerBound());
  std::optional<int64_t> upper = constantIntOf(upperBound());
  std::optional<int64_t> by = constantIntOf(step());
  if (!lower || !upper || !by) return std::nullopt;
  return constantTripCount(*lower, *upper, *by);
}

ForOp ForOp::create(Builder& builder, Location location, Value lower, Value upper, Value step,
                    std::span<const Value> initArgs) {
  Context& context = builder.context();
  OperationState state(context, location, "scf.for");
  state.operands = {lower, upper, step};
  state.addOperands(initArgs);
  for (Value init : initArgs)
    state.resultTypes.push_back(init.type());
  state.addRegion();
  ForOp loop(builder.create(state));
  Block& body = loop.region().addBlock();
  body.addArgument(lower.type(), location);
  for (Value init : initArgs)
    body.addArgument(init.type(), init.location());
  Builder inside = Builder::atEnd(body);
  if (initArgs.empty()) YieldOp::create(inside, location);
  return loop;
}

ParallelOp ParallelOp::create(Builder& builder, Location location, std::span<const Value> lower,
                              std::span<const Value> upper, std::span<const Value> steps,
                              std::span<const Value> initVals) {
  Context& context = builder.context();
  OperationState state(context, location, "scf.parallel");
  for (std::span<const Value> group : {lower, upper, steps, initVals})
    state.addOperands(group);
  auto rank = static_cast<int32_t>(steps.size());
  int32_t segments[] = {rank, rank, rank, static_cast<int32_t>(initVals.size())};
  state.setOperandSegments(context, segments);
  for (Value init : initVals)
    state.resultTypes.push_back(init.type());
  state.addRegion();
  ParallelOp loop(builder.create(state));
  Block& body = loop.region().addBlock();
  for (size_t i = 0; i < steps.size(); ++i)
    body.addArgument(builder.indexType(), location);
  Builder inside = Builder::atEnd(body);
  if (initVals.empty()) inside.create(location, "scf.reduce", {}, {});
  return loop;
}

IfOp IfOp::create(Builder& builder, Location location, std::span<const Type> resultTypes,
                  Value condition, bool withElse) {
  OperationState state(builder.context(), location, "scf.if");
  state.operands = {condition};
  state.addTypes(resultTypes);
  state.addRegion();
  state.addRegion();
  IfOp branch(builder.create(state));
  branch.thenRegion().addBlock();
  if (withElse || !resultTypes.empty()) branch.elseRegion().addBlock();
  if (!resultTypes.empty()) return branch;
  for (Region& region : branch->regions()) {
    if (region.empty()) continue;
    Builder inside = Builder::atEnd(region.front());
    YieldOp::create(inside, location);
  }
  return branch;
}

bool ForallOp::isNormalized() const {
  auto all = [](std::span<const int64_t> list, int64_t value) {
    return std::all_of(list.begin(), list.end(), [=](int64_t v) { return v == value; });
  };
  return all(staticLowerBounds(), 0) && all(staticSteps(), 1);
}

// -- Definitions ---------------------------------------------------------------------------------

namespace {

const TypeConstraint kRankedTensor = {"ranked tensor of any type values",
                                      [](Type t) { return t.isa<RankedTensorType>(); }};

void defineLoops(Dialect& d) {
  d.op<ForOp>("for")
      .doc("Runs its body with the induction variable at lowerBound, lowerBound + step, ... while "
           "it is less than upperBound (signed). Values yielded become the iter args of the next "
           "iteration and finally the results; initArgs are the first.")
      .operand("lowerBound", types::integerOrIndex)
      .operand("upperBound", types::integerOrIndex)
      .operand("step", types::integerOrIndex)
      .variadicOperand("initArgs", types::any)
      .variadicResult("results", types::any)
      .region("region")
      .traits(Trait::LoopLike | Trait::RecursiveEffects)
      .terminatedBy("scf.yield")
      .syntax(parseFor, printFor)
      .verify(verifyFor)
      .fold(foldFor)
      .canonicalize("for-trip-count", simplifyTrivialFor)
      .canonicalize("for-iter-args", removeForIterArgs)
      .canonicalize("for-tensor-casts", forTensorCasts)
      .example("%sum = scf.for %i = %lb to %ub step %s iter_args(%acc = %zero) -> (f32) { "
               "scf.yield %next : f32 }");
  d.op<WhileOp>("while")
      .doc("Runs the before region; as long as the condition at its end holds, the after region "
           "gets its values and yields the next arguments of the before region.")
      .variadicOperand("inits", types::any)
      .variadicResult("results", types::any)
      .region("before")
      .region("after")
      .traits(Trait::LoopLike | Trait::RecursiveEffects | Trait::SingleBlock)
      .syntax(parseWhile, printWhile)
      .verify(verifyWhile)
      .canonicalize("while-condition-in-body", whileConditionInBody)
      .canonicalize("while-condition-again", whileConditionAgain)
      .canonicalize("while-invariant-args", whileInvariantArgs)
      .canonicalize("while-invariant-results", whileInvariantResults)
      .canonicalize("while-unused-inits", whileUnusedInits)
      .canonicalize("while-unused-results", whileUnusedResults)
      .example("%r = scf.while (%x = %init) : (i32) -> i32 { scf.condition(%c) %x : i32 } "
               "do { ^bb0(%y: i32): scf.yield %y : i32 }");
  d.op<ConditionOp>("condition")
      .doc("Ends the before region of scf.while: continues with `args` when the condition holds, "
           "ends the loop with them as results otherwise.")
      .operand("condition", types::i1)
      .variadicOperand("args", types::any)
      .traits(Trait::Terminator | Trait::Pure)
      .parent({"scf.while"})
      .format("`(` $condition `)` attr-dict ($args^ `:` type($args))?")
      .example("%r = scf.while (%x = %init) : (i32) -> i32 {\n"
               "  %more = arith.cmpi slt, %x, %n : i32\n  scf.condition(%more) %x : i32\n"
               "} do {\n^bb0(%y: i32):\n  %next = arith.muli %y, %y : i32\n"
               "  scf.yield %next : i32\n}");
}

void defineParallelLoops(Dialect& d) {
  d.op<ParallelOp>("parallel")
      .doc("A loop nest whose iterations may run in any order or at the same time. Its results "
           "are combined by the scf.reduce at the end of the body, from the init values.")
      .variadicOperand("lowerBound", types::index)
      .variadicOperand("upperBound", types::index)
      .variadicOperand("step", types::index)
      .variadicOperand("initVals", types::any)
      .variadicResult("results", types::any)
      .region("region")
      .traits(Trait::AttrSizedOperandSegments | Trait::LoopLike | Trait::ParallelLoop |
              Trait::RecursiveEffects)
      .terminatedBy("scf.reduce")
      .syntax(parseParallel, printParallel)
      .verify(verifyParallel)
      .canonicalize("parallel-collapse", collapseParallel)
      .canonicalize("parallel-merge-nested", mergeNestedParallel)
      .example("scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) { scf.reduce }");
  d.op<ReduceOp>("reduce")
      .doc("Ends the body of scf.parallel: operand i of every iteration is combined by region i.")
      .variadicOperand("operands", types::any)
      .variadicRegion("reductions")
      .traits(Trait::Terminator | Trait::RecursiveEffects)
      .parent({"scf.parallel"})
      .syntax(parseReduce, printReduce)
      .verify(verifyReduce)
      .example("%total = scf.parallel (%i) = (%lo) to (%hi) step (%s) init (%zero) -> f32 {\n"
               "  %x = memref.load %m[%i] : memref<16xf32>\n  scf.reduce(%x : f32) {\n"
               "  ^bb0(%a: f32, %b: f32):\n    %sum = arith.addf %a, %b : f32\n"
               "    scf.reduce.return %sum : f32\n  }\n}");
  d.op<ReduceReturnOp>("reduce.return")
      .doc("Ends a region of scf.reduce with the combined value.")
      .operand("result", types::any)
      .traits(Trait::Terminator | Trait::Pure)
      .parent({"scf.reduce"})
      .format("$result attr-dict `:` type($result)")
      .verify(verifyReduceReturn)
      .example("%total = scf.parallel (%i) = (%lo) to (%hi) step (%s) init (%zero) -> f32 {\n"
               "  %x = memref.load %m[%i] : memref<16xf32>\n  scf.reduce(%x : f32) {\n"
               "  ^bb0(%a: f32, %b: f32):\n    %sum = arith.addf %a, %b : f32\n"
               "    scf.reduce.return %sum : f32\n  }\n}");
  d.op<ForallOp>("forall")
      .doc("A parallel loop over a box, with a mapping of its dims onto workers. Tensors written "
           "by all iterations together are its shared outputs.")
      .variadicOperand("dynamicLowerBound", types::index)
      .variadicOperand("dynamicUpperBound", types::index)
      .variadicOperand("dynamicStep", types::index)
      .variadicOperand("outputs", kRankedTensor)
      .attr("staticLowerBound", attrs::denseI64)
      .attr("staticUpperBound", attrs::denseI64)
      .attr("staticStep", attrs::denseI64)
      .optionalAttr("mapping", attrs::any)
      .variadicResult("results", types::any)
      .region("region")
      .traits(Trait::AttrSizedOperandSegments | Trait::LoopLike | Trait::ParallelLoop |
              Trait::RecursiveEffects)
      .terminatedBy("scf.forall.in_parallel")
      .syntax(parseForall, printForall)
      .verify(verifyForall)
      .canonicalize("forall-constant-bounds", forallConstantBounds)
      .canonicalize("forall-trivial", forallTrivial)
      .canonicalize("forall-unit-dims", forallUnitDims)
      .example("scf.forall (%i, %j) in (4, %n) { } {mapping = [#gpu.thread<y>, "
               "#gpu.thread<x>]}");
  d.op<InParallelOp>("forall.in_parallel")
      .doc("Ends the body of scf.forall: says how the shared outputs are written.")
      .region("region")
      .traits(Trait::Terminator | Trait::NoTerminator | Trait::SingleBlock | Trait::Pure)
      .parent({"scf.forall"})
      .syntax(parseInParallel, printInParallel)
      .verify(verifyInParallel)
      .example("%r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x4xf32>) {\n"
               "  scf.forall.in_parallel {\n"
               "    tensor.parallel_insert_slice %row into %o[%i, 0] [1, 4] [1, 1] : "
               "tensor<4xf32> into tensor<8x4xf32>\n  }\n}");
}

void defineConditionals(Dialect& d) {
  d.op<IfOp>("if")
      .doc("Runs the then region when the condition holds, the else region (when there is one) "
           "otherwise. The results are what that region yields.")
      .operand("condition", types::i1)
      .variadicResult("results", types::any)
      .region("thenRegion")
      .region("elseRegion")
      .traits(Trait::RecursiveEffects)
      .terminatedBy("scf.yield")
      .syntax(parseIf, printIf)
      .verify(verifyIf)
      .canonicalize("if-constant-condition", ifConstantCondition)
      .canonicalize("if-unused-results", ifUnusedResults)
      .canonicalize("if-negated-condition", ifNegatedCondition)
      .canonicalize("if-known-condition", ifKnownCondition)
      .canonicalize("if-to-select", ifToSelect)
      .canonicalize("if-empty-else", ifEmptyElse)
      .canonicalize("if-combine-nested", ifCombineNested)
      .canonicalize("if-combine-consecutive", ifCombineConsecutive)
      .example("%x = scf.if %cond -> (f32) { scf.yield %a : f32 } else { scf.yield %b : "
               "f32 }");
  d.op<IndexSwitchOp>("index_switch")
      .doc("Runs the region of the case that the argument is equal to, or the default region.")
      .operand("arg", types::index)
      .attr("cases", attrs::denseI64)
      .variadicResult("results", types::any)
      .region("defaultRegion")
      .variadicRegion("caseRegions")
      .traits(Trait::RecursiveEffects)
      .terminatedBy("scf.yield")
      .syntax(parseIndexSwitch, printIndexSwitch)
      .verify(verifyIndexSwitch)
      .canonicalize("index-switch-constant", indexSwitchConstant)
      .example("scf.index_switch %i case 2 { } default { }");
  d.op<ExecuteRegionOp>("execute_region")
      .doc("Runs its region once; blocks and branches may stand inside.")
      .variadicResult("results", types::any)
      .region("region")
      .traits(Trait::RecursiveEffects)
      .syntax(parseExecuteRegion, printExecuteRegion)
      .verify(verifyExecuteRegion)
      .canonicalize("execute-region-inline", executeRegionInline)
      .example("%x = scf.execute_region -> f32 { scf.yield %a : f32 }");
  d.op<YieldOp>("yield")
      .doc("Ends a region and hands values to the op around it.")
      .variadicOperand("results", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .parent({"scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"})
      .format("attr-dict ($results^ `:` type($results))?")
      .example("%larger = scf.if %cond -> (f32) {\n  scf.yield %a : f32\n} else {\n"
               "  scf.yield %b : f32\n}");
}

}  // namespace

}  // namespace scf

void registerScf(Context& context) {
  Dialect d(context, "scf", "Structured control flow: loops, conditionals and switches.");
  scf::defineLoops(d);
  scf::defineParallelLoops(d);
  scf::defineConditionals(d);
}

}  // namespace airlite
