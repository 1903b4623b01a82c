// Text of the llvm dialect's types. Inside of `<...>` they are written without `!llvm.` in front.
#include "LlvmTypes.hpp"

#include "airlite/text/AttrParser.hpp"
#include "airlite/text/AttrPrinter.hpp"

#include <array>

namespace airlite::llvm {

namespace {

constexpr std::string_view kPointer = "llvm.ptr", kArray = "llvm.array", kStruct = "llvm.struct",
                           kFunction = "llvm.func", kVoid = "llvm.void";
constexpr size_t kPrefix = std::string_view("llvm.").size();
/// Levels of llvm types inside of each other.
constexpr unsigned kMaxNesting = 64;

using Parameters = std::vector<Attribute>;

Type make(Context& context, std::string_view name, std::span<const Attribute> parameters) {
  return DialectType::get(context, *context.findType(name), parameters);
}

std::span<const Attribute> parametersOf(Type type) { return type.cast<DialectType>().parameters(); }
Type typeOf(Attribute parameter) { return parameter.cast<TypeAttr>().value(); }

// -- Reading --------------------------------------------------------------------------------------

LogicalResult parseInside(AttrParser& parser, Type& type, unsigned depth);

/// `<3>` or nothing: the parameter is the address space, none is 0.
LogicalResult parsePointer(AttrParser& parser, Parameters& parameters) {
  if (!parser.parseOptional("<")) return success();
  Location where = parser.location();
  int64_t space = 0;
  if (failed(parser.parseInteger(space)) || failed(parser.parse(">"))) return failure();
  if (space < 0 || space > 0xffffff)
    return parser.emitError(where)
           << "expected an address space from 0 to 16777215, found " << space;
  if (space != 0)
    parameters.push_back(IntegerAttr::get(IntegerType::get(parser.context(), 32), space));
  return success();
}

/// `<2 x i64>`: the count and the type.
LogicalResult parseArray(AttrParser& parser, Parameters& parameters, unsigned depth) {
  int64_t count = 0;
  Type element;
  if (failed(parser.parse("<"))) return failure();
  Location where = parser.location();
  if (failed(parser.parseInteger(count)) || failed(parser.parseKeyword("x")) ||
      failed(parseInside(parser, element, depth)) || failed(parser.parse(">")))
    return failure();
  if (count < 0) return parser.emitError(where) << "expected a number of elements, found " << count;
  if (!hasSize(element))
    return parser.emitError(where) << "invalid array element type: " << element;
  parameters = {IntegerAttr::get(IntegerType::get(parser.context(), 64), count),
                TypeAttr::get(element)};
  return success();
}

/// `<(ptr, i64)>` or `<packed (i8, i32)>`: first whether it is packed, then the types.
LogicalResult parseStruct(AttrParser& parser, Parameters& parameters, unsigned depth) {
  if (failed(parser.parse("<"))) return failure();
  Location where = parser.location();
  std::string name;
  if (parser.parseOptionalString(name) || parser.parseOptionalKeyword("opaque"))
    return parser.emitError(where) << "not supported: structs with a name";
  bool isPacked = parser.parseOptionalKeyword("packed");
  parameters = {IntegerAttr::getBool(parser.context(), isPacked)};
  auto parseMember = [&]() -> LogicalResult {
    Location at = parser.location();
    Type member;
    if (failed(parseInside(parser, member, depth))) return failure();
    if (!hasSize(member)) return parser.emitError(at) << "invalid struct member type: " << member;
    parameters.push_back(TypeAttr::get(member));
    return success();
  };
  if (failed(parser.parseList(Delimiter::Paren, parseMember))) return failure();
  return parser.parse(">");
}

/// `<i32 (ptr, ...)>`: whether it is variadic, the result, the arguments.
LogicalResult parseFunction(AttrParser& parser, Parameters& parameters, unsigned depth) {
  Type result;
  if (failed(parser.parse("<")) || failed(parseInside(parser, result, depth))) return failure();
  bool isVariadic = false;
  parameters = {Attribute(), TypeAttr::get(result)};
  auto parseArgument = [&]() -> LogicalResult {
    Location where = parser.location();
    if (isVariadic) return parser.emitError(where) << "expected '...' to be the last";
    isVariadic = parser.parseOptional("...");
    if (isVariadic) return success();
    Type argument;
    if (failed(parseInside(parser, argument, depth))) return failure();
    if (!hasSize(argument))
      return parser.emitError(where) << "invalid function argument type: " << argument;
    parameters.push_back(TypeAttr::get(argument));
    return success();
  };
  if (failed(parser.parseList(Delimiter::Paren, parseArgument))) return failure();
  parameters[0] = IntegerAttr::getBool(parser.context(), isVariadic);
  return parser.parse(">");
}

LogicalResult parseParameters(AttrParser& parser, std::string_view name, Parameters& parameters,
                              unsigned depth) {
  if (name == kPointer) return parsePointer(parser, parameters);
  if (name == kArray) return parseArray(parser, parameters, depth);
  if (name == kStruct) return parseStruct(parser, parameters, depth);
  if (name == kFunction) return parseFunction(parser, parameters, depth);
  return success();
}

/// A type inside of another one.
LogicalResult parseInside(AttrParser& parser, Type& type, unsigned depth) {
  if (depth >= kMaxNesting)
    return parser.emitError() << "not supported: types of the llvm dialect inside of more than "
                              << kMaxNesting << " others";
  for (std::string_view name : {kPointer, kArray, kStruct, kFunction, kVoid}) {
    if (!parser.parseOptionalKeyword(name.substr(kPrefix))) continue;
    Parameters parameters;
    if (failed(parseParameters(parser, name, parameters, depth + 1))) return failure();
    type = make(parser.context(), name, parameters);
    return success();
  }
  return parser.parseType(type);
}

// -- Printing -------------------------------------------------------------------------------------

void printParameters(AttrPrinter& printer, DialectType type);

void printInside(AttrPrinter& printer, Type type) {
  DialectType ours = type.dynCast<DialectType>();
  if (!ours || !ours.name().starts_with("llvm.")) {
    printer << type;
    return;
  }
  printer << ours.name().substr(kPrefix);
  printParameters(printer, ours);
}

void printList(AttrPrinter& printer, std::span<const Attribute> types, bool isVariadic) {
  printer << "(";
  std::string_view separator;
  for (Attribute type : types) {
    printer << separator;
    printInside(printer, typeOf(type));
    separator = ", ";
  }
  if (isVariadic) printer << separator << "...";
  printer << ")";
}

void printParameters(AttrPrinter& printer, DialectType type) {
  std::span<const Attribute> parameters = type.parameters();
  if (parameters.empty()) return;
  bool flag = parameters[0].cast<IntegerAttr>().value() != 0;
  printer << "<";
  if (type.name() == kPointer) printer << parameters[0].cast<IntegerAttr>().value();
  if (type.name() == kArray) {
    printer << parameters[0].cast<IntegerAttr>().value() << " x ";
    printInside(printer, typeOf(parameters[1]));
  }
  if (type.name() == kStruct) {
    printer << (flag ? "packed " : "");
    printList(printer, parameters.subspan(1), false);
  }
  if (type.name() == kFunction) {
    printInside(printer, typeOf(parameters[1]));
    printer << " ";
    printList(printer, parameters.subspan(2), flag);
  }
  printer << ">";
}

template <auto kParse> LogicalResult parseOutermost(AttrParser& parser, Parameters& parameters) {
  return kParse(parser, parameters, 1);
}

bool isAggregate(Type type) { return isDialectType(type, kArray) || isDialectType(type, kStruct); }

}  // namespace

bool isPointer(Type type) { return isDialectType(type, kPointer); }
bool isFunctionType(Type type) { return isDialectType(type, kFunction); }
bool hasSize(Type type) {
  return type.isa<IntegerType>() || type.isa<FloatType>() || type.isa<VectorType>() ||
         isPointer(type) || isAggregate(type);
}

const TypeConstraint pointer{"LLVM pointer type", isPointer};
const TypeConstraint sized{"LLVM type with size", hasSize};
const TypeConstraint aggregate{"LLVM aggregate type", isAggregate};

Type functionType(Context& context, const FunctionSignature& signature) {
  Type result = signature.result ? signature.result : make(context, kVoid, {});
  Parameters parameters = {IntegerAttr::getBool(context, signature.isVariadic),
                           TypeAttr::get(result)};
  for (Type argument : signature.arguments)
    parameters.push_back(TypeAttr::get(argument));
  return make(context, kFunction, parameters);
}

FunctionSignature signatureOf(Type functionType) {
  std::span<const Attribute> parameters = parametersOf(functionType);
  FunctionSignature signature;
  signature.isVariadic = parameters[0].cast<IntegerAttr>().value() != 0;
  Type result = typeOf(parameters[1]);
  if (!isDialectType(result, kVoid)) signature.result = result;
  for (Attribute argument : parameters.subspan(2))
    signature.arguments.push_back(typeOf(argument));
  return signature;
}

Type arrayType(Context& context, int64_t count, Type element) {
  std::array<Attribute, 2> parameters = {IntegerAttr::get(IntegerType::get(context, 64), count),
                                         TypeAttr::get(element)};
  return make(context, kArray, parameters);
}

Type elementAt(Type aggregate, std::span<const int64_t> position) {
  for (int64_t at : position) {
    if (!isAggregate(aggregate) || at < 0) return Type();
    std::span<const Attribute> parameters = parametersOf(aggregate);
    bool isArray = isDialectType(aggregate, kArray);
    int64_t count = isArray ? parameters[0].cast<IntegerAttr>().value()
                            : static_cast<int64_t>(parameters.size()) - 1;
    if (at >= count) return Type();
    aggregate = typeOf(parameters[isArray ? 1 : at + 1]);
  }
  return aggregate;
}

void defineTypes(Dialect& d) {
  d.type(
      {kPointer, "A pointer, `!llvm.ptr<N>` into address space N.", parsePointer, printParameters});
  d.type({kArray, "`!llvm.array<4 x i32>`: elements of one type.", parseOutermost<parseArray>,
          printParameters});
  d.type({kStruct, "`!llvm.struct<(ptr, i64)>`: members of several types; `packed`: without gaps.",
          parseOutermost<parseStruct>, printParameters});
  d.type({kFunction, "`!llvm.func<i32 (ptr, ...)>`: result and arguments of a function.",
          parseOutermost<parseFunction>, printParameters});
  d.type({kVoid, "The result of a function that gives none."});
}

}  // namespace airlite::llvm
