// How the air operations are written.
//
// Both spellings of dependencies are read: `async [%t]` (result of type !air.async.token) and the
// compute model's `[dependency = [%t]]` with a named result and no `async` (result of type
// !air.token). The type of the token decides which one is printed.
#include "AirSyntax.hpp"

#include "IndexLists.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

using Operands = std::vector<UnresolvedOperand>;

/// Token lists of an op while it is read.
struct TokenLists {
  Operands dependencies, affinity, concurrency;
  bool isAsync = false;  // the keyword
  bool isSync = false;
  bool isNamed = false;  // `dependency = [..]` is written
};

Type asyncToken(Context& context) { return DialectType::get(context, "air.async.token"); }
Type modelToken(Context& context) { return DialectType::get(context, "air.token"); }
bool isModelToken(Type type) { return isDialectType(type, "air.token"); }

Operands* listNamed(TokenLists& lists, std::string_view name) {
  if (name == "dependency") return &lists.dependencies;
  if (name == "affinity") return &lists.affinity;
  if (name == "concurrency") return &lists.concurrency;
  return nullptr;
}

bool nextIsTokenList(OpParser& parser) {
  return parser.nextIsKeyword("dependency") || parser.nextIsKeyword("affinity") ||
         parser.nextIsKeyword("concurrency");
}

LogicalResult parseNamedList(OpParser& parser, TokenLists& lists) {
  std::string name;
  if (failed(parser.parseAnyKeyword(name)) || failed(parser.parse("="))) return failure();
  Operands* list = listNamed(lists, name);
  lists.isNamed = true;
  return parser.parseOperandList(*list, Delimiter::Square);
}

/// `async`, `sync`, `[%t]`, `[dependency = [%t]]`, `dependency = [%t]`, in any sensible order.
LogicalResult parseTokens(OpParser& parser, TokenLists& lists) {
  while (true) {
    Location where = parser.location();
    if (parser.parseOptionalKeyword("async")) {
      if (parser.numWrittenResults() == 0)
        return parser.emitError(where) << "needs to be named when marked 'async'";
      lists.isAsync = true;
    } else if (parser.parseOptionalKeyword("sync")) {
      if (parser.numWrittenResults() != 0)
        return parser.emitError(where) << "has no result to name when marked 'sync'";
      lists.isSync = true;
    } else if (nextIsTokenList(parser)) {
      if (failed(parseNamedList(parser, lists))) return failure();
    } else if (parser.parseOptional("[")) {
      if (nextIsTokenList(parser)) {
        if (failed(parseNamedList(parser, lists)) || failed(parser.parse("]"))) return failure();
        continue;
      }
      if (parser.parseOptional("]")) continue;
      if (failed(parser.parseOperandList(lists.dependencies)) || failed(parser.parse("]")))
        return failure();
    } else {
      if (lists.isAsync && lists.isSync)
        return parser.emitError(where) << "cannot be both 'async' and 'sync'";
      return success();
    }
  }
}

/// The type of a token as written before; a later definition is taken as `fallback`.
Type tokenType(OpParser& parser, const UnresolvedOperand& operand, Type fallback) {
  Type known = parser.typeOf(operand);
  return known && isTokenType(known) ? known : fallback;
}

bool usesModelTokens(OpParser& parser, const TokenLists& lists) {
  if (!lists.affinity.empty() || !lists.concurrency.empty()) return true;
  for (const UnresolvedOperand& operand : lists.dependencies)
    if (isModelToken(parser.typeOf(operand))) return true;
  return false;
}

/// Type of the token result; null for the synchronous form.
Type resultToken(OpParser& parser, const TokenLists& lists, bool alwaysAsync) {
  Context& context = parser.context();
  // Of an execute nothing else can say it.
  bool model = usesModelTokens(parser, lists) || (alwaysAsync && lists.isNamed);
  if (lists.isAsync || alwaysAsync) return model ? modelToken(context) : asyncToken(context);
  return parser.numWrittenResults() ? modelToken(context) : Type();
}

LogicalResult resolveTokens(OpParser& parser, const Operands& operands, Type fallback,
                            std::vector<Value>& values) {
  LogicalResult result = success();
  for (const UnresolvedOperand& operand : operands)
    result |= parser.resolve(operand, tokenType(parser, operand, fallback), values);
  return result;
}

Type fallbackToken(OpParser& parser, Type result, const TokenLists& lists) {
  if (result) return result;
  return usesModelTokens(parser, lists) ? modelToken(parser.context())
                                        : asyncToken(parser.context());
}

bool printsModelSpelling(Operation& op) {
  if (op.numResults() && isModelToken(op.result(0).type())) return true;
  if (op.numResults()) return false;
  for (Value value : op.operandGroup(0))
    if (isModelToken(value.type())) return true;
  return false;
}

/// Dependencies in the order of their definitions where they share a block: how users of the
/// existing tools see them.
std::vector<Value> sortedTokens(OperandRange tokens) {
  std::vector<Value> values = tokens.vec();
  for (Value value : values)
    if (!value.definingOp() || value.parentBlock() != values[0].parentBlock()) return values;
  std::stable_sort(values.begin(), values.end(), [](Value a, Value b) {
    return a.definingOp() != b.definingOp() && a.definingOp()->isBeforeInBlock(b.definingOp());
  });
  return values;
}

void printList(OpPrinter& printer, std::string_view name, OperandRange tokens) {
  if (tokens.empty()) return;
  printer << "[" << name << " = [";
  printer.printOperands(tokens.vec());
  printer << "]] ";
}

/// Ends with a blank when it prints something.
void printTokens(OpPrinter& printer, Operation& op) {
  OperandRange dependencies = op.operandGroup(0);
  if (printsModelSpelling(op)) return printList(printer, "dependency", dependencies);
  if (op.numResults() && isTokenType(op.result(0).type())) printer << "async ";
  if (dependencies.empty()) return;
  printer << "[";
  printer.printOperands(sortedTokens(dependencies));
  printer << "] ";
}

// -- custom<AirAsync>: tokens of an op in a format ---------------------------------------------

LogicalResult parseAsyncDirective(OpParser& parser, FormatValues& values,
                                  std::span<const std::string_view>) {
  TokenLists lists;
  Location where = parser.location();
  if (failed(parseTokens(parser, lists))) return failure();
  if (!lists.affinity.empty() || !lists.concurrency.empty())
    return parser.emitError(where) << "only a dependency list is possible here";
  Type token = resultToken(parser, lists, false);
  Type fallback = fallbackToken(parser, token, lists);
  std::vector<Type>& results = values.types("async_token");
  if (token) results.push_back(token);
  values.operands("async_dependencies") = lists.dependencies;
  std::vector<Type>& types = values.types("async_dependencies");
  for (const UnresolvedOperand& operand : lists.dependencies)
    types.push_back(tokenType(parser, operand, fallback));
  return success();
}

void printAsyncDirective(OpPrinter& printer, Operation& op, std::span<const std::string_view>) {
  printTokens(printer, op);
}

// -- Hierarchy ops --------------------------------------------------------------------------------

struct HierarchyText {
  TokenLists tokens;
  Operands universe, sizes, kernelOperands;
  std::vector<ParsedArgument> ids, sizeArguments, kernelArguments;
  std::vector<Type> kernelTypes;
  Location kernelLocation;
};

std::string_view spaceKeyword(std::string_view opName) {
  if (opName == "air.segment") return "unroll";
  if (opName == "air.herd") return "tile";
  return {};
}

LogicalResult parseSpace(OpParser& parser, HierarchyText& text) {
  if (failed(parser.parseArgumentList(text.ids, Delimiter::Paren, false)) ||
      failed(parser.parseKeyword("in")) ||
      failed(parser.parseAssignments(text.sizeArguments, text.sizes, Delimiter::Paren)))
    return failure();
  if (text.ids.size() == text.sizes.size()) return success();
  return parser.emitError(parser.opLocation())
         << "expected as many sizes as ids: " << text.ids.size() << " ids, " << text.sizes.size()
         << " sizes";
}

LogicalResult parseKernelArguments(OpParser& parser, HierarchyText& text) {
  text.kernelLocation = parser.location();
  if (!parser.parseOptionalKeyword("args")) return success();
  if (failed(parser.parseAssignments(text.kernelArguments, text.kernelOperands, Delimiter::Paren)))
    return failure();
  LogicalResult status = success();
  if (!text.kernelOperands.empty()) return parser.parseColonTypeList(text.kernelTypes);
  if (parser.parseOptionalColonTypeList(text.kernelTypes, status)) return status;
  return success();
}

/// `x_loc=1 y_loc=2 link_with="k.o" backend-granularity=XCD`: the compute model's bare attributes.
LogicalResult parseBareAttribute(OpParser& parser, OperationState& state, bool& found) {
  static constexpr std::string_view kIntegers[] = {"x_loc", "y_loc", "x_size", "y_size"};
  Context& context = parser.context();
  found = true;
  for (std::string_view name : kIntegers) {
    if (!parser.parseOptionalKeyword(name)) continue;
    int64_t value = 0;
    if (failed(parser.parse("=")) || failed(parser.parseInteger(value))) return failure();
    state.addAttribute(context, name, IntegerAttr::get(IntegerType::get(context, 64), value));
    return success();
  }
  std::string text;
  if (parser.parseOptionalKeyword("link_with")) {
    if (failed(parser.parse("=")) || failed(parser.parseString(text))) return failure();
    state.addAttribute(context, "link_with", StringAttr::get(context, text));
    return success();
  }
  if (parser.parseOptionalKeyword("backend")) {
    if (failed(parser.parse("-")) || failed(parser.parseKeyword("granularity")) ||
        failed(parser.parse("=")) || failed(parser.parseKeywordOrString(text)))
      return failure();
    state.addAttribute(context, "backend-granularity", StringAttr::get(context, text));
    return success();
  }
  found = false;
  return success();
}

LogicalResult parseHead(OpParser& parser, OperationState& state, HierarchyText& text) {
  std::string symbol;
  if (parser.parseOptionalSymbolName(symbol))
    state.addAttribute(parser.context(), kSymbolName, StringAttr::get(parser.context(), symbol));
  if (failed(parseTokens(parser, text.tokens))) return failure();
  if (parser.opName() == "air.rank" && parser.parseOptionalKeyword("universe") &&
      failed(parser.parseOperandList(text.universe, Delimiter::Paren)))
    return failure();
  std::string_view keyword = spaceKeyword(parser.opName());
  bool written = keyword.empty() ? parser.nextIs("(") : parser.parseOptionalKeyword(keyword);
  // A segment's space may follow without `unroll`, as the compute model writes it.
  written |= parser.opName() == "air.segment" && parser.nextIs("(");
  bool required = parser.opName() != "air.segment";
  if (written || required) {
    if (!keyword.empty() && !written) return parser.parseKeyword(keyword);
    if (failed(parseSpace(parser, text))) return failure();
  }
  return parseKernelArguments(parser, text);
}

LogicalResult parseTail(OpParser& parser, OperationState& state, HierarchyText& text) {
  for (bool found = true; found;)
    if (failed(parseBareAttribute(parser, state, found))) return failure();
  if (failed(parseTokens(parser, text.tokens))) return failure();
  return parser.parseOptionalAttrDictWithKeyword(state.attributes);
}

LogicalResult resolveHierarchy(OpParser& parser, OperationState& state, HierarchyText& text) {
  Context& context = parser.context();
  Type index = IndexType::get(context);
  Type token = resultToken(parser, text.tokens, false);
  Type fallback = fallbackToken(parser, token, text.tokens);
  if (token) state.resultTypes.push_back(token);
  std::vector<int32_t> sizes{static_cast<int32_t>(text.tokens.dependencies.size())};
  LogicalResult result = resolveTokens(parser, text.tokens.dependencies, fallback, state.operands);
  if (parser.opName() == "air.rank") {
    result |=
        parser.resolve(text.universe, DialectType::get(context, "air.universe"), state.operands);
    sizes.push_back(static_cast<int32_t>(text.universe.size()));
  }
  result |= parser.resolve(text.sizes, index, state.operands);
  result |=
      parser.resolve(text.kernelOperands, text.kernelTypes, text.kernelLocation, state.operands);
  Type model = modelToken(context);
  result |= resolveTokens(parser, text.tokens.affinity, model, state.operands);
  result |= resolveTokens(parser, text.tokens.concurrency, model, state.operands);
  sizes.insert(sizes.end(), {static_cast<int32_t>(text.sizes.size()),
                             static_cast<int32_t>(text.kernelOperands.size()),
                             static_cast<int32_t>(text.tokens.affinity.size()),
                             static_cast<int32_t>(text.tokens.concurrency.size())});
  state.setOperandSegments(context, sizes);
  return result;
}

std::vector<ParsedArgument> bodyArguments(HierarchyText& text, Type index) {
  std::vector<ParsedArgument> arguments = text.ids;
  arguments.insert(arguments.end(), text.sizeArguments.begin(), text.sizeArguments.end());
  for (ParsedArgument& argument : arguments)
    argument.type = index;
  for (size_t i = 0; i < text.kernelArguments.size(); ++i) {
    text.kernelArguments[i].type = text.kernelTypes[i];
    arguments.push_back(text.kernelArguments[i]);
  }
  return arguments;
}

}  // namespace

LogicalResult parseHierarchy(OpParser& parser, OperationState& state) {
  HierarchyText text;
  if (failed(parseHead(parser, state, text)) || failed(parseTail(parser, state, text)) ||
      failed(resolveHierarchy(parser, state, text)))
    return failure();
  std::vector<ParsedArgument> arguments = bodyArguments(text, IndexType::get(parser.context()));
  Region& region = state.addRegion();
  LogicalResult status = success();
  if (parser.parseOptionalRegion(region, status, arguments)) return status;
  // `air.herd @external tile (...) in (...)` without a body: an empty one.
  Block& block = region.addBlock(parser.context());
  for (const ParsedArgument& argument : arguments)
    block.addArgument(argument.type, argument.location);
  OperationState terminator(parser.context(), state.location, state.def->implicitTerminator);
  block.append(Operation::create(parser.context(), terminator));
  return success();
}

static void printAssignments(OpPrinter& printer, Block& body, unsigned first,
                             OperandRange operands) {
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (i) printer << ", ";
    printer << body.argument(first + i);
    printer << "=";
    printer << operands[i];
  }
}

static void printSpace(OpPrinter& printer, HierarchyOp op) {
  std::string_view keyword = spaceKeyword(op->name());
  bool optional = op->is("air.segment");
  if (optional && op.numDims() == 0) return;
  if (keyword == "tile") printer << "tile ";
  if (keyword == "unroll") printer << "unroll";
  printer << "(";
  for (unsigned i = 0; i < op.numDims(); ++i) {
    if (i) printer << ", ";
    printer << op.id(i);
  }
  printer << ") in (";
  printAssignments(printer, op.body(), op.numDims(), op.sizes());
  printer << ")";
}

static void printKernelArguments(OpPrinter& printer, HierarchyOp op) {
  if (op.numKernelOperands() == 0) return;
  printer << " args(";
  printAssignments(printer, op.body(), 2 * op.numDims(), op.kernelOperands());
  printer << ") : ";
  std::vector<Type> types;
  for (Value value : op.kernelOperands())
    types.push_back(value.type());
  printer.printTypes(types);
}

void printHierarchy(OpPrinter& printer, Operation& raw) {
  HierarchyOp op(&raw);
  printer << " ";
  if (!op.symbol().empty()) {
    printer.printSymbolName(op.symbol());
    printer << " ";
  }
  printTokens(printer, raw);
  if (raw.is("air.rank"))
    if (Value universe = RankOp(&raw).universe()) {
      printer << "universe(";
      printer << universe;
      printer << ") ";
    }
  printSpace(printer, op);
  printKernelArguments(printer, op);
  printer << " ";
  printList(printer, "affinity", op.affinity());
  printList(printer, "concurrency", op.concurrency());
  std::string_view elided[] = {"operandSegmentSizes", kSymbolName};
  DictionaryAttr shown = raw.attributes().without(elided[0]).without(elided[1]);
  if (!shown.empty()) {
    printer << "attributes ";
    printer.printDictionary(shown);
    printer << " ";
  }
  Operation* terminator = op.body().terminator();
  bool plain = terminator && terminator->attributes().empty();
  if (!op.symbol().empty() && plain && &op.body().front() == terminator) return;
  printer.printRegion(raw.region(), false, !plain);
}

// -- execute, custom ------------------------------------------------------------------------------

LogicalResult parseExecute(OpParser& parser, OperationState& state) {
  TokenLists lists;
  if (failed(parseTokens(parser, lists))) return failure();
  std::vector<Type> types;
  if (parser.parseOptional("->")) {
    LogicalResult list =
        parser.parseList(Delimiter::Paren, [&] { return parser.parseType(types.emplace_back()); });
    if (failed(list)) return failure();
  }
  Type token = resultToken(parser, lists, true);
  state.resultTypes.push_back(token);
  state.addTypes(types);
  if (failed(resolveTokens(parser, lists.dependencies, token, state.operands))) return failure();
  if (failed(parser.parseRegion(state.addRegion()))) return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printExecute(OpPrinter& printer, Operation& op) {
  OperandRange dependencies = op.operands();
  bool model = isModelToken(op.result(0).type());
  bool inferred = false;
  for (Value value : dependencies)
    inferred |= isModelToken(value.type());
  bool named = model && !inferred;
  if (named || !dependencies.empty()) {
    printer << (named ? " [dependency = [" : " [");
    printer.printOperands(dependencies.vec());
    printer << (named ? "]]" : "]");
  }
  if (op.numResults() > 1) {
    std::vector<Type> types = op.resultTypes();
    types.erase(types.begin());
    printer << " -> (";
    printer.printTypes(types);
    printer << ")";
  }
  printer << " ";
  Operation* terminator = op.region().front().terminator();
  bool plain = terminator && terminator->numOperands() == 0 && terminator->attributes().empty();
  printer.printRegion(op.region(), true, !plain);
  printer.printOptionalAttrDict(op);
}

LogicalResult parseCustom(OpParser& parser, OperationState& state) {
  TokenLists lists;
  std::string name;
  if (parser.parseOptionalSymbolName(name))
    state.addAttribute(parser.context(), kSymbolName, StringAttr::get(parser.context(), name));
  if (failed(parseTokens(parser, lists))) return failure();
  Operands operands;
  std::vector<Type> types;
  Location where = parser.location();
  if (parser.parseOptionalKeyword("operands")) {
    if (failed(parser.parseOperandList(operands, Delimiter::Paren))) return failure();
    if (!operands.empty() && failed(parser.parseColonTypeList(types))) return failure();
  }
  if (failed(parser.parseOptionalAttrDictWithKeyword(state.attributes))) return failure();
  Type token = resultToken(parser, lists, false);
  if (token) state.resultTypes.push_back(token);
  Type fallback = fallbackToken(parser, token, lists);
  if (failed(resolveTokens(parser, lists.dependencies, fallback, state.operands)) ||
      failed(parser.resolve(operands, types, where, state.operands)))
    return failure();
  int32_t sizes[] = {static_cast<int32_t>(lists.dependencies.size()),
                     static_cast<int32_t>(operands.size())};
  state.setOperandSegments(parser.context(), sizes);
  return success();
}

void printCustom(OpPrinter& printer, Operation& op) {
  printer << " ";
  if (std::string_view name = symbolName(op); !name.empty()) {
    printer.printSymbolName(name);
    printer << " ";
  }
  printTokens(printer, op);
  OperandRange operands = op.operandGroup(1);
  if (!operands.empty()) {
    printer << "operands (";
    printer << operands;
    printer << ") : ";
    std::vector<Type> types;
    for (Value value : operands)
      types.push_back(value.type());
    printer.printTypes(types);
  }
  std::string_view elided[] = {"operandSegmentSizes", kSymbolName};
  printer.printOptionalAttrDictWithKeyword(op, elided);
}

void registerAirDirectives() {
  registerCustomDirective({"AirAsync", parseAsyncDirective, printAsyncDirective});
  registerIndexLists();
}

}  // namespace airlite::air
