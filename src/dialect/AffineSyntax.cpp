// The textual syntax of affine.apply, min, max and of the ops with regions.
#include "AffineInternal.hpp"

#include <algorithm>

namespace airlite::affine {

namespace {

using Operands = std::vector<UnresolvedOperand>;

Type indexTypeOf(OpParser& parser) { return IndexType::get(parser.context()); }

bool showsTerminator(Region& region) {
  if (region.empty() || region.back().empty()) return false;
  Operation& last = region.back().back();
  return last.numOperands() != 0 || !last.attributes().empty();
}

/// The custom form needs a well-formed op; others (in messages) are shown like this.
void printAsGeneric(OpPrinter& printer, Operation& op) { printer.printGeneric(op, false); }

void printDimsAndSymbols(OpPrinter& printer, OperandRange operands, unsigned numDims) {
  std::vector<Value> values = operands.vec();
  printer.printDimAndSymbolOperands(values, numDims);
}

LogicalResult parseMapAttr(OpParser& parser, AffineMap& map) {
  Attribute attribute;
  Location where = parser.location();
  if (failed(parser.parseAttribute(attribute))) return failure();
  auto wanted = attribute.dynCast<AffineMapAttr>();
  if (!wanted) return parser.emitError(where) << "invalid kind of attribute specified";
  map = wanted.value();
  return success();
}

}  // namespace

// -- apply, min, max -----------------------------------------------------------------------------

LogicalResult parseMapOp(OpParser& parser, OperationState& state) {
  AffineMap map;
  Operands operands;
  unsigned numDims = 0;
  if (failed(parseMapAttr(parser, map)) ||
      failed(parser.parseDimAndSymbolOperands(operands, numDims)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  bool isApply = parser.opName() == "affine.apply";
  if (isApply && (numDims != map.numDims() || operands.size() != map.numInputs()))
    return parser.emitError(parser.opLocation()) << "dimension or symbol index mismatch";
  state.addAttribute(parser.context(), kMap, AffineMapAttr::get(map));
  state.resultTypes.push_back(indexTypeOf(parser));
  return parser.resolve(operands, indexTypeOf(parser), state.operands);
}

void printMapOp(OpPrinter& printer, Operation& op) {
  auto map = op.attrOf<AffineMapAttr>(kMap);
  if (!map) return printAsGeneric(printer, op);
  printer << " " << Attribute(map);
  printDimsAndSymbols(printer, op.operands(), map.value().numDims());
  printer.printOptionalAttrDict(op, {kMap});
}

// -- for -----------------------------------------------------------------------------------------

namespace {

LogicalResult parseConstantOrMapBound(OpParser& parser, bool isLower, bool prefixed, AffineMap& map,
                                      Operands& operands) {
  Attribute attribute;
  Location where = parser.location();
  if (failed(parser.parseAttribute(attribute, indexTypeOf(parser)))) return failure();
  if (auto constant = attribute.dynCast<IntegerAttr>()) {
    map = AffineMap::constant(parser.context(), constant.value());
    return success();
  }
  auto wanted = attribute.dynCast<AffineMapAttr>();
  if (!wanted)
    return parser.emitError(where) << "expected valid affine map representation for "
                                      "loop bounds";
  map = wanted.value();
  unsigned numDims = 0;
  if (failed(parser.parseDimAndSymbolOperands(operands, numDims))) return failure();
  if (numDims != map.numDims())
    return parser.emitError(where) << "dim operand count and affine map dim count must match";
  if (operands.size() != map.numInputs())
    return parser.emitError(where) << "symbol operand count and affine map symbol count must match";
  if (map.numResults() <= 1 || prefixed) return success();
  if (isLower)
    return parser.emitError(where)
           << "lower loop bound affine map with multiple results requires 'max' prefix";
  return parser.emitError(where)
         << "upper loop bound affine map with multiple results requires 'min' prefix";
}

LogicalResult parseBound(OpParser& parser, bool isLower, OperationState& state, size_t& count) {
  Operands operands;
  AffineMap map;
  bool prefixed = parser.parseOptionalKeyword(isLower ? "max" : "min");
  if (parser.nextIsOperand()) {
    if (prefixed) return parser.emitError() << "expected only one loop bound operand";
    AffineExpr symbol = AffineExpr::symbol(parser.context(), 0);
    map = AffineMap::get(parser.context(), 0, 1, std::span(&symbol, 1));
    if (failed(parser.parseOperand(operands.emplace_back()))) return failure();
  } else if (failed(parseConstantOrMapBound(parser, isLower, prefixed, map, operands))) {
    return failure();
  }
  count = operands.size();
  state.addAttribute(parser.context(), isLower ? kLowerBoundMap : kUpperBoundMap,
                     AffineMapAttr::get(map));
  return parser.resolve(operands, indexTypeOf(parser), state.operands);
}

LogicalResult parseStep(OpParser& parser, OperationState& state) {
  int64_t step = 1;
  Location where = parser.location();
  if (parser.parseOptionalKeyword("step")) {
    where = parser.location();
    if (failed(parser.parseInteger(step))) return failure();
  }
  if (step <= 0)
    return parser.emitError(where)
           << "expected step to be representable as a positive signed integer";
  state.addAttribute(parser.context(), kStep, IntegerAttr::getIndex(parser.context(), step));
  return success();
}

LogicalResult parseIterArgs(OpParser& parser, std::vector<ParsedArgument>& arguments,
                            OperationState& state) {
  if (!parser.parseOptionalKeyword("iter_args")) return success();
  std::vector<ParsedArgument> carried;
  Operands inits;
  if (failed(parser.parseAssignments(carried, inits, Delimiter::Paren)) ||
      failed(parser.parse("->")) || failed(parser.parseTypeListMaybeParens(state.resultTypes)))
    return failure();
  if (carried.size() != state.resultTypes.size())
    return parser.emitError(parser.opLocation())
           << "mismatch between the number of loop-carried values and results";
  for (size_t i = 0; i < carried.size(); ++i)
    carried[i].type = state.resultTypes[i];
  arguments.insert(arguments.end(), carried.begin(), carried.end());
  return parser.resolve(inits, state.resultTypes, parser.opLocation(), state.operands);
}

/// `%x`, `5` or `#map(%x)[%y]`, with `max` / `min` before a map of several results.
void printBound(OpPrinter& printer, const Application& bound, std::string_view prefix) {
  AffineMap map = bound.map;
  bool single = map.numResults() == 1;
  if (single && map.numInputs() == 0 && map.constantResult()) {
    printer << *map.constantResult();
    return;
  }
  bool isValue = single && map.numDims() == 0 && map.numSymbols() == 1 &&
                 map.result(0).kind() == AffineKind::Symbol;
  if (isValue && bound.operands.size() == 1) {
    printer << bound.operands[0];
    return;
  }
  if (!single) printer << prefix << " ";
  printer << Attribute(AffineMapAttr::get(map));
  printer.printDimAndSymbolOperands(bound.operands, map.numDims());
}

bool isPrintable(Operation& op) {
  bool attributes = op.attrOf<AffineMapAttr>(kLowerBoundMap) &&
                    op.attrOf<AffineMapAttr>(kUpperBoundMap) && op.attrOf<IntegerAttr>(kStep) &&
                    op.attrOf<DenseArrayAttr>("operandSegmentSizes");
  bool body = op.numRegions() == 1 && !op.region().empty();
  return attributes && body && op.region().front().numArguments() >= op.numResults() + 1;
}

}  // namespace

LogicalResult parseFor(OpParser& parser, OperationState& state) {
  std::vector<ParsedArgument> arguments(1);
  size_t lower = 0, upper = 0;
  if (failed(parser.parseArgument(arguments[0], false)) || failed(parser.parse("=")) ||
      failed(parseBound(parser, true, state, lower)) || failed(parser.parseKeyword("to")) ||
      failed(parseBound(parser, false, state, upper)) || failed(parseStep(parser, state)))
    return failure();
  arguments[0].type = indexTypeOf(parser);
  if (failed(parseIterArgs(parser, arguments, state))) return failure();
  int32_t segments[] = {static_cast<int32_t>(lower), static_cast<int32_t>(upper),
                        static_cast<int32_t>(state.resultTypes.size())};
  state.setOperandSegments(parser.context(), segments);
  if (failed(parser.parseRegion(state.addRegion(), arguments))) return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printFor(OpPrinter& printer, Operation& op) {
  if (!isPrintable(op)) return printAsGeneric(printer, op);
  ForOp loop(&op);
  printer << " " << loop.inductionVar() << " = ";
  printBound(printer, loop.lowerBound(), "max");
  printer << " to ";
  printBound(printer, loop.upperBound(), "min");
  if (loop.step() != 1) printer << " step " << loop.step();
  OperandRange inits = loop.inits();
  for (unsigned i = 0; i < inits.size() && i + 1 < loop.body().numArguments(); ++i)
    printer << (i ? ", " : " iter_args(") << loop.regionIterArg(i) << " = " << inits[i];
  if (op.numResults() != 0) {
    printer << ") -> (";
    printer.printTypes(op.resultTypes());
    printer << ")";
  }
  printer << " ";
  printer.printRegion(loop.region(), false, showsTerminator(loop.region()));
  printer.printOptionalAttrDict(op, {kLowerBoundMap, kUpperBoundMap, kStep});
}

// -- if ------------------------------------------------------------------------------------------

static LogicalResult parseCondition(OpParser& parser, OperationState& state) {
  Attribute attribute;
  Location where = parser.location();
  if (failed(parser.parseAttribute(attribute))) return failure();
  auto set = attribute.dynCast<IntegerSetAttr>();
  if (!set) return parser.emitError(where) << "invalid kind of attribute specified";
  state.addAttribute(parser.context(), kCondition, set);
  Operands operands;
  unsigned numDims = 0;
  if (failed(parser.parseDimAndSymbolOperands(operands, numDims))) return failure();
  if (numDims != set.value().numDims())
    return parser.emitError(parser.opLocation())
           << "dim operand count and integer set dim count must match";
  if (operands.size() != set.value().numInputs())
    return parser.emitError(parser.opLocation())
           << "symbol operand count and integer set symbol count must match";
  return parser.resolve(operands, indexTypeOf(parser), state.operands);
}

LogicalResult parseIf(OpParser& parser, OperationState& state) {
  if (failed(parseCondition(parser, state)) ||
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
  auto condition = op.attrOf<IntegerSetAttr>(kCondition);
  if (!condition || op.numRegions() != 2) return printAsGeneric(printer, op);
  IfOp branch(&op);
  printer << " " << Attribute(condition);
  printDimsAndSymbols(printer, op.operands(), condition.value().numDims());
  printer.printOptionalArrowTypes(op.resultTypes());
  printer << " ";
  printer.printRegion(branch.thenRegion(), false, showsTerminator(branch.thenRegion()));
  if (branch.hasElse()) {
    printer << " else ";
    printer.printRegion(branch.elseRegion(), false, showsTerminator(branch.elseRegion()));
  }
  printer.printOptionalAttrDict(op, {kCondition});
}

// -- parallel ------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kParallelAttrs[] = {"reductions",        "lowerBoundsMap",
                                               "lowerBoundsGroups", "upperBoundsMap",
                                               "upperBoundsGroups", "steps"};

bool sameName(const UnresolvedOperand& a, const UnresolvedOperand& b) {
  return a.name == b.name && a.number == b.number;
}

unsigned positionIn(Operands& known, const UnresolvedOperand& operand) {
  auto it = std::find_if(known.begin(), known.end(),
                         [&](const UnresolvedOperand& o) { return sameName(o, operand); });
  if (it != known.end()) return static_cast<unsigned>(it - known.begin());
  known.push_back(operand);
  return static_cast<unsigned>(known.size() - 1);
}

/// The bounds of one side as they are read: expressions over shared dims and symbols.
struct BoundReader {
  OpParser& parser;
  std::string_view keyword;  // "max" or "min" before a group
  Operands dims = {}, symbols = {};
  std::vector<AffineExpr> exprs = {};
  std::vector<int64_t> groups = {};

  /// Names of one group are numbered on their own first: a name is a dim or a symbol there.
  LogicalResult readGroup() {
    Operands ownDims, ownSymbols;
    size_t start = exprs.size();
    auto one = [&] {
      return parser.parseAffineExprOfSsaIds(exprs.emplace_back(), ownDims, ownSymbols);
    };
    bool isList = parser.parseOptionalKeyword(keyword);
    if (failed(isList ? parser.parseList(Delimiter::Paren, one) : one())) return failure();
    if (exprs.size() == start)
      return parser.emitError() << "expected at least one bound after '" << keyword << "'";
    renumber(start, ownDims, ownSymbols);
    groups.push_back(static_cast<int64_t>(exprs.size() - start));
    return success();
  }

  void renumber(size_t start, const Operands& ownDims, const Operands& ownSymbols) {
    std::vector<AffineExpr> newDims, newSymbols;
    for (const UnresolvedOperand& operand : ownDims)
      newDims.push_back(AffineExpr::dim(parser.context(), positionIn(dims, operand)));
    for (const UnresolvedOperand& operand : ownSymbols)
      newSymbols.push_back(AffineExpr::symbol(parser.context(), positionIn(symbols, operand)));
    for (size_t i = start; i < exprs.size(); ++i)
      exprs[i] = exprs[i].replace(newDims, newSymbols);
  }

  LogicalResult read(OperationState& state, std::string_view mapName, std::string_view groupsName) {
    if (failed(parser.parseList(Delimiter::Paren, [&] { return readGroup(); }))) return failure();
    Context& context = parser.context();
    AffineMap map = AffineMap::get(context, static_cast<unsigned>(dims.size()),
                                   static_cast<unsigned>(symbols.size()), exprs);
    state.addAttribute(context, mapName, AffineMapAttr::get(map));
    state.addAttribute(context, groupsName, groupsAttr());
    Type index = IndexType::get(context);
    LogicalResult result = parser.resolve(dims, index, state.operands);
    return succeeded(result) ? parser.resolve(symbols, index, state.operands) : result;
  }

  Attribute groupsAttr() const {
    Type i32 = IntegerType::get(parser.context(), 32);
    auto size = static_cast<int64_t>(groups.size());
    std::vector<Attribute> elements;
    for (int64_t group : groups)
      elements.push_back(IntegerAttr::get(i32, group));
    ShapedType type = RankedTensorType::get(parser.context(), std::span(&size, 1), i32);
    return elements.empty() ? DenseElementsAttr::getRaw(type, {})
                            : DenseElementsAttr::get(type, elements);
  }
};

LogicalResult parseParallelSteps(OpParser& parser, size_t rank, OperationState& state) {
  std::vector<Attribute> steps;
  Type i64 = IntegerType::get(parser.context(), 64);
  auto one = [&]() -> LogicalResult {
    int64_t step = 0;
    Location where = parser.location();
    if (failed(parser.parseInteger(step))) return failure();
    if (step <= 0) return parser.emitError(where) << "expected step to be a positive integer";
    steps.push_back(IntegerAttr::get(i64, step));
    return success();
  };
  if (parser.parseOptionalKeyword("step")) {
    if (failed(parser.parseList(Delimiter::Paren, one))) return failure();
  } else {
    steps.assign(rank, IntegerAttr::get(i64, 1));
  }
  state.addAttribute(parser.context(), "steps", ArrayAttr::get(parser.context(), steps));
  return success();
}

LogicalResult parseReductionName(OpParser& parser, std::vector<Attribute>& reductions) {
  std::string name;
  Location where = parser.location();
  if (failed(parser.parseString(name))) return failure();
  auto it = std::find(std::begin(kReductionNames), std::end(kReductionNames), name);
  if (it == std::end(kReductionNames))
    return parser.emitError(where) << "invalid reduction value: \"" << name << "\"";
  reductions.push_back(
      IntegerAttr::get(IntegerType::get(parser.context(), 64), it - std::begin(kReductionNames)));
  return success();
}

LogicalResult parseReductions(OpParser& parser, OperationState& state) {
  std::vector<Attribute> reductions;
  if (parser.parseOptionalKeyword("reduce") && failed(parser.parseList(Delimiter::Paren, [&] {
        return parseReductionName(parser, reductions);
      })))
    return failure();
  state.addAttribute(parser.context(), "reductions", ArrayAttr::get(parser.context(), reductions));
  return parser.parseOptionalArrowTypeList(state.resultTypes);
}

void printBoundGroups(OpPrinter& printer, ParallelOp loop, bool lower) {
  printer << "(";
  for (unsigned i = 0; i < loop.numDims(); ++i) {
    Application bound = lower ? loop.lowerBound(i) : loop.upperBound(i);
    if (i) printer << ", ";
    bool isList = bound.map.numResults() != 1;
    if (isList) printer << (lower ? "max(" : "min(");
    printer.printAffineMapOfSsaIds(bound.map, bound.operands);
    if (isList) printer << ")";
  }
  printer << ")";
}

int64_t sumOf(Attribute groups) {
  auto dense = groups.dynCast<DenseElementsAttr>();
  int64_t sum = 0;
  for (int64_t i = 0; dense && i < dense.numElements(); ++i)
    sum += constantInt(dense.element(i)).value_or(0);
  return sum;
}

bool isPrintableParallel(Operation& op) {
  auto lower = op.attrOf<AffineMapAttr>("lowerBoundsMap");
  auto upper = op.attrOf<AffineMapAttr>("upperBoundsMap");
  bool attributes = lower && upper && op.attrOf<ArrayAttr>("steps") &&
                    op.attrOf<ArrayAttr>("reductions") && op.numRegions() == 1;
  if (!attributes || op.region().empty()) return false;
  return op.numOperands() == lower.value().numInputs() + upper.value().numInputs() &&
         sumOf(op.attr("lowerBoundsGroups")) == lower.value().numResults() &&
         sumOf(op.attr("upperBoundsGroups")) == upper.value().numResults();
}

void printReductions(OpPrinter& printer, ParallelOp loop) {
  if (loop->numResults() == 0) return;
  printer << " reduce (";
  for (unsigned i = 0; i < loop->numResults(); ++i) {
    auto kind = static_cast<size_t>(loop.reduction(i));
    printer << (i ? ", \"" : "\"")
            << (kind < std::size(kReductionNames) ? kReductionNames[kind] : "?") << "\"";
  }
  printer << ") -> (";
  printer.printTypes(loop->resultTypes());
  printer << ")";
}

}  // namespace

LogicalResult parseParallel(OpParser& parser, OperationState& state) {
  std::vector<ParsedArgument> arguments;
  if (failed(parser.parseArgumentList(arguments, Delimiter::Paren, false)) ||
      failed(parser.parse("=")))
    return failure();
  for (ParsedArgument& argument : arguments)
    argument.type = indexTypeOf(parser);
  if (failed(BoundReader{parser, "max"}.read(state, "lowerBoundsMap", "lowerBoundsGroups")) ||
      failed(parser.parseKeyword("to")) ||
      failed(BoundReader{parser, "min"}.read(state, "upperBoundsMap", "upperBoundsGroups")) ||
      failed(parseParallelSteps(parser, arguments.size(), state)) ||
      failed(parseReductions(parser, state)))
    return failure();
  if (failed(parser.parseRegion(state.addRegion(), arguments))) return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printParallel(OpPrinter& printer, Operation& op) {
  if (!isPrintableParallel(op)) return printAsGeneric(printer, op);
  ParallelOp loop(&op);
  printer << " (";
  printer.printOperands(loop.body().arguments());
  printer << ") = ";
  printBoundGroups(printer, loop, true);
  printer << " to ";
  printBoundGroups(printer, loop, false);
  bool plain = true;
  for (unsigned i = 0; i < loop.numDims(); ++i)
    plain = plain && loop.step(i) == 1;
  for (unsigned i = 0; !plain && i < loop.numDims(); ++i)
    printer << (i ? ", " : " step (") << loop.step(i);
  if (!plain) printer << ")";
  printReductions(printer, loop);
  printer << " ";
  printer.printRegion(loop.region(), false, showsTerminator(loop.region()));
  printer.printOptionalAttrDict(op, std::span<const std::string_view>(kParallelAttrs));
}

}  // namespace airlite::affine
