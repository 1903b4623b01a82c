// What host code around AIR programs says in the llvm dialect: functions of a run time and calls of
// them, global data, constants, addresses, aggregates. It is read, checked and printed; nothing
// here runs it. The syntax is that of MLIR 19's LLVM dialect, without calling conventions, comdats
// and other things that only a code generator for hosts asks for.
#include "LlvmHost.hpp"

#include "LlvmTypes.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <algorithm>
#include <limits>

namespace airlite::llvm {

namespace {

constexpr std::string_view kFunctionType = "function_type", kGlobalType = "global_type",
                           kLinkage = "linkage", kVarCallee = "var_callee_type",
                           kElementType = "elem_type", kPosition = "position",
                           kIndices = "rawConstantIndices";

constexpr std::string_view kLinkages[] = {"external",  "available_externally",
                                          "linkonce",  "linkonce_odr",
                                          "weak",      "weak_odr",
                                          "appending", "internal",
                                          "private",   "extern_weak",
                                          "common"};

const AttrConstraint kLinkageWord{"LLVM linkage", [](Attribute a) {
                                    DialectAttr linkage = a.dynCast<DialectAttr>();
                                    return linkage && linkage.name() == "llvm.linkage";
                                  }};
const AttrConstraint kFunctionTypeAttr{"type attribute of LLVM function type", [](Attribute a) {
                                         TypeAttr type = a.dynCast<TypeAttr>();
                                         return type && isFunctionType(type.value());
                                       }};
const AttrConstraint kSizedTypeAttr{"type attribute of LLVM type with size", [](Attribute a) {
                                      TypeAttr type = a.dynCast<TypeAttr>();
                                      return type && hasSize(type.value());
                                    }};

Type typeAttrOf(Operation& op, std::string_view name) { return op.attrOf<TypeAttr>(name).value(); }

// -- Linkage --------------------------------------------------------------------------------------

void parseLinkage(OpParser& parser, OperationState& state) {
  std::string_view found = kLinkages[0];
  for (std::string_view word : kLinkages)
    if (parser.parseOptionalKeyword(word)) {
      found = word;
      break;
    }
  state.addAttribute(parser.context(), kLinkage,
                     DialectAttr::getKeyword(parser.context(), "llvm.linkage", found));
}

/// A space, and a word that is not the usual one.
void printLinkage(OpPrinter& printer, Operation& op, bool writesExternal) {
  DialectAttr linkage = op.attrOf<DialectAttr>(kLinkage);
  std::string_view word = linkage ? linkage.keyword() : kLinkages[0];
  printer << " ";
  if (writesExternal || word != kLinkages[0]) printer << word << " ";
}

// -- Functions ------------------------------------------------------------------------------------

/// `(!llvm.ptr, ...)` or `(%a: i32)`.
LogicalResult parseArguments(OpParser& parser, FunctionSignature& signature,
                             std::vector<ParsedArgument>& named) {
  auto parseOne = [&]() -> LogicalResult {
    if (signature.isVariadic) return parser.emitError() << "expected '...' to be the last";
    signature.isVariadic = parser.parseOptional("...");
    if (signature.isVariadic) return success();
    if (!parser.nextIsOperand() && named.empty())
      return parser.parseType(signature.arguments.emplace_back());
    if (!parser.nextIsOperand() || named.size() != signature.arguments.size())
      return parser.emitError() << "expected names for all arguments or for none";
    if (failed(parser.parseArgument(named.emplace_back(), true))) return failure();
    signature.arguments.push_back(named.back().type);
    return success();
  };
  return parser.parseList(Delimiter::Paren, parseOne);
}

LogicalResult parseFunc(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  parseLinkage(parser, state);
  std::string name;
  FunctionSignature signature;
  std::vector<ParsedArgument> named;
  if (failed(parser.parseSymbolName(name))) return failure();
  state.addAttribute(context, kSymbolName, StringAttr::get(context, name));
  Location where = parser.location();
  if (failed(parseArguments(parser, signature, named))) return failure();
  if (parser.parseOptional("->") && failed(parser.parseType(signature.result))) return failure();
  bool areSized = std::all_of(signature.arguments.begin(), signature.arguments.end(), hasSize);
  if (!areSized || (signature.result && !hasSize(signature.result)))
    return parser.emitError(where)
           << "arguments and results of llvm.func have LLVM types with size";
  state.addAttribute(context, kFunctionType, TypeAttr::get(functionType(context, signature)));
  if (failed(parser.parseOptionalAttrDictWithKeyword(state.attributes))) return failure();
  LogicalResult status = success();
  if (!parser.parseOptionalRegion(state.addRegion(), status, named)) return success();
  return status;
}

void printFunc(OpPrinter& printer, Operation& op) {
  FunctionSignature signature = signatureOf(typeAttrOf(op, kFunctionType));
  printLinkage(printer, op, false);
  printer.printSymbolName(symbolName(op));
  printer << "(";
  std::string_view separator;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    printer << separator;
    if (op.region().empty())
      printer << signature.arguments[i];
    else
      printer.printArgument(op.region().front().argument(i));
    separator = ", ";
  }
  if (signature.isVariadic) printer << separator << "...";
  printer << ")";
  if (signature.result) printer << " -> " << signature.result;
  constexpr std::string_view kElided[] = {kSymbolName, kFunctionType, kLinkage};
  printer.printOptionalAttrDictWithKeyword(op, kElided);
  if (op.region().empty()) return;
  printer << " ";
  printer.printRegion(op.region(), false);
}

LogicalResult verifyFunc(Operation& op) {
  if (op.region().empty()) return success();
  FunctionSignature signature = signatureOf(typeAttrOf(op, kFunctionType));
  Block& entry = op.region().front();
  bool fits = entry.numArguments() == signature.arguments.size();
  for (unsigned i = 0; fits && i < entry.numArguments(); ++i)
    fits = entry.argument(i).type() == signature.arguments[i];
  if (fits) return success();
  return op.emitOpError() << "entry block must have the arguments of the function's type "
                          << typeAttrOf(op, kFunctionType);
}

LogicalResult verifyReturn(Operation& op) {
  Operation* parent = op.parentOp();
  bool isGlobal = parent && parent->is("llvm.mlir.global");
  if (!isGlobal && !(parent && parent->is("llvm.func"))) return success();
  Type expected = isGlobal ? typeAttrOf(*parent, kGlobalType)
                           : signatureOf(typeAttrOf(*parent, kFunctionType)).result;
  if (op.numOperands() != (expected ? 1u : 0u))
    return op.emitOpError() << "expected " << (expected ? "one operand" : "no operand")
                            << ", found " << op.numOperands();
  if (!expected || op.operand(0).type() == expected) return success();
  return op.emitOpError() << "expected an operand of type " << expected << ", found "
                          << op.operand(0).type();
}

// -- Calls ----------------------------------------------------------------------------------------

/// `@f(%a) [vararg(type)] attr-dict : (t) -> t`.
LogicalResult parseCall(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  if (parser.nextIsOperand())
    return parser.emitError() << "not supported: calls of what a pointer points to";
  std::string callee;
  std::vector<UnresolvedOperand> arguments;
  FunctionType type;
  if (failed(parser.parseSymbolName(callee))) return failure();
  state.addAttribute(context, "callee", SymbolRefAttr::get(context, callee));
  Location where = parser.location();
  if (failed(parser.parseOperandList(arguments, Delimiter::Paren))) return failure();
  if (parser.parseOptionalKeyword("vararg")) {
    Type variadic;
    if (failed(parser.parse("(")) || failed(parser.parseType(variadic)) ||
        failed(parser.parse(")")))
      return failure();
    state.addAttribute(context, kVarCallee, TypeAttr::get(variadic));
  }
  if (failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")) ||
      failed(parser.parseFunctionType(type)))
    return failure();
  state.addTypes(type.results());
  return parser.resolve(arguments, type.inputs(), where, state.operands);
}

void printCall(OpPrinter& printer, Operation& op) {
  printer << " ";
  printer.printSymbolName(op.attrOf<SymbolRefAttr>("callee").leaf());
  printer << "(" << op.operands() << ")";
  if (op.hasAttr(kVarCallee)) printer << " vararg(" << typeAttrOf(op, kVarCallee) << ")";
  printer.printOptionalAttrDict(op, {"callee", kVarCallee});
  printer << " : ";
  printer.printFunctionalType(op);
}

/// The arguments of the call are those of the callee, and more where it is variadic.
LogicalResult verifyArguments(Operation& op, const FunctionSignature& callee) {
  size_t count = callee.arguments.size();
  bool fits = op.numOperands() == count || (callee.isVariadic && op.numOperands() > count);
  if (!fits)
    return op.emitOpError() << "incorrect number of operands (" << op.numOperands()
                            << ") for callee (expecting: " << count << ")";
  for (unsigned i = 0; i < count; ++i)
    if (op.operand(i).type() != callee.arguments[i])
      return op.emitOpError() << "operand type mismatch for operand " << i << ": "
                              << op.operand(i).type() << " != " << callee.arguments[i];
  return success();
}

LogicalResult verifyCall(Operation& op) {
  SymbolRefAttr name = op.attrOf<SymbolRefAttr>("callee");
  Operation* function = lookupSymbol(&op, name);
  if (!function || !function->is("llvm.func"))
    return op.emitOpError() << "'" << name.leaf() << "' does not reference an llvm.func";
  Type type = typeAttrOf(*function, kFunctionType);
  FunctionSignature callee = signatureOf(type);
  if (callee.isVariadic && (!op.hasAttr(kVarCallee) || typeAttrOf(op, kVarCallee) != type))
    return op.emitOpError() << "a call of a variadic function gives its type: vararg(" << type
                            << ")";
  if (!callee.isVariadic && op.hasAttr(kVarCallee))
    return op.emitOpError() << "'" << name.leaf() << "' is not variadic";
  if (failed(verifyArguments(op, callee))) return failure();
  bool fits = op.numResults() == (callee.result ? 1u : 0u) &&
              (!callee.result || op.result().type() == callee.result);
  if (fits) return success();
  return op.emitOpError() << "results must be those of the callee's type " << type;
}

// -- Global data ----------------------------------------------------------------------------------

Type typeOfText(StringAttr text) {
  Context& context = text.context();
  return arrayType(context, static_cast<int64_t>(text.value().size()),
                   IntegerType::get(context, 8));
}

/// `[linkage] [constant] @name([value]) attr-dict [: type] [region]`; a string gives its type.
LogicalResult parseGlobal(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  parseLinkage(parser, state);
  if (parser.parseOptionalKeyword("constant"))
    state.addAttribute(context, "constant", UnitAttr::get(context));
  std::string name;
  if (failed(parser.parseSymbolName(name)) || failed(parser.parse("("))) return failure();
  state.addAttribute(context, kSymbolName, StringAttr::get(context, name));
  Attribute value;
  if (!parser.nextIs(")") && failed(parser.parseAttribute(value))) return failure();
  if (failed(parser.parse(")")) || failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  if (value) state.addAttribute(context, "value", value);
  if (!state.attributes.get("addr_space"))
    state.addAttribute(context, "addr_space", IntegerAttr::get(IntegerType::get(context, 32), 0));
  Type type;
  Location where = parser.location();
  StringAttr text = value.dynCast<StringAttr>();
  if (parser.nextIs(":") && failed(parser.parseColonType(type))) return failure();
  if (!type && !text)
    return parser.emitError(where) << "expected ':' and a type: only strings go without";
  if (!type) type = typeOfText(text);
  state.addAttribute(context, kGlobalType, TypeAttr::get(type));
  LogicalResult status = success();
  if (!parser.parseOptionalRegion(state.addRegion(), status)) return success();
  return status;
}

void printGlobal(OpPrinter& printer, Operation& op) {
  printLinkage(printer, op, true);
  if (op.hasAttr("constant")) printer << "constant ";
  printer.printSymbolName(symbolName(op));
  printer << "(";
  Attribute value = op.attr("value");
  if (value) printer << value;
  printer << ")";
  printer.printOptionalAttrDict(op, {kSymbolName, kLinkage, "constant", "value", kGlobalType});
  if (!value.isa<StringAttr>()) printer << " : " << typeAttrOf(op, kGlobalType);
  if (op.region().empty()) return;
  printer << " ";
  printer.printRegion(op.region());
}

LogicalResult verifyGlobal(Operation& op) {
  if (op.hasAttr("value") && !op.region().empty())
    return op.emitOpError() << "cannot have both initializer value and region";
  StringAttr text = op.attrOf<StringAttr>("value");
  if (!text) return success();
  if (typeAttrOf(op, kGlobalType) == typeOfText(text)) return success();
  return op.emitOpError() << "requires an i8 array type of the length equal to that of the string "
                             "attribute";
}

LogicalResult verifyAddressOf(Operation& op) {
  SymbolRefAttr name = op.attrOf<SymbolRefAttr>("global_name");
  Operation* target = lookupSymbol(&op, name);
  if (target && (target->is("llvm.mlir.global") || target->is("llvm.func"))) return success();
  return op.emitOpError() << "must reference a global defined by 'llvm.mlir.global' or 'llvm.func'";
}

// -- Constants and addresses ----------------------------------------------------------------------

/// `(value) attr-dict : type`.
LogicalResult parseConstant(OpParser& parser, OperationState& state) {
  Attribute value;
  if (failed(parser.parse("(")) || failed(parser.parseAttribute(value)) ||
      failed(parser.parse(")")) || failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  state.addAttribute(parser.context(), "value", value);
  return parser.parseColonType(state.resultTypes.emplace_back());
}

void printConstant(OpPrinter& printer, Operation& op) {
  printer << "(" << op.attr("value") << ")";
  printer.printOptionalAttrDict(op, {"value"});
  printer << " : " << op.result().type();
}

/// `%count x type attr-dict : (i32) -> !llvm.ptr`.
LogicalResult parseAlloca(OpParser& parser, OperationState& state) {
  UnresolvedOperand count;
  Type element;
  FunctionType type;
  if (failed(parser.parseOperand(count)) || failed(parser.parseKeyword("x")) ||
      failed(parser.parseType(element)) || failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parse(":")))
    return failure();
  Location where = parser.location();
  if (failed(parser.parseFunctionType(type))) return failure();
  state.addAttribute(parser.context(), kElementType, TypeAttr::get(element));
  state.addTypes(type.results());
  return parser.resolve(std::span(&count, 1), type.inputs(), where, state.operands);
}

void printAlloca(OpPrinter& printer, Operation& op) {
  printer << " " << op.operand(0) << " x " << typeAttrOf(op, kElementType);
  printer.printOptionalAttrDict(op, {kElementType});
  printer << " : ";
  printer.printFunctionalType(op);
}

bool allocaEffects(Operation& op, std::vector<EffectInstance>& effects) {
  effects.push_back({Effect::Allocate, op.result()});
  return true;
}

/// What stands for an operand in the list of indices, as in MLIR.
constexpr int32_t kFromOperand = std::numeric_limits<int32_t>::min();

/// `[inbounds] %p[%i, 2] attr-dict : (!llvm.ptr, i64) -> !llvm.ptr, type`.
LogicalResult parseGep(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  if (parser.parseOptionalKeyword("inbounds"))
    state.addAttribute(context, "inbounds", UnitAttr::get(context));
  std::vector<UnresolvedOperand> operands(1);
  std::vector<int64_t> indices;
  FunctionType type;
  Type element;
  if (failed(parser.parseOperand(operands[0]))) return failure();
  Location place = parser.location();
  if (failed(parser.parseDynamicIndexList(operands, indices)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")))
    return failure();
  Location where = parser.location();
  if (failed(parser.parseFunctionType(type)) || failed(parser.parse(",")) ||
      failed(parser.parseType(element)))
    return failure();
  std::vector<int32_t> raw;
  for (int64_t index : indices) {
    bool fits = index > kFromOperand && index <= std::numeric_limits<int32_t>::max();
    if (!fits && index != kDynamic)
      return parser.emitError(place) << "index " << index << " does not fit 32 bits";
    raw.push_back(index == kDynamic ? kFromOperand : static_cast<int32_t>(index));
  }
  state.addAttribute(context, kIndices, DenseArrayAttr::getI32(context, raw));
  state.addAttribute(context, kElementType, TypeAttr::get(element));
  state.addTypes(type.results());
  return parser.resolve(operands, type.inputs(), where, state.operands);
}

std::vector<int64_t> indicesOf(Operation& op) {
  std::span<const int64_t> raw = op.attrOf<DenseArrayAttr>(kIndices).values();
  std::vector<int64_t> indices(raw.begin(), raw.end());
  for (int64_t& index : indices)
    if (index == kFromOperand) index = kDynamic;
  return indices;
}

void printGep(OpPrinter& printer, Operation& op) {
  printer << (op.hasAttr("inbounds") ? " inbounds " : " ") << op.operand(0) << "[";
  printer.printDynamicIndexList(op.operandGroup(1), indicesOf(op));
  printer << "]";
  printer.printOptionalAttrDict(op, {kIndices, kElementType, "inbounds"});
  printer << " : ";
  printer.printFunctionalType(op);
  printer << ", " << typeAttrOf(op, kElementType);
}

LogicalResult verifyGep(Operation& op) {
  std::vector<int64_t> indices = indicesOf(op);
  auto dynamic = static_cast<unsigned>(std::count(indices.begin(), indices.end(), kDynamic));
  if (indices.empty()) return op.emitOpError() << "expected at least one index";
  if (dynamic + 1 == op.numOperands()) return success();
  return op.emitOpError() << "expected as many operands as dynamic indices: " << dynamic
                          << ", found " << op.numOperands() - 1;
}

// -- Aggregates -----------------------------------------------------------------------------------

LogicalResult parsePosition(OpParser& parser, std::vector<int64_t>& position) {
  return parser.parseList(Delimiter::Square,
                          [&] { return parser.parseInteger(position.emplace_back()); });
}

/// `%s[1, 0] attr-dict : type` of extractvalue, `%v, %s[1, 0] attr-dict : type` of insertvalue.
LogicalResult parseMember(OpParser& parser, OperationState& state) {
  bool isInsert = parser.opName() == "llvm.insertvalue";
  UnresolvedOperand value, container;
  std::vector<int64_t> position;
  Type type;
  if (isInsert && (failed(parser.parseOperand(value)) || failed(parser.parse(","))))
    return failure();
  if (failed(parser.parseOperand(container))) return failure();
  Location where = parser.location();
  if (failed(parsePosition(parser, position)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parseColonType(type)))
    return failure();
  Type member = elementAt(type, position);
  if (!member) return parser.emitError(where) << "there is nothing at this position of " << type;
  state.addAttribute(parser.context(), kPosition,
                     DenseArrayAttr::getI64(parser.context(), position));
  state.resultTypes = {isInsert ? type : member};
  if (failed(parser.resolve(container, type, state.operands))) return failure();
  return isInsert ? parser.resolve(value, member, state.operands) : success();
}

void printMember(OpPrinter& printer, Operation& op) {
  printer << " ";
  if (op.numOperands() > 1) printer << op.operand(1) << ", ";
  printer << op.operand(0) << "[";
  std::string_view separator;
  for (int64_t at : op.attrOf<DenseArrayAttr>(kPosition).values()) {
    printer << separator << at;
    separator = ", ";
  }
  printer << "]";
  printer.printOptionalAttrDict(op, {kPosition});
  printer << " : " << op.operand(0).type();
}

LogicalResult verifyMember(Operation& op) {
  Type container = op.operand(0).type();
  Type member = elementAt(container, op.attrOf<DenseArrayAttr>(kPosition).values());
  if (!member) return op.emitOpError() << "there is nothing at this position of " << container;
  bool isInsert = op.numOperands() > 1;
  Type found = isInsert ? op.operand(1).type() : op.result().type();
  if (found != member)
    return op.emitOpError() << "type mismatch: the member has type " << member << ", found "
                            << found;
  if (!isInsert || op.result().type() == container) return success();
  return op.emitOpError() << "gives a container of the type it takes, " << container;
}

/// Numbers and vectors keep their bits; a pointer stays one.
LogicalResult verifyBitcast(Operation& op) {
  const Type from = op.operand(0).type(), to = op.result().type();
  const auto isScalar = [](Type type) {
    return type.isa<IntegerType>() || type.isa<FloatType>() || type.isa<VectorType>();
  };
  const auto bits = [](Type type) {
    const auto vector = type.dynCast<VectorType>();
    return vector ? vector.numElements() * vector.elementType().bitWidth()
                  : static_cast<int64_t>(type.bitWidth());
  };
  if (isPointer(from) && from == to) return success();
  if (isScalar(from) && isScalar(to) && bits(from) == bits(to)) return success();
  return op.emitOpError() << "has no " << to << " with the bits of " << from;
}

void defineFunctions(Dialect& d) {
  d.op("func")
      .doc("A function of the host; without a body it is declared here and defined elsewhere.")
      .attr(kSymbolName, attrs::symbolName)
      .attr(kFunctionType, kFunctionTypeAttr)
      .defaultAttr(kLinkage, kLinkageWord, "#llvm.linkage<external>")
      .region("body")
      .traits(Trait::IsolatedFromAbove | Trait::Symbol | Trait::AllocationScope)
      .syntax(parseFunc, printFunc)
      .example("llvm.func @printf(!llvm.ptr, ...) -> i32")
      .verify(verifyFunc);
  d.op("return")
      .doc("Ends a function or the region of a global, and gives its value.")
      .variadicOperand("arg", types::any)
      .traits(Trait::Pure | Trait::Terminator | Trait::ReturnLike)
      .format("attr-dict ($arg^ `:` type($arg))?")
      .example("llvm.return %a : i32")
      .verify(verifyReturn);
  d.op("call")
      .doc("Calls a function by name; of a variadic one `vararg` gives the type.")
      .attr("callee", attrs::flatSymbolRef)
      .optionalAttr(kVarCallee, kFunctionTypeAttr)
      .variadicOperand("arguments", sized)
      .variadicResult("result", sized)
      .syntax(parseCall, printCall)
      .example("%r = llvm.call @printf(%p, %i) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, "
               "i32) -> i32")
      .verify(verifyCall);
}

void defineGlobals(Dialect& d) {
  d.op("mlir.global")
      .doc("Global data of the host, with a value, with a region that makes it, or declared.")
      .attr(kSymbolName, attrs::symbolName)
      .attr(kGlobalType, kSizedTypeAttr)
      .attr(kLinkage, kLinkageWord)
      .optionalAttr("constant", attrs::unit)
      .optionalAttr("value", attrs::any)
      .optionalAttr("addr_space", attrs::i32)
      .region("initializer")
      .traits(Trait::IsolatedFromAbove | Trait::Symbol)
      .syntax(parseGlobal, printGlobal)
      .example("llvm.mlir.global internal constant @text(\"done\\00\")")
      .verify(verifyGlobal);
  d.op("mlir.addressof")
      .doc("The address of global data or of a function.")
      .attr("global_name", attrs::flatSymbolRef)
      .result("res", pointer)
      .traits(Trait::Pure)
      .format("$global_name attr-dict `:` type($res)")
      .example("%p = llvm.mlir.addressof @text : !llvm.ptr")
      .verify(verifyAddressOf);
}

void defineConstants(Dialect& d) {
  d.op("mlir.constant")
      .doc("A number, text or dense data as a value.")
      .attr("value", attrs::any)
      .result("res", sized)
      .traits(Trait::Pure)
      .syntax(parseConstant, printConstant)
      .example("%n = llvm.mlir.constant(4096 : index) : i64");
  struct Plain {
    std::string_view name, doc, example;
  };
  constexpr Plain kPlain[] = {
      {"mlir.zero", "All bits zero; a null pointer.", "%z = llvm.mlir.zero : !llvm.ptr"},
      {"mlir.undef", "A value that may be any.", "%u = llvm.mlir.undef : i32"},
      {"mlir.poison", "A poison value: nothing that depends on it is defined.",
       "%p = llvm.mlir.poison : !llvm.struct<(ptr, i64)>"}};
  for (const Plain& plain : kPlain)
    d.op(plain.name)
        .doc(plain.doc)
        .result("res", sized)
        .traits(Trait::Pure)
        .format("attr-dict `:` type($res)")
        .example(plain.example);
}

void defineAddresses(Dialect& d) {
  d.op("inttoptr")
      .doc("A pointer from its number.")
      .operand("arg", types::signlessInteger)
      .result("res", pointer)
      .traits(Trait::Pure)
      .format("$arg attr-dict `:` type($arg) `to` type($res)")
      .example("%p = llvm.inttoptr %i : i64 to !llvm.ptr");
  d.op("ptrtoint")
      .doc("The number of a pointer.")
      .operand("arg", pointer)
      .result("res", types::signlessInteger)
      .traits(Trait::Pure)
      .format("$arg attr-dict `:` type($arg) `to` type($res)")
      .example("%i = llvm.ptrtoint %p : !llvm.ptr to i64");
  d.op("bitcast")
      .doc("The same bits as another type; of a pointer, the pointer.")
      .operand("arg", sized)
      .result("res", sized)
      .traits(Trait::Pure)
      .format("$arg attr-dict `:` type($arg) `to` type($res)")
      .example("%q = llvm.bitcast %p : !llvm.ptr to !llvm.ptr")
      .verify(verifyBitcast);
  d.op("alloca")
      .doc("Memory for so many elements, until the function ends.")
      .operand("arraySize", types::signlessInteger)
      .result("res", pointer)
      .attr(kElementType, kSizedTypeAttr)
      .optionalAttr("alignment", attrs::i64)
      .effects(allocaEffects)
      .syntax(parseAlloca, printAlloca)
      .example("%p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr");
  d.op("getelementptr")
      .doc("The address of an element: indices into data of the type at the end.")
      .operand("base", pointer)
      .variadicOperand("dynamicIndices", types::signlessInteger)
      .result("res", pointer)
      .attr(kIndices, attrs::denseI32)
      .attr(kElementType, kSizedTypeAttr)
      .optionalAttr("inbounds", attrs::unit)
      .traits(Trait::Pure)
      .syntax(parseGep, printGep)
      .example("%q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32")
      .verify(verifyGep);
}

void defineAggregates(Dialect& d) {
  d.op("extractvalue")
      .doc("One member of an aggregate.")
      .operand("container", aggregate)
      .result("res", sized)
      .attr(kPosition, attrs::denseI64)
      .traits(Trait::Pure)
      .syntax(parseMember, printMember)
      .example("%m = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i64)>")
      .verify(verifyMember);
  d.op("insertvalue")
      .doc("An aggregate with one member replaced.")
      .operand("container", aggregate)
      .operand("value", sized)
      .result("res", aggregate)
      .attr(kPosition, attrs::denseI64)
      .traits(Trait::Pure)
      .syntax(parseMember, printMember)
      .example("%t = llvm.insertvalue %p, %s[0] : !llvm.struct<(ptr, i64)>")
      .verify(verifyMember);
}

}  // namespace

void defineSymbols(Dialect& d) {
  d.attr({"llvm.linkage", "Who else sees a symbol.", kLinkages});
  defineFunctions(d);
  defineGlobals(d);
}

void defineValues(Dialect& d) {
  defineConstants(d);
  defineAddresses(d);
  defineAggregates(d);
}

}  // namespace airlite::llvm
