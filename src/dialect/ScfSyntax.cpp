// The textual syntax of the scf dialect.
#include "ScfInternal.hpp"

#include <algorithm>

namespace airlite::scf {

namespace {

using Operands = std::vector<UnresolvedOperand>;
using Arguments = std::vector<ParsedArgument>;

void setTypes(std::span<ParsedArgument> arguments, std::span<const Type> types) {
  size_t count = std::min(arguments.size(), types.size());
  for (size_t i = 0; i < count; ++i)
    arguments[i].type = types[i];
}

void printTypesInParens(OpPrinter& printer, Operation& op) {
  printer << " -> (";
  printer.printTypes(op.resultTypes());
  printer << ")";
}

/// `word(%a = %b, %c = %d)`.
void printAssignments(OpPrinter& printer, std::string_view word, std::span<const Value> arguments,
                      OperandRange values) {
  if (values.empty()) return;
  printer << word << "(";
  for (unsigned i = 0; i < values.size(); ++i) {
    printer << (i ? ", " : "");
    if (i < arguments.size()) printer << arguments[i];
    printer << " = " << values[i];
  }
  printer << ")";
}

/// A terminator that the reader would put back itself is left out.
bool showsTerminator(Region& region) {
  if (region.empty() || region.back().empty()) return false;
  Operation& last = region.back().back();
  return last.numOperands() != 0 || !last.attributes().empty();
}

/// The custom form needs a well-formed op; others (in messages) are shown like this.
void printMalformed(OpPrinter& printer, Operation& op) { printer.printGeneric(op, false); }

bool hasBody(Operation& op) { return op.numRegions() != 0 && !op.region().empty(); }

LogicalResult checkNumber(OpParser& parser, size_t found, size_t expected) {
  if (found == expected) return success();
  return parser.emitError(parser.opLocation())
         << found << " operands present, but expected " << expected;
}

LogicalResult resolveIndices(OpParser& parser, const Operands& names, OperationState& state) {
  return parser.resolve(names, IndexType::get(parser.context()), state.operands);
}

}  // namespace

// -- for -----------------------------------------------------------------------------------------

static LogicalResult parseLoopCarried(OpParser& parser, Arguments& arguments, Operands& inits,
                                      OperationState& state) {
  if (!parser.parseOptionalKeyword("iter_args")) return success();
  Arguments carried;
  if (failed(parser.parseAssignments(carried, inits, Delimiter::Paren)) ||
      failed(parser.parse("->")) || failed(parser.parseTypeListMaybeParens(state.resultTypes)))
    return failure();
  if (carried.size() != state.resultTypes.size())
    return parser.emitError() << "mismatch in number of loop-carried values and defined values";
  arguments.insert(arguments.end(), carried.begin(), carried.end());
  return success();
}

LogicalResult parseFor(OpParser& parser, OperationState& state) {
  Arguments arguments(1);
  Operands bounds(3), inits;
  if (failed(parser.parseArgument(arguments[0], false)) || failed(parser.parse("=")) ||
      failed(parser.parseOperand(bounds[0])) || failed(parser.parseKeyword("to")) ||
      failed(parser.parseOperand(bounds[1])) || failed(parser.parseKeyword("step")) ||
      failed(parser.parseOperand(bounds[2])))
    return failure();
  Location afterBounds = parser.location();
  if (failed(parseLoopCarried(parser, arguments, inits, state))) return failure();
  Type type = IndexType::get(parser.context());
  if (parser.parseOptional(":") && failed(parser.parseType(type))) return failure();
  arguments[0].type = type;
  setTypes(std::span(arguments).subspan(1), state.resultTypes);
  if (failed(parser.resolve(bounds, type, state.operands)) ||
      failed(parser.resolve(inits, state.resultTypes, afterBounds, state.operands)))
    return failure();
  if (failed(parser.parseRegion(state.addRegion(), arguments))) return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printFor(OpPrinter& printer, Operation& op) {
  if (op.numOperands() < 3 || !hasBody(op) || op.region().front().numArguments() == 0)
    return printMalformed(printer, op);
  ForOp loop(&op);
  printer << " " << loop.inductionVar() << " = " << loop.lowerBound() << " to " << loop.upperBound()
          << " step " << loop.step();
  printAssignments(printer, " iter_args", loop.regionIterArgs(), loop.initArgs());
  if (op.numResults() != 0) printTypesInParens(printer, op);
  printer << " ";
  // Two blanks before the colon: what mlir-opt 19 writes.
  Type type = loop.inductionVar().type();
  if (!type.isIndex()) printer << " : " << type << " ";
  printer.printRegion(loop.region(), false, showsTerminator(loop.region()));
  printer.printOptionalAttrDict(op);
}

// -- parallel ------------------------------------------------------------------------------------

static LogicalResult parseBoundList(OpParser& parser, size_t count, OperationState& state) {
  Operands bounds;
  Location where = parser.location();
  if (failed(parser.parseOperandList(bounds, Delimiter::Paren))) return failure();
  if (bounds.size() != count) return parser.emitError(where) << "expected " << count << " operands";
  return resolveIndices(parser, bounds, state);
}

LogicalResult parseParallel(OpParser& parser, OperationState& state) {
  Arguments arguments;
  if (failed(parser.parseArgumentList(arguments, Delimiter::Paren, false))) return failure();
  for (ParsedArgument& argument : arguments)
    argument.type = IndexType::get(parser.context());
  size_t rank = arguments.size();
  if (failed(parser.parse("=")) || failed(parseBoundList(parser, rank, state)) ||
      failed(parser.parseKeyword("to")) || failed(parseBoundList(parser, rank, state)) ||
      failed(parser.parseKeyword("step")) || failed(parseBoundList(parser, rank, state)))
    return failure();
  Operands inits;
  if (parser.parseOptionalKeyword("init") &&
      failed(parser.parseOperandList(inits, Delimiter::Paren)))
    return failure();
  Location where = parser.location();
  if (failed(parser.parseOptionalArrowTypeList(state.resultTypes))) return failure();
  if (failed(checkNumber(parser, inits.size(), state.resultTypes.size()))) return failure();
  if (failed(parser.resolve(inits, state.resultTypes, where, state.operands))) return failure();
  auto n = static_cast<int32_t>(rank);
  int32_t segments[] = {n, n, n, static_cast<int32_t>(inits.size())};
  if (failed(parser.parseRegion(state.addRegion(), arguments)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  state.setOperandSegments(parser.context(), segments);
  return success();
}

void printParallel(OpPrinter& printer, Operation& op) {
  if (!hasBody(op) || op.attrOf<DenseArrayAttr>("operandSegmentSizes").storage() == nullptr)
    return printMalformed(printer, op);
  ParallelOp loop(&op);
  printer << " (";
  printer.printOperands(loop.inductionVars());
  printer << ") = (" << loop.lowerBounds() << ") to (" << loop.upperBounds() << ") step ("
          << loop.steps() << ")";
  if (!loop.initVals().empty()) printer << " init (" << loop.initVals() << ")";
  printer.printOptionalArrowTypes(op.resultTypes());
  printer << " ";
  printer.printRegion(loop.region(), false);
  printer.printOptionalAttrDict(op);
}

// -- reduce --------------------------------------------------------------------------------------

LogicalResult parseReduce(OpParser& parser, OperationState& state) {
  if (parser.parseOptional("(")) {
    Operands names;
    std::vector<Type> types;
    Location where = parser.location();
    if (failed(parser.parseOperandList(names)) || failed(parser.parseColonTypeList(types)) ||
        failed(parser.parse(")")) || failed(parser.resolve(names, types, where, state.operands)))
      return failure();
  }
  while (parser.nextIs("{")) {
    if (failed(parser.parseRegion(state.addRegion()))) return failure();
    if (!parser.parseOptional(",")) break;
    if (!parser.nextIs("{")) return parser.emitError() << "expected '{' of a reduction region";
  }
  return parser.parseOptionalAttrDict(state.attributes);
}

void printReduce(OpPrinter& printer, Operation& op) {
  if (op.numOperands() != 0) {
    printer << "(" << op.operands() << " : ";
    printer.printTypes(op.operandTypes());
    printer << ")";
  }
  printer << " ";
  for (unsigned i = 0; i < op.numRegions(); ++i) {
    if (i) printer << ", ";
    printer.printRegion(op.region(i));
  }
  printer.printOptionalAttrDict(op);
}

// -- if ------------------------------------------------------------------------------------------

LogicalResult parseIf(OpParser& parser, OperationState& state) {
  UnresolvedOperand condition;
  Type i1 = IntegerType::get(parser.context(), 1);
  if (failed(parser.parseOperand(condition)) ||
      failed(parser.resolve(condition, i1, state.operands)) ||
      failed(parser.parseOptionalArrowTypeList(state.resultTypes)))
    return failure();
  Region& thenRegion = state.addRegion();
  Region& elseRegion = state.addRegion();
  if (failed(parser.parseRegion(thenRegion))) return failure();
  if (parser.parseOptionalKeyword("else") && failed(parser.parseRegion(elseRegion)))
    return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printIf(OpPrinter& printer, Operation& op) {
  if (op.numOperands() != 1 || op.numRegions() != 2) return printMalformed(printer, op);
  IfOp branch(&op);
  printer << " " << branch.condition();
  if (op.numResults() != 0) printTypesInParens(printer, op);
  printer << " ";
  printer.printRegion(branch.thenRegion(), false, showsTerminator(branch.thenRegion()));
  if (branch.hasElse()) {
    printer << " else ";
    printer.printRegion(branch.elseRegion(), false, showsTerminator(branch.elseRegion()));
  }
  printer.printOptionalAttrDict(op);
}

// -- while ---------------------------------------------------------------------------------------

LogicalResult parseWhile(OpParser& parser, OperationState& state) {
  Arguments arguments;
  Operands inits;
  if (failed(parser.parseAssignments(arguments, inits, Delimiter::OptionalParen)) ||
      failed(parser.parse(":")))
    return failure();
  FunctionType type;
  Location where = parser.location();
  if (failed(parser.parseFunctionType(type))) return failure();
  state.addTypes(type.results());
  if (type.inputs().size() != inits.size())
    return parser.emitError(where) << "expected as many input types as operands (expected "
                                   << inits.size() << " got " << type.inputs().size() << ")";
  setTypes(arguments, type.inputs());
  if (failed(parser.resolve(inits, type.inputs(), where, state.operands))) return failure();
  Region& before = state.addRegion();
  Region& after = state.addRegion();
  if (failed(parser.parseRegion(before, arguments)) || failed(parser.parseKeyword("do")) ||
      failed(parser.parseRegion(after)))
    return failure();
  return parser.parseOptionalAttrDictWithKeyword(state.attributes);
}

void printWhile(OpPrinter& printer, Operation& op) {
  if (op.numRegions() != 2 || !hasBody(op)) return printMalformed(printer, op);
  WhileOp loop(&op);
  printAssignments(printer, " ", loop.beforeBody().arguments(), loop.inits());
  printer << " : ";
  printer.printFunctionalType(op);
  printer << " ";
  printer.printRegion(loop.before(), false);
  printer << " do ";
  printer.printRegion(loop.after());
  printer.printOptionalAttrDictWithKeyword(op, {});
}

// -- forall --------------------------------------------------------------------------------------

namespace {

/// Bounds of a forall as text writes them: `in (...)` or `= (...) to (...) step (...)`.
struct ForallBounds {
  Operands lower, upper, step;
  std::vector<int64_t> staticLower, staticUpper, staticStep;
};

LogicalResult parseForallBounds(OpParser& parser, size_t rank, ForallBounds& bounds) {
  if (parser.parseOptionalKeyword("in")) {
    bounds.staticLower.assign(rank, 0);
    bounds.staticStep.assign(rank, 1);
    return parser.parseDynamicIndexList(bounds.upper, bounds.staticUpper, Delimiter::Paren);
  }
  if (failed(parser.parse("=")) ||
      failed(parser.parseDynamicIndexList(bounds.lower, bounds.staticLower, Delimiter::Paren)) ||
      failed(parser.parseKeyword("to")) ||
      failed(parser.parseDynamicIndexList(bounds.upper, bounds.staticUpper, Delimiter::Paren)) ||
      failed(parser.parseKeyword("step")))
    return failure();
  return parser.parseDynamicIndexList(bounds.step, bounds.staticStep, Delimiter::Paren);
}

LogicalResult addForallBounds(OpParser& parser, const ForallBounds& bounds, size_t numOutputs,
                              OperationState& state) {
  Context& context = parser.context();
  state.addAttribute(context, "staticLowerBound",
                     DenseArrayAttr::getI64(context, bounds.staticLower));
  state.addAttribute(context, "staticUpperBound",
                     DenseArrayAttr::getI64(context, bounds.staticUpper));
  state.addAttribute(context, "staticStep", DenseArrayAttr::getI64(context, bounds.staticStep));
  int32_t segments[] = {static_cast<int32_t>(bounds.lower.size()),
                        static_cast<int32_t>(bounds.upper.size()),
                        static_cast<int32_t>(bounds.step.size()), static_cast<int32_t>(numOutputs)};
  state.setOperandSegments(context, segments);
  return success();
}

LogicalResult parseSharedOuts(OpParser& parser, Arguments& arguments, Operands& outputs,
                              OperationState& state) {
  if (!parser.parseOptionalKeyword("shared_outs")) return success();
  Arguments shared;
  if (failed(parser.parseAssignments(shared, outputs, Delimiter::Paren)) ||
      failed(parser.parseOptionalArrowTypeList(state.resultTypes)) ||
      failed(checkNumber(parser, outputs.size(), state.resultTypes.size())))
    return failure();
  setTypes(shared, state.resultTypes);
  arguments.insert(arguments.end(), shared.begin(), shared.end());
  return success();
}

/// The region of a new op knows its context only once the op exists.
void ensureBlock(Context& context, Region& region) {
  if (region.empty()) region.insert(Block::create(context));
}

/// The terminator that the parser implies has no region: give it an empty one.
void completeTerminator(Context& context, Region& region) {
  if (region.empty() || region.back().empty()) return;
  Operation& last = region.back().back();
  if (!last.is("scf.forall.in_parallel") || last.numRegions() != 0) return;
  OperationState state(context, last.location(), "scf.forall.in_parallel");
  ensureBlock(context, state.addRegion());
  Block& block = region.back();
  last.erase();
  block.append(Operation::create(context, state));
}

}  // namespace

LogicalResult parseForall(OpParser& parser, OperationState& state) {
  Arguments arguments;
  ForallBounds bounds;
  Operands outputs;
  if (failed(parser.parseArgumentList(arguments, Delimiter::Paren, false))) return failure();
  size_t rank = arguments.size();
  for (ParsedArgument& argument : arguments)
    argument.type = IndexType::get(parser.context());
  if (failed(parseForallBounds(parser, rank, bounds)) ||
      failed(parseSharedOuts(parser, arguments, outputs, state)) ||
      failed(resolveIndices(parser, bounds.lower, state)) ||
      failed(resolveIndices(parser, bounds.upper, state)) ||
      failed(resolveIndices(parser, bounds.step, state)) ||
      failed(parser.resolve(outputs, state.resultTypes, parser.opLocation(), state.operands)))
    return failure();
  Region& region = state.addRegion();
  if (failed(parser.parseRegion(region, arguments)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  completeTerminator(parser.context(), region);
  return addForallBounds(parser, bounds, outputs.size(), state);
}

static void printForallBounds(OpPrinter& printer, ForallOp loop) {
  if (!loop.isNormalized()) {
    printer << " = (";
    printer.printDynamicIndexList(loop.dynamicLowerBounds(), loop.staticLowerBounds());
    printer << ") to (";
  } else {
    printer << " in (";
  }
  printer.printDynamicIndexList(loop.dynamicUpperBounds(), loop.staticUpperBounds());
  printer << ")";
  if (loop.isNormalized()) return;
  printer << " step (";
  printer.printDynamicIndexList(loop.dynamicSteps(), loop.staticSteps());
  printer << ")";
}

/// The in_parallel that an absent terminator stands for.
static bool isPlainInParallel(Region& region) {
  if (region.back().empty()) return true;
  Operation& last = region.back().back();
  if (!last.is("scf.forall.in_parallel") || !last.attributes().empty()) return false;
  return last.numRegions() == 1 && !last.region().empty() && last.region().front().empty();
}

void printForall(OpPrinter& printer, Operation& op) {
  ForallOp loop(&op);
  bool wellFormed = hasBody(op) && loop.region().front().numArguments() >= loop.rank() &&
                    op.attrOf<DenseArrayAttr>("operandSegmentSizes").storage() != nullptr;
  if (!wellFormed) return printMalformed(printer, op);
  std::vector<Value> arguments = loop.body().arguments();
  std::span<const Value> all(arguments);
  printer << " (";
  printer.printOperands(all.first(loop.rank()));
  printer << ")";
  printForallBounds(printer, loop);
  printAssignments(printer, " shared_outs", all.subspan(loop.rank()), loop.outputs());
  if (op.numResults() != 0) printTypesInParens(printer, op);
  printer << " ";
  bool shown = op.numResults() != 0 || !isPlainInParallel(loop.region());
  printer.printRegion(loop.region(), false, shown);
  printer.printOptionalAttrDict(op, {"staticLowerBound", "staticUpperBound", "staticStep"});
}

LogicalResult parseInParallel(OpParser& parser, OperationState& state) {
  Region& region = state.addRegion();
  if (failed(parser.parseRegion(region))) return failure();
  ensureBlock(parser.context(), region);
  return parser.parseOptionalAttrDict(state.attributes);
}

void printInParallel(OpPrinter& printer, Operation& op) {
  if (op.numRegions() != 1) return printMalformed(printer, op);
  printer << " ";
  printer.printRegion(op.region(), false);
  printer.printOptionalAttrDict(op);
}

// -- index_switch --------------------------------------------------------------------------------

/// `-> t, t`; in parentheses as well, which older versions of this printer wrote.
static LogicalResult parseSwitchTypes(OpParser& parser, std::vector<Type>& types) {
  if (!parser.parseOptional("->")) return success();
  return parser.nextIs("(") ? parser.parseTypeListMaybeParens(types) : parser.parseTypeList(types);
}

LogicalResult parseIndexSwitch(OpParser& parser, OperationState& state) {
  UnresolvedOperand arg;
  if (failed(parser.parseOperand(arg)) || failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parseSwitchTypes(parser, state.resultTypes)) ||
      failed(resolveIndices(parser, {arg}, state)))
    return failure();
  Region& defaultRegion = state.addRegion();
  std::vector<int64_t> cases;
  while (parser.parseOptionalKeyword("case"))
    if (failed(parser.parseInteger(cases.emplace_back())) ||
        failed(parser.parseRegion(state.addRegion())))
      return failure();
  state.addAttribute(parser.context(), "cases", DenseArrayAttr::getI64(parser.context(), cases));
  if (failed(parser.parseKeyword("default"))) return failure();
  return parser.parseRegion(defaultRegion);
}

void printIndexSwitch(OpPrinter& printer, Operation& op) {
  IndexSwitchOp select(&op);
  bool wellFormed =
      op.numOperands() == 1 && op.numRegions() != 0 && select.cases().size() == select.numCases();
  if (!wellFormed) return printMalformed(printer, op);
  printer << " " << select.arg();
  printer.printOptionalAttrDict(op, {"cases"});
  if (op.numResults() != 0) {
    printer << " -> ";
    printer.printTypes(op.resultTypes());
  }
  printer << " ";
  for (unsigned i = 0; i < select.numCases(); ++i) {
    printer.newline();
    printer << "case " << select.cases()[i] << " ";
    printer.printRegion(select.caseRegion(i), false);
  }
  printer.newline();
  printer << "default ";
  printer.printRegion(select.defaultRegion(), false, showsTerminator(select.defaultRegion()));
}

// -- execute_region ------------------------------------------------------------------------------

LogicalResult parseExecuteRegion(OpParser& parser, OperationState& state) {
  if (failed(parser.parseOptionalArrowTypeList(state.resultTypes)) ||
      failed(parser.parseRegion(state.addRegion())))
    return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printExecuteRegion(OpPrinter& printer, Operation& op) {
  if (op.numRegions() != 1) return printMalformed(printer, op);
  printer.printOptionalArrowTypes(op.resultTypes());
  printer << " ";
  printer.printRegion(op.region(), false);
  printer.printOptionalAttrDict(op);
}

}  // namespace airlite::scf
