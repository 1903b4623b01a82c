// Verifiers of the scf dialect. The wording is what users of MLIR tools know.
#include "ScfInternal.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::scf {

namespace {

/// One way for control to go: what leaves `from` has to fit what `to` expects.
LogicalResult verifyEdge(Operation& op, std::string_view from, std::string_view to,
                         std::span<const Type> sources, std::span<const Type> targets) {
  if (sources.size() != targets.size())
    return op.emitOpError() << " region control flow edge from " << from << " to " << to
                            << ": source has " << sources.size()
                            << " operands, but target successor needs " << targets.size();
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i] != targets[i])
      return op.emitOpError() << " along control flow edge from " << from << " to " << to
                              << ": source type #" << i << " " << sources[i]
                              << " should match input type #" << i << " " << targets[i];
  return success();
}

std::vector<Type> typesOfValues(std::span<const Value> values) {
  std::vector<Type> types;
  for (Value value : values)
    types.push_back(value.type());
  return types;
}

std::vector<Type> typesOfValues(OperandRange values) {
  std::vector<Value> list = values.vec();
  return typesOfValues(list);
}

constexpr std::string_view kResults = "parent results";
constexpr std::string_view kOperands = "parent operands";
constexpr std::string_view kRegion0 = "Region #0";
constexpr std::string_view kRegion1 = "Region #1";

LogicalResult expectNoArguments(Operation& op, unsigned region) {
  Region& body = op.region(region);
  if (body.empty() || body.front().numArguments() == 0) return success();
  return op.emitOpError() << "region #" << region << " should have no arguments";
}

LogicalResult requireBlock(Operation& op, unsigned region) {
  if (!op.region(region).empty()) return success();
  return op.emitOpError() << "region #" << region
                          << " failed to verify constraint: region with 1 blocks";
}

}  // namespace

// -- for -----------------------------------------------------------------------------------------

namespace {

LogicalResult differentNumber(ForOp loop, std::string_view a, size_t numA, std::string_view b,
                              size_t numB) {
  return loop->emitOpError() << "different number of " << a << "s and " << b << "s: " << numA
                             << " != " << numB;
}

LogicalResult differentType(ForOp loop, size_t i, std::string_view a, Type typeA,
                            std::string_view b, Type typeB) {
  return loop->emitOpError() << i << "-th " << a << " and " << i << "-th " << b
                             << " have different type: " << typeA << " != " << typeB;
}

LogicalResult verifyCarriedTypes(ForOp loop) {
  for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
    Type init = loop.initArgs()[i].type();
    Type argument = loop.regionIterArg(i).type();
    Type yielded = loop.yielded(i).type();
    Type result = loop->result(i).type();
    if (init != argument) return differentType(loop, i, "init", init, "region iter_arg", argument);
    if (argument != yielded)
      return differentType(loop, i, "region iter_arg", argument, "yielded value", yielded);
    if (argument != result)
      return differentType(loop, i, "region iter_arg", argument, "loop result", result);
  }
  return success();
}

LogicalResult verifyCarried(ForOp loop) {
  size_t count = loop.numIterArgs();
  size_t arguments = loop.body().numArguments() - 1;
  size_t yielded = loop.yield()->numOperands();
  if (loop->numResults() != count)
    return loop->emitOpError() << "mismatch in number of loop-carried values and defined values";
  if (arguments != count) return differentNumber(loop, "init", count, "region iter_arg", arguments);
  if (yielded == 0 && count != 0)
    return verifyEdge(*loop, kRegion0, kRegion0, {}, loop->resultTypes());
  if (yielded != count)
    return differentNumber(loop, "region iter_arg", count, "yielded value", yielded);
  return verifyCarriedTypes(loop);
}

}  // namespace

LogicalResult verifyFor(Operation& op) {
  if (failed(requireBlock(op, 0))) return failure();
  ForOp loop(&op);
  Type type = loop.lowerBound().type();
  if (loop.upperBound().type() != type || loop.step().type() != type)
    return op.emitOpError() << "failed to verify that all of {lowerBound, upperBound, step} have "
                               "same type";
  bool hasVariable = loop.body().numArguments() != 0;
  if (!hasVariable || loop.inductionVar().type() != type)
    return op.emitOpError() << "expected induction variable to be same type as bounds and step";
  // A step of 0 or less is the run time's to meet, as in the MLIR tools: folding may bring it about.
  return verifyCarried(loop);
}

// -- parallel and reduce -------------------------------------------------------------------------

static LogicalResult verifyParallelShape(ParallelOp loop) {
  size_t rank = loop.numLoops();
  bool sameSizes = loop.lowerBounds().size() == rank && loop.upperBounds().size() == rank;
  if (rank == 0 || !sameSizes)
    return loop->emitOpError()
           << "needs at least one tuple element for lowerBound, upperBound and step";
  for (Value step : loop.steps())
    if (constantIntOf(step).value_or(1) <= 0)
      return loop->emitOpError() << "constant step operand must be positive";
  if (loop.body().numArguments() != rank)
    return loop->emitOpError() << "expects the same number of induction variables: "
                               << loop.body().numArguments()
                               << " as bound and step values: " << rank;
  for (Value argument : loop.inductionVars())
    if (!argument.type().isIndex())
      return loop->emitOpError()
             << "expects arguments for the induction variable to be of index type";
  return success();
}

LogicalResult verifyParallel(Operation& op) {
  ParallelOp loop(&op);
  if (failed(requireBlock(op, 0)) || failed(verifyParallelShape(loop))) return failure();
  Operation& last = loop.body().back();
  if (!last.is("scf.reduce"))
    return op.emitOpError() << "expects body to terminate with 'scf.reduce'";
  unsigned reductions = loop.reduce().numReductions();
  if (op.numResults() != reductions)
    return op.emitOpError() << "expects number of results: " << op.numResults()
                            << " to be the same as number of reductions: " << reductions;
  if (op.numResults() != loop.initVals().size())
    return op.emitOpError() << "expects number of results: " << op.numResults()
                            << " to be the same as number of initial values: "
                            << loop.initVals().size();
  if (last.numOperands() != reductions)
    return last.emitOpError() << "expects as many reduction operands as reduction regions: "
                              << last.numOperands() << " != " << reductions;
  for (unsigned i = 0; i < reductions; ++i) {
    Type value = last.operand(i).type(), result = op.result(i).type();
    if (value != result)
      return last.emitOpError() << "expects type of " << i << "-th reduction operand: " << value
                                << " to be the same as the " << i << "-th result type: " << result;
    Type init = loop.initVals()[i].type();
    if (init != result)
      return op.emitOpError() << "expects type of " << i << "-th initial value: " << init
                              << " to be the same as the " << i << "-th result type: " << result;
  }
  return success();
}

static LogicalResult verifyReduction(Operation& op, unsigned i) {
  Region& region = op.region(i);
  if (!region.hasOneBlock())
    return op.emitOpError() << i << "-th reduction region must have one block";
  Type type = op.operand(i).type();
  Block& block = region.front();
  bool fits = block.numArguments() == 2 && block.argument(0).type() == type &&
              block.argument(1).type() == type;
  if (!fits)
    return op.emitOpError() << "expected two block arguments with type " << type << " in the " << i
                            << "-th reduction region";
  if (!block.back().is("scf.reduce.return"))
    return op.emitOpError() << "reduction bodies must be terminated with an 'scf.reduce.return' op";
  return success();
}

LogicalResult verifyReduce(Operation& op) {
  if (op.numRegions() != op.numOperands())
    return op.emitOpError() << "expects number of reduction regions: " << op.numRegions()
                            << " to be the same as number of reduction operands: "
                            << op.numOperands();
  for (unsigned i = 0; i < op.numRegions(); ++i)
    if (failed(verifyReduction(op, i))) return failure();
  return success();
}

LogicalResult verifyReduceReturn(Operation& op) {
  Block* block = op.block();
  if (!block || block->numArguments() == 0) return success();
  Type type = block->argument(0).type();
  if (op.operand(0).type() == type) return success();
  return op.emitOpError() << "must have type " << type << " (the type of the reduction inputs)";
}

// -- if ------------------------------------------------------------------------------------------

LogicalResult verifyIf(Operation& op) {
  if (failed(requireBlock(op, 0)) || failed(expectNoArguments(op, 0)) ||
      failed(expectNoArguments(op, 1)))
    return failure();
  IfOp branch(&op);
  if (op.numResults() != 0 && !branch.hasElse())
    return op.emitOpError() << "must have an else block if defining values";
  std::vector<Type> results = op.resultTypes();
  if (failed(
          verifyEdge(op, kRegion0, kResults, typesOfValues(branch.thenYield().values()), results)))
    return failure();
  if (!branch.hasElse()) return success();
  return verifyEdge(op, kRegion1, kResults, typesOfValues(branch.elseYield().values()), results);
}

// -- while ---------------------------------------------------------------------------------------

LogicalResult verifyWhile(Operation& op) {
  WhileOp loop(&op);
  if (failed(requireBlock(op, 0)) || failed(requireBlock(op, 1))) return failure();
  if (!loop.beforeBody().back().is("scf.condition"))
    return op.emitOpError() << "expects the 'before' region to terminate with 'scf.condition'";
  if (!loop.afterBody().back().is("scf.yield"))
    return op.emitOpError() << "expects the 'after' region to terminate with 'scf.yield'";
  std::vector<Type> before = typesOfValues(loop.beforeBody().arguments());
  std::vector<Type> after = typesOfValues(loop.afterBody().arguments());
  std::vector<Type> passed = typesOfValues(loop.conditionOp().args());
  if (failed(verifyEdge(op, kOperands, kRegion0, typesOfValues(loop.inits()), before)) ||
      failed(verifyEdge(op, kRegion0, kRegion1, passed, after)) ||
      failed(verifyEdge(op, kRegion0, kResults, passed, op.resultTypes())))
    return failure();
  return verifyEdge(op, kRegion1, kRegion0, typesOfValues(loop.yield().values()), before);
}

// -- forall --------------------------------------------------------------------------------------

namespace {

LogicalResult verifyMixedList(Operation& op, std::string_view name, size_t rank,
                              std::span<const int64_t> statics, OperandRange dynamic) {
  if (statics.size() != rank)
    return op.emitError() << "expected " << rank << " " << name << " values, got "
                          << statics.size();
  size_t wanted = static_cast<size_t>(std::count(statics.begin(), statics.end(), kDynamic));
  if (wanted == dynamic.size()) return success();
  return op.emitError() << "expected " << wanted << " dynamic " << name << " values";
}

LogicalResult verifyForallBounds(ForallOp loop) {
  // How many dims there are is what the body says: arguments that stand for no output.
  size_t arguments = loop.body().numArguments();
  size_t outputs = loop.outputs().size();
  size_t rank = loop.rank();
  bool boundsAgree = loop.staticUpperBounds().size() == rank;
  if (arguments < outputs || (arguments - outputs != rank && boundsAgree))
    return loop->emitOpError() << "region expects " << rank + outputs << " arguments";
  rank = arguments - outputs;
  if (failed(verifyMixedList(*loop, "lower bound", rank, loop.staticLowerBounds(),
                             loop.dynamicLowerBounds())) ||
      failed(verifyMixedList(*loop, "upper bound", rank, loop.staticUpperBounds(),
                             loop.dynamicUpperBounds())))
    return failure();
  return verifyMixedList(*loop, "step", rank, loop.staticSteps(), loop.dynamicSteps());
}

LogicalResult verifyForallTypes(ForallOp loop) {
  unsigned rank = loop.rank();
  for (unsigned i = 0; i < rank; ++i)
    if (!loop.inductionVar(i).type().isIndex())
      return loop->emitOpError() << "region expects " << i << "-th argument to be an index";
  OperandRange outputs = loop.outputs();
  if (loop->numResults() != outputs.size())
    return loop->emitOpError() << "produces " << loop->numResults() << " results, but has "
                               << outputs.size() << " outputs";
  for (unsigned i = 0; i < outputs.size(); ++i) {
    Type type = loop->result(i).type();
    if (outputs[i].type() != type)
      return loop->emitOpError() << "type mismatch between " << i << "-th output and corresponding "
                                 << "result";
    if (loop.outputArg(i).type() != type)
      return loop->emitOpError() << "type mismatch between " << i << "-th output and corresponding "
                                 << "block argument";
  }
  return success();
}

/// `#gpu.thread<x>` and whatever else a dialect calls a mapping.
bool isMappingAttr(Attribute attribute) {
  return attribute && (attribute.isa<DialectAttr>() || attribute.isa<OpaqueAttr>());
}

LogicalResult verifyMapping(ForallOp loop) {
  if (!loop->hasAttr("mapping")) return success();
  ArrayAttr mapping = loop.mapping();
  bool valid =
      mapping && std::all_of(mapping.value().begin(), mapping.value().end(), isMappingAttr);
  if (!valid)
    return loop->emitOpError() << "attribute 'mapping' failed to satisfy constraint: Device "
                                  "Mapping array attribute";
  if (mapping.size() != 0 && mapping.size() != loop.rank())
    return loop->emitOpError() << "mapping attribute size must match op rank";
  return success();
}

}  // namespace

LogicalResult verifyForall(Operation& op) {
  ForallOp loop(&op);
  if (failed(requireBlock(op, 0)) || failed(verifyForallBounds(loop)) ||
      failed(verifyForallTypes(loop)))
    return failure();
  for (int64_t step : loop.staticSteps())
    if (step != kDynamic && step <= 0)
      return op.emitOpError() << "constant step operand must be positive";
  return verifyMapping(loop);
}

LogicalResult verifyInParallel(Operation& op) {
  if (failed(requireBlock(op, 0))) return failure();
  for (Operation& inner : op.region().front().ops())
    if (!inner.is("tensor.parallel_insert_slice"))
      return op.emitOpError() << "expected only tensor.parallel_insert_slice ops";
  return success();
}

// -- index_switch --------------------------------------------------------------------------------

static LogicalResult verifySwitchRegion(IndexSwitchOp op, Region& region, const std::string& name) {
  if (region.empty() || region.front().empty() || !region.front().back().is("scf.yield")) {
    InFlightDiagnostic diagnostic = op->emitOpError();
    diagnostic << "expected region to end with scf.yield";
    if (!region.empty() && !region.front().empty())
      diagnostic << ", but got " << region.front().back().name();
    return diagnostic;
  }
  Operation& yield = region.front().back();
  if (yield.numOperands() != op->numResults())
    return op->emitOpError() << "expected each region to return " << op->numResults()
                             << " values, but " << name << " returns " << yield.numOperands();
  for (unsigned i = 0; i < op->numResults(); ++i)
    if (yield.operand(i).type() != op->result(i).type())
      return op->emitOpError() << "expected result #" << i << " of each region to be "
                               << op->result(i).type();
  return success();
}

LogicalResult verifyIndexSwitch(Operation& op) {
  IndexSwitchOp select(&op);
  if (select.cases().size() != select.numCases())
    return op.emitOpError() << "has " << select.numCases() << " case regions but "
                            << select.cases().size() << " case values";
  std::unordered_set<int64_t> seen;
  for (int64_t value : select.cases())
    if (!seen.insert(value).second)
      return op.emitOpError() << "has duplicate case value: " << value;
  if (failed(verifySwitchRegion(select, select.defaultRegion(), "default region")))
    return failure();
  for (unsigned i = 0; i < select.numCases(); ++i)
    if (failed(
            verifySwitchRegion(select, select.caseRegion(i), "case region #" + std::to_string(i))))
      return failure();
  return success();
}

// -- execute_region ------------------------------------------------------------------------------

LogicalResult verifyExecuteRegion(Operation& op) {
  if (op.region().empty()) return op.emitOpError() << "region needs to have at least one block";
  if (op.region().front().numArguments() != 0)
    return op.emitOpError() << "region cannot have any arguments";
  for (Block& block : op.region().blocks()) {
    Operation& last = block.back();
    if (!last.is("scf.yield")) continue;
    if (failed(verifyEdge(op, kRegion0, kResults, typesOfValues(last.operands().vec()),
                          op.resultTypes())))
      return failure();
  }
  return success();
}

}  // namespace airlite::scf
