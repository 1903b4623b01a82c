// The `custom<Transform...>` directives that formats of the transform dialect use.
#include "TransformInternal.hpp"
#include "airlite/text/Format.hpp"

#include <algorithm>

namespace airlite::transform {

namespace {

using Names = std::span<const std::string_view>;

void setAttr(OpParser& parser, FormatValues& values, std::string_view name, Attribute value) {
  values.attributes().set(Identifier::get(parser.context(), name), value);
}

std::span<const int64_t> integersIn(Operation& op, std::string_view name) {
  auto array = op.attrOf<DenseArrayAttr>(name);
  return array ? array.values() : std::span<const int64_t>();
}

// -- TransformIntegers(attribute): `[1, 0]` ------------------------------------------------------

LogicalResult parseIntegers(OpParser& parser, FormatValues& values, Names names) {
  std::vector<int64_t> numbers;
  if (failed(parser.parseList(Delimiter::Square,
                              [&] { return parser.parseInteger(numbers.emplace_back()); })))
    return failure();
  setAttr(parser, values, names[0], DenseArrayAttr::getI64(parser.context(), numbers));
  return success();
}

void printIntegers(OpPrinter& printer, Operation& op, Names names) {
  printer << "[";
  printer.printList(integersIn(op, names[0]), [&](int64_t number) { printer << number; });
  printer << "]";
}

// -- TransformSizes(dynamic, static[, scalable]): `[4, %n, [8]]` ---------------------------------

/// A list of sizes as text writes it: `%n`, a number, or `[n]` for a multiple of the vector scale.
struct Sizes {
  std::vector<UnresolvedOperand>& dynamic;
  std::vector<int64_t> statics;
  std::vector<int64_t> scalable;

  LogicalResult parseNumber(OpParser& parser) {
    scalable.back() = parser.parseOptional("[");
    if (failed(parser.parseInteger(statics.emplace_back()))) return failure();
    return scalable.back() ? parser.parse("]") : success();
  }
  LogicalResult parseOne(OpParser& parser) {
    scalable.push_back(false);
    if (!parser.nextIsOperand()) return parseNumber(parser);
    statics.push_back(kDynamic);
    return parser.parseOperand(dynamic.emplace_back());
  }
};

LogicalResult parseSizes(OpParser& parser, FormatValues& values, Names names) {
  Context& context = parser.context();
  Sizes sizes{values.operands(names[0]), {}, {}};
  Location where = parser.location();
  if (failed(parser.parseList(Delimiter::Square, [&] { return sizes.parseOne(parser); })))
    return failure();
  setAttr(parser, values, names[1], DenseArrayAttr::getI64(context, sizes.statics));
  if (names.size() > 2) {
    Type i1 = IntegerType::get(context, 1);
    setAttr(parser, values, names[2], DenseArrayAttr::get(i1, sizes.scalable));
  } else if (std::ranges::find(sizes.scalable, true) != sizes.scalable.end()) {
    return parser.emitError(where) << "scalable sizes are not allowed here";
  }
  return success();
}

void printSizes(OpPrinter& printer, Operation& op, Names names) {
  OperandRange dynamic = op.operandGroup(names[0]);
  std::span<const int64_t> scalable;
  if (names.size() > 2) scalable = integersIn(op, names[2]);
  unsigned next = 0;
  size_t i = 0;
  printer << "[";
  printer.printList(integersIn(op, names[1]), [&](int64_t size) {
    bool scales = i < scalable.size() && scalable[i] != 0;
    ++i;
    if (size == kDynamic)
      printer << (next < dynamic.size() ? dynamic[next++] : Value());
    else if (scales)
      printer << "[" << size << "]";
    else
      printer << size;
  });
  printer << "]";
}

// -- TransformPackedSizes(packed, dynamic, static): `*(%sizes)` or `[4, %n]` ---------------------

LogicalResult parsePackedSizes(OpParser& parser, FormatValues& values, Names names) {
  if (!parser.parseOptional("*")) return parseSizes(parser, values, names.subspan(1));
  if (failed(parser.parse("(")) ||
      failed(parser.parseOperand(values.operands(names[0]).emplace_back())))
    return failure();
  return parser.parse(")");
}

void printPackedSizes(OpPrinter& printer, Operation& op, Names names) {
  OperandRange packed = op.operandGroup(names[0]);
  if (packed.empty()) return printSizes(printer, op, names.subspan(1));
  printer << "*(" << packed << ")";
}

// -- TransformIndex(dynamic, static): `4` or `%n` ------------------------------------------------

LogicalResult parseIndex(OpParser& parser, FormatValues& values, Names names) {
  int64_t number = kDynamic;
  LogicalResult status = parser.nextIsOperand()
                             ? parser.parseOperand(values.operands(names[0]).emplace_back())
                             : parser.parseInteger(number);
  Type i64 = IntegerType::get(parser.context(), 64);
  setAttr(parser, values, names[1], IntegerAttr::get(i64, number));
  return status;
}

/// Ends with a blank, as mlir-opt 19 writes it.
void printIndex(OpPrinter& printer, Operation& op, Names names) {
  OperandRange dynamic = op.operandGroup(names[0]);
  if (dynamic.empty() && op.hasAttr(names[1]))
    printer.printWithoutType(op.attr(names[1]));
  else
    printer << dynamic;
  printer << " ";
}

// -- TransformPositions(positions, inverted, all): `0, -1`, `except(0)` or `all` -----------------

LogicalResult parsePositionList(OpParser& parser, FormatValues& values, std::string_view name) {
  std::vector<int64_t> positions;
  auto parseOne = [&] { return parser.parseInteger(positions.emplace_back()); };
  if (failed(parser.parseList(Delimiter::None, parseOne))) return failure();
  setAttr(parser, values, name, DenseArrayAttr::getI64(parser.context(), positions));
  return success();
}

LogicalResult parsePositions(OpParser& parser, FormatValues& values, Names names) {
  Attribute unit = UnitAttr::get(parser.context());
  if (parser.parseOptionalKeyword("all")) {
    setAttr(parser, values, names[0], DenseArrayAttr::getI64(parser.context(), {}));
    setAttr(parser, values, names[2], unit);
    return success();
  }
  if (!parser.parseOptionalKeyword("except")) return parsePositionList(parser, values, names[0]);
  setAttr(parser, values, names[1], unit);
  if (failed(parser.parse("(")) || failed(parsePositionList(parser, values, names[0])))
    return failure();
  return parser.parse(")");
}

void printPositions(OpPrinter& printer, Operation& op, Names names) {
  if (op.hasAttr(names[2])) {
    printer << "all";
    return;
  }
  bool inverted = op.hasAttr(names[1]);
  if (inverted) printer << "except(";
  printer.printList(integersIn(op, names[0]), [&](int64_t position) { printer << position; });
  if (inverted) printer << ")";
}

// -- TransformSameTypes(a, b): one list of types for both groups ---------------------------------

LogicalResult parseSameTypes(OpParser& parser, FormatValues& values, Names names) {
  std::vector<Type> types;
  if (failed(parser.parseTypeList(types))) return failure();
  for (std::string_view name : names)
    values.types(name) = types;
  return success();
}

void printSameTypes(OpPrinter& printer, Operation& op, Names names) {
  printer.printList(op.operandGroup(names[0]), [&](Value value) { printer << value.type(); });
}

// -- TransformUniformResults(operand, results...): `(t) -> t`, all results of one type -----------

LogicalResult parseUniformResults(OpParser& parser, FormatValues& values, Names names) {
  Type operand, result;
  if (failed(parser.parse("(")) || failed(parser.parseType(operand)) || failed(parser.parse(")")) ||
      failed(parser.parse("->")) || failed(parser.parseType(result)))
    return failure();
  values.types(names[0]).push_back(operand);
  for (std::string_view name : names.subspan(1))
    values.types(name).push_back(result);
  return success();
}

void printUniformResults(OpPrinter& printer, Operation& op, Names names) {
  printer << "(";
  printSameTypes(printer, op, names);
  printer << ") -> " << (op.numResults() ? op.result(0).type() : Type());
}

// -- TransformSequenceOperands(root, bindings, types): `%a, %b : (t, t)` -------------------------

LogicalResult parseSequenceOperands(OpParser& parser, FormatValues& values, Names names) {
  if (!parser.nextIsOperand()) return success();
  std::vector<UnresolvedOperand> operands;
  std::vector<Type> types;
  Location where = parser.location();
  if (failed(parser.parseOperandList(operands)) || failed(parser.parse(":"))) return failure();
  LogicalResult status =
      parser.nextIs("(") ? parser.parseTypeListMaybeParens(types) : parser.parseTypeList(types);
  if (failed(status)) return failure();
  if (types.size() != operands.size())
    return parser.emitError(where)
           << "expected " << operands.size() << " types, found " << types.size();
  values.operands(names[0]).push_back(operands[0]);
  values.types(names[0]).push_back(types[0]);
  values.operands(names[1]).assign(operands.begin() + 1, operands.end());
  values.types(names[1]).assign(types.begin() + 1, types.end());
  return success();
}

void printSequenceOperands(OpPrinter& printer, Operation& op, Names) {
  if (op.numOperands() == 0) return;
  bool several = op.numOperands() > 1;
  printer << op.operands() << (several ? " : (" : " : ");
  printer.printTypes(op.operandTypes());
  if (several) printer << ")";
}

// -- TransformReductionTail(sizes, mapping): `, tile_sizes = [4], mapping = [...]` ---------------

LogicalResult parseMapping(OpParser& parser, FormatValues& values, std::string_view name) {
  Attribute mapping;
  if (failed(parser.parseAttribute(mapping))) return failure();
  setAttr(parser, values, name, mapping);
  return success();
}

LogicalResult parseReductionTail(OpParser& parser, FormatValues& values, Names names) {
  while (parser.parseOptional(",")) {
    bool isMapping = parser.parseOptionalKeyword("mapping");
    if ((!isMapping && failed(parser.parseKeyword("tile_sizes"))) || failed(parser.parse("=")))
      return failure();
    if (failed(isMapping ? parseMapping(parser, values, names[1])
                         : parseIntegers(parser, values, names)))
      return failure();
  }
  return success();
}

void printReductionTail(OpPrinter& printer, Operation& op, Names names) {
  if (!integersIn(op, names[0]).empty()) {
    printer << ", tile_sizes = ";
    printIntegers(printer, op, names);
  }
  if (Attribute mapping = op.attr(names[1])) printer << ", mapping = " << mapping;
}

}  // namespace

void registerDirectives() {
  registerCustomDirective({"TransformIntegers", parseIntegers, printIntegers});
  registerCustomDirective({"TransformSizes", parseSizes, printSizes});
  registerCustomDirective({"TransformPackedSizes", parsePackedSizes, printPackedSizes});
  registerCustomDirective({"TransformIndex", parseIndex, printIndex});
  registerCustomDirective({"TransformPositions", parsePositions, printPositions});
  registerCustomDirective({"TransformSameTypes", parseSameTypes, printSameTypes});
  registerCustomDirective({"TransformUniformResults", parseUniformResults, printUniformResults});
  registerCustomDirective(
      {"TransformSequenceOperands", parseSequenceOperands, printSequenceOperands});
  registerCustomDirective({"TransformReductionTail", parseReductionTail, printReductionTail});
}

}  // namespace airlite::transform
