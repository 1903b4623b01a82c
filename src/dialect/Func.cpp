// The func dialect: functions, calls, references to functions.
#include "airlite/dialect/Func.hpp"

#include "ConstantFolding.hpp"
#include "FunctionSyntax.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <algorithm>

namespace airlite {

namespace func {

namespace {

constexpr std::string_view kFunctionType = "function_type";
constexpr std::string_view kVisibility = "sym_visibility";
constexpr std::string_view kArgAttrs = "arg_attrs";
constexpr std::string_view kResAttrs = "res_attrs";

// -- Reading a function --------------------------------------------------------------------------

/// What is written before the body.
struct Signature {
  std::vector<ParsedArgument> arguments;
  std::vector<Type> results;
  std::vector<NamedAttrList> resultAttrs;
  bool isNamed = false;  // %a: t; otherwise only types

  std::vector<Type> argumentTypes() const {
    std::vector<Type> types;
    for (const ParsedArgument& argument : arguments)
      types.push_back(argument.type);
    return types;
  }
};

LogicalResult parseFunctionArgument(OpParser& parser, Signature& signature) {
  bool isNamed = parser.nextIsOperand();
  if (signature.arguments.empty()) signature.isNamed = isNamed;
  if (parser.nextIs("..."))
    return parser.emitError() << "not supported: variadic arguments of a function";
  if (isNamed != signature.isNamed)
    return parser.emitError() << (isNamed ? "expected type instead of SSA identifier"
                                          : "expected SSA identifier");
  ParsedArgument& argument = signature.arguments.emplace_back();
  if (isNamed) return parser.parseArgument(argument, true, true);
  argument.location = parser.location();
  if (failed(parser.parseType(argument.type)) ||
      failed(parser.parseOptionalAttrDict(argument.attributes)))
    return failure();
  return parser.parseOptionalLocation(argument.location);
}

LogicalResult parseFunctionResult(OpParser& parser, Signature& signature) {
  if (failed(parser.parseType(signature.results.emplace_back()))) return failure();
  return parser.parseOptionalAttrDict(signature.resultAttrs.emplace_back());
}

/// `-> t` or `-> (t {attrs}, ...)`.
LogicalResult parseFunctionResults(OpParser& parser, Signature& signature) {
  if (!parser.parseOptional("->")) return success();
  auto parseOne = [&] { return parseFunctionResult(parser, signature); };
  if (parser.nextIs("(")) return parser.parseList(Delimiter::Paren, parseOne);
  signature.resultAttrs.emplace_back();
  return parser.parseType(signature.results.emplace_back());
}

LogicalResult parseSignature(OpParser& parser, Signature& signature) {
  auto parseOne = [&] { return parseFunctionArgument(parser, signature); };
  if (failed(parser.parseList(Delimiter::Paren, parseOne))) return failure();
  return parseFunctionResults(parser, signature);
}

/// The array for `arg_attrs`; null when all are empty.
Attribute dictionaries(Context& context, std::span<const NamedAttrList> lists) {
  bool any = false;
  std::vector<Attribute> entries;
  for (const NamedAttrList& list : lists) {
    entries.push_back(list.dictionary(context));
    any |= !list.empty();
  }
  return any ? ArrayAttr::get(context, entries) : Attribute();
}

void addSignature(Context& context, OperationState& state, const Signature& signature) {
  Type type = FunctionType::get(context, signature.argumentTypes(), signature.results);
  state.addAttribute(context, kFunctionType, TypeAttr::get(type));
  std::vector<NamedAttrList> argAttrs;
  for (const ParsedArgument& argument : signature.arguments)
    argAttrs.push_back(argument.attributes);
  if (Attribute attrs = dictionaries(context, argAttrs))
    state.addAttribute(context, kArgAttrs, attrs);
  if (Attribute attrs = dictionaries(context, signature.resultAttrs))
    state.addAttribute(context, kResAttrs, attrs);
}

/// `attributes {...}`, which may not say what the signature says.
LogicalResult parseFunctionAttributes(OpParser& parser, OperationState& state) {
  NamedAttrList written;
  Location where = parser.location();
  if (failed(parser.parseOptionalAttrDictWithKeyword(written))) return failure();
  for (std::string_view inferred : {kSymbolName, kVisibility, kFunctionType})
    if (written.get(inferred))
      return parser.emitError(where) << "'" << inferred
                                     << "' is an inferred attribute and should "
                                        "not be specified in the explicit attribute dictionary";
  for (const NamedAttribute& attr : written.entries())
    state.attributes.set(attr.name, attr.value);
  return success();
}

LogicalResult parseBody(OpParser& parser, OperationState& state, const Signature& signature) {
  Region& body = state.addRegion();
  LogicalResult status = success();
  Location where = parser.location();
  std::span<const ParsedArgument> arguments;
  if (signature.isNamed) arguments = signature.arguments;
  if (!parser.parseOptionalRegion(body, status, arguments)) return success();
  if (failed(status)) return failure();
  if (!body.empty() && !(body.hasOneBlock() && body.front().empty())) return success();
  return parser.emitError(where) << "expected non-empty function body";
}

}  // namespace

LogicalResult parseFunction(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  std::string name;
  for (std::string_view visibility : {"public", "private", "nested"})
    if (parser.parseOptionalKeyword(visibility)) {
      state.addAttribute(context, kVisibility, StringAttr::get(context, visibility));
      break;
    }
  Signature signature;
  if (failed(parser.parseSymbolName(name))) return failure();
  state.addAttribute(context, kSymbolName, StringAttr::get(context, name));
  if (failed(parseSignature(parser, signature))) return failure();
  addSignature(context, state, signature);
  if (failed(parseFunctionAttributes(parser, state))) return failure();
  return parseBody(parser, state, signature);
}

namespace {

// -- Printing a function -------------------------------------------------------------------------

void printFunctionArguments(OpPrinter& printer, FuncOp function) {
  printer << "(";
  for (unsigned i = 0; i < function.numArguments(); ++i) {
    if (i) printer << ", ";
    if (function.isDeclaration()) {
      printer << function.functionType().inputs()[i];
      printer.printDictionary(function.argAttrs(i));
    } else {
      printer.printArgument(function.argument(i), function.argAttrs(i));
    }
  }
  printer << ")";
}

/// One result stands without parentheses unless it has attributes or is a function type.
void printFunctionResults(OpPrinter& printer, FuncOp function) {
  std::span<const Type> results = function.functionType().results();
  if (results.empty()) return;
  bool bare = results.size() == 1 && !results[0].isa<FunctionType>() && !function.resultAttrs(0);
  printer << (bare ? " -> " : " -> (");
  for (unsigned i = 0; i < results.size(); ++i) {
    if (i) printer << ", ";
    printer << results[i];
    printer.printDictionary(function.resultAttrs(i));
  }
  if (!bare) printer << ")";
}

}  // namespace

void printFunction(OpPrinter& printer, Operation& op) {
  FuncOp function(&op);
  printer << " ";
  if (StringAttr visibility = op.attrOf<StringAttr>(kVisibility))
    printer << visibility.value() << " ";
  printer.printSymbolName(function.symName());
  printFunctionArguments(printer, function);
  printFunctionResults(printer, function);
  constexpr std::string_view kElided[] = {kSymbolName, kVisibility, kFunctionType, kArgAttrs,
                                          kResAttrs};
  printer.printOptionalAttrDictWithKeyword(op, kElided);
  if (function.isDeclaration()) return;
  printer << " ";
  printer.printRegion(function.body(), false);
}

namespace {

// -- Verifying -----------------------------------------------------------------------------------

/// `arg_attrs` or `res_attrs`: one dictionary of dialect attributes per `what`.
LogicalResult verifyDictionaries(Operation& op, std::string_view list, size_t count,
                                 std::string_view what) {
  auto array = op.attrOf<ArrayAttr>(list);
  if (!array) return success();
  if (array.size() != count)
    return op.emitOpError() << "expects " << what << " attribute array to have the same number of "
                            << "elements as the number of function " << what << "s, got "
                            << array.size() << ", but expected " << count;
  for (Attribute entry : array.value())
    for (const NamedAttribute& attr : entry.cast<DictionaryAttr>().value())
      if (attr.name.str().find('.') == std::string_view::npos)
        return op.emitOpError() << what << "s may only have dialect attributes";
  return success();
}

LogicalResult verifyEntry(FuncOp function) {
  Operation& op = *function;
  std::span<const Type> inputs = function.functionType().inputs();
  Block& entry = function.entry();
  if (entry.numArguments() != inputs.size())
    return op.emitOpError() << "entry block must have " << inputs.size()
                            << " arguments to match function signature";
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (entry.argument(i).type() != inputs[i])
      return op.emitOpError() << "type of entry block argument #" << i << "("
                              << entry.argument(i).type()
                              << ") must match the type of the corresponding argument in "
                                 "function signature("
                              << inputs[i] << ")";
  return success();
}

}  // namespace

LogicalResult verifySignature(Operation& op) {
  FuncOp function(&op);
  FunctionType type = function.functionType();
  if (failed(verifyDictionaries(op, kArgAttrs, type.inputs().size(), "argument")) ||
      failed(verifyDictionaries(op, kResAttrs, type.results().size(), "result")))
    return failure();
  return function.isDeclaration() ? success() : verifyEntry(function);
}

namespace {

LogicalResult verifyFunction(Operation& op) {
  FuncOp function(&op);
  if (failed(verifySignature(op))) return failure();
  if (function.isDeclaration() && function.visibility() == "public")
    return op.emitOpError() << "symbol declaration cannot have public visibility";
  return success();
}

LogicalResult verifyCallOperands(Operation& op, std::span<const Type> expected) {
  if (op.numOperands() != expected.size())
    return op.emitOpError() << "incorrect number of operands for callee";
  for (unsigned i = 0; i < expected.size(); ++i)
    if (op.operand(i).type() != expected[i])
      return op.emitOpError() << "operand type mismatch: expected operand type " << expected[i]
                              << ", but provided " << op.operand(i).type() << " for operand number "
                              << i;
  return success();
}

std::string listed(std::span<const Type> types) {
  std::string text;
  for (Type type : types)
    text += (text.empty() ? "'" : ", '") + type.str() + "'";
  return text;
}

LogicalResult verifyCallResults(Operation& op, std::span<const Type> expected) {
  if (op.numResults() != expected.size())
    return op.emitOpError() << "incorrect number of results for callee";
  for (unsigned i = 0; i < expected.size(); ++i) {
    if (op.result(i).type() == expected[i]) continue;
    InFlightDiagnostic error = op.emitOpError();
    error << "result type mismatch at index " << i;
    error.note(op.location()) << "op result types: " << listed(op.resultTypes());
    error.note(op.location()) << "function result types: " << listed(expected);
    return error;
  }
  return success();
}

LogicalResult verifyCall(Operation& op) {
  CallOp call(&op);
  FuncOp function = call.function();
  if (!function)
    return op.emitOpError() << "'" << call.callee().leaf()
                            << "' does not reference a valid function";
  FunctionType type = function.functionType();
  if (failed(verifyCallOperands(op, type.inputs()))) return failure();
  return verifyCallResults(op, type.results());
}

LogicalResult verifyCallIndirect(Operation& op) {
  auto type = op.operand(0).type().cast<FunctionType>();
  std::vector<Type> inputs = op.operandTypes();
  inputs.erase(inputs.begin());
  bool fits = std::ranges::equal(inputs, type.inputs()) &&
              std::ranges::equal(op.resultTypes(), type.results());
  if (fits) return success();
  return op.emitOpError() << "operands and results must be those of the callee's type " << type;
}

LogicalResult verifyConstant(Operation& op) {
  SymbolRefAttr name = ConstantOp(&op).value();
  FuncOp function = dynCast<FuncOp>(lookupSymbol(&op, name));
  if (!function)
    return op.emitOpError() << "reference to undefined function '" << name.leaf() << "'";
  if (function.functionType() == op.result().type()) return success();
  return op.emitOpError() << "reference to function with mismatched type";
}

LogicalResult verifyReturn(Operation& op) {
  FuncOp function = dynCast<FuncOp>(op.parentOp());
  if (!function) return success();
  std::span<const Type> results = function.functionType().results();
  if (op.numOperands() != results.size())
    return op.emitOpError() << "has " << op.numOperands() << " operands, but enclosing function (@"
                            << function.symName() << ") returns " << results.size();
  for (unsigned i = 0; i < results.size(); ++i)
    if (op.operand(i).type() != results[i])
      return op.emitError() << "type of return operand " << i << " (" << op.operand(i).type()
                            << ") doesn't match function result type (" << results[i]
                            << ") in function @" << function.symName();
  return success();
}

// -- Syntax of the other ops ---------------------------------------------------------------------

/// `%f(%a, %b) attr-dict : (t, t) -> t`: the callee has that type.
LogicalResult parseCallIndirect(OpParser& parser, OperationState& state) {
  UnresolvedOperand callee;
  std::vector<UnresolvedOperand> arguments;
  FunctionType type;
  if (failed(parser.parseOperand(callee))) return failure();
  Location where = parser.location();
  if (failed(parser.parseOperandList(arguments, Delimiter::Paren)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")) ||
      failed(parser.parseFunctionType(type)))
    return failure();
  state.addTypes(type.results());
  if (failed(parser.resolve(callee, type, state.operands))) return failure();
  return parser.resolve(arguments, type.inputs(), where, state.operands);
}

void printCallIndirect(OpPrinter& printer, Operation& op) {
  CallIndirectOp call(&op);
  printer << " " << call.callee() << "(" << call.arguments() << ")";
  printer.printOptionalAttrDict(op);
  printer << " : " << call.callee().type();
}

// -- Folding -------------------------------------------------------------------------------------

LogicalResult foldConstant(Operation& op, folding::Constants, folding::Results& results) {
  return folding::foldTo(results, op.attr("value"));
}

/// An indirect call of a known function is a call.
LogicalResult indirectToDirect(Operation& op, Rewriter& rewriter) {
  Operation* constant = folding::definedBy(op.operand(0), "func.constant");
  if (!constant) return failure();
  OperationState state(op.context(), op.location(), "func.call");
  state.attributes = NamedAttrList(op.attributes());
  state.addAttribute(op.context(), "callee", constant->attr("value"));
  state.addOperands(CallIndirectOp(&op).arguments());
  state.resultTypes = op.resultTypes();
  rewriter.replaceOp(op, *rewriter.create(state));
  return success();
}

Operation* materialize(Context& context, Attribute value, Type type, Location location) {
  auto name = value.dynCast<SymbolRefAttr>();
  if (!name || !name.isFlat() || !type.isa<FunctionType>()) return nullptr;
  OperationState state(context, location, "func.constant");
  state.addAttribute(context, "value", value);
  state.resultTypes = {type};
  return Operation::create(context, state);
}

// -- The ops -------------------------------------------------------------------------------------

void defineFunction(Dialect& d) {
  d.op<FuncOp>("func")
      .doc("A function with a name; without a body it is declared here and defined elsewhere.")
      .attr(kSymbolName, attrs::symbolName)
      .attr(kFunctionType, attrs::functionType)
      .optionalAttr(kVisibility, attrs::string)
      .optionalAttr(kArgAttrs, attrs::dictArray)
      .optionalAttr(kResAttrs, attrs::dictArray)
      .region("body")
      .traits(Trait::IsolatedFromAbove | Trait::Symbol | Trait::Function | Trait::AffineScope |
              Trait::AllocationScope)
      .syntax(parseFunction, printFunction)
      .example("func.func private @f(i32 {a.b}, f32) -> i32")
      .verify(verifyFunction);
  d.op<ReturnOp>("return")
      .doc("Ends a function and gives its results.")
      .variadicOperand("operands", types::any)
      .traits(Trait::Pure | Trait::Terminator | Trait::ReturnLike)
      .parent({"func.func"})
      .format("attr-dict ($operands^ `:` type($operands))?")
      .example("func.return %a : i32")
      .verify(verifyReturn);
}

void defineCalls(Dialect& d) {
  d.op<CallOp>("call")
      .doc("Calls a function by name.")
      .attr("callee", attrs::flatSymbolRef)
      .variadicOperand("operands", types::any)
      .variadicResult("results", types::any)
      .format("$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)")
      .example("%r = func.call @f(%a, %b) : (i32, f32) -> i32")
      .verify(verifyCall);
  d.op<CallIndirectOp>("call_indirect")
      .doc("Calls a function that is a value.")
      .operand("callee", types::function)
      .variadicOperand("callee_operands", types::any)
      .variadicResult("results", types::any)
      .syntax(parseCallIndirect, printCallIndirect)
      .example("%r = func.call_indirect %f(%a) : (i32) -> i32")
      .verify(verifyCallIndirect)
      .canonicalize("to-direct", indirectToDirect);
  d.op<ConstantOp>("constant")
      .doc("A function as a value.")
      .attr("value", attrs::flatSymbolRef)
      .result("result", types::function)
      .traits(Trait::Pure | Trait::ConstantLike)
      .format("attr-dict $value `:` type($result)")
      .example("%f = func.constant @f : (i32, f32) -> i32")
      .nameResult("f")
      .verify(verifyConstant)
      .fold(foldConstant);
}

}  // namespace

// -- Views ---------------------------------------------------------------------------------------

FuncOp FuncOp::create(Builder& builder, Location location, std::string_view name, FunctionType type,
                      bool isDefinition) {
  Context& context = builder.context();
  OperationState state(context, location, "func.func");
  state.addAttribute(context, kSymbolName, StringAttr::get(context, name));
  state.addAttribute(context, kFunctionType, TypeAttr::get(type));
  if (!isDefinition) state.addAttribute(context, kVisibility, StringAttr::get(context, "private"));
  Region& body = state.addRegion();
  if (isDefinition) {
    Block* entry = Block::create(context);
    body.insert(entry);
    for (Type input : type.inputs())
      entry->addArgument(input, location);
  }
  return FuncOp(builder.create(state));
}

DictionaryAttr FuncOp::entryOf(std::string_view list, unsigned i) const {
  auto array = op_->attrOf<ArrayAttr>(list);
  if (!array || i >= array.size()) return {};
  auto entry = array[i].dynCast<DictionaryAttr>();
  return entry && !entry.empty() ? entry : DictionaryAttr();
}

void FuncOp::setArgAttr(unsigned i, std::string_view name, Attribute value) const {
  Context& context = op_->context();
  std::vector<NamedAttrList> lists;
  for (unsigned k = 0; k < numArguments(); ++k)
    lists.push_back(argAttrs(k) ? NamedAttrList(argAttrs(k)) : NamedAttrList());
  lists[i].set(Identifier::get(context, name), value);
  op_->setAttr(kArgAttrs, dictionaries(context, lists));
}

void FuncOp::eraseArgument(unsigned i) const {
  Context& context = op_->context();
  std::vector<NamedAttrList> lists;
  for (unsigned k = 0; k < numArguments(); ++k)
    if (k != i) lists.push_back(argAttrs(k) ? NamedAttrList(argAttrs(k)) : NamedAttrList());
  std::vector<Type> inputs(functionType().inputs().begin(), functionType().inputs().end());
  inputs.erase(inputs.begin() + i);
  setFunctionType(FunctionType::get(context, inputs, functionType().results()));
  op_->removeAttr(kArgAttrs);
  if (Attribute attrs = dictionaries(context, lists)) op_->setAttr(kArgAttrs, attrs);
  if (!isDeclaration()) entry().eraseArgument(i);
}

FuncOp findEntry(Operation& module, std::string_view wanted) {
  std::vector<FuncOp> all;
  for (Operation& op : module.region().front().ops())
    if (const auto function = dynCast<FuncOp>(&op); function && !function.isDeclaration())
      all.push_back(function);
  for (const FuncOp& function : all)
    if (function.symName() == (wanted.empty() ? "main" : wanted)) return function;
  if (!wanted.empty()) return {};
  const auto isPublic = [](const FuncOp& function) { return !function.isPrivate(); };
  if (std::ranges::count_if(all, isPublic) == 1) return *std::ranges::find_if(all, isPublic);
  return all.size() == 1 ? all.front() : FuncOp();
}

FuncOp CallOp::function() const {
  SymbolRefAttr name = callee();
  return name ? dynCast<FuncOp>(lookupSymbol(op_, name)) : FuncOp();
}

}  // namespace func

void registerFunc(Context& context) {
  Dialect d(context, "func", "Functions and calls.");
  func::defineFunction(d);
  func::defineCalls(d);
  d.materializer(func::materialize);
}

}  // namespace airlite
