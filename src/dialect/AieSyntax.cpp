// Text of the aie ops that no declarative format can say.
#include "AieInternal.hpp"
#include "IndexLists.hpp"
#include "airlite/support/Text.hpp"

#include <optional>

namespace airlite::aie {

namespace {

/// One of the words of `constraint`, stored as the attribute `name`.
LogicalResult parseWord(OpParser& parser, OperationState& state, const AttrConstraint& constraint,
                        std::string_view name) {
  Location at = parser.location();
  std::string word;
  if (!parser.parseOptionalAnyKeyword(word) && !parser.parseOptionalString(word))
    return parser.emitError() << "expected " << constraint.summary;
  Attribute value = constraint.fromKeyword(parser.context(), word);
  if (!value)
    return parser.emitError(at) << "expected " << constraint.summary << ", found '" << word << "'"
                                << didYouMean(word, constraint.cases);
  state.addAttribute(parser.context(), name, value);
  return success();
}

LogicalResult parseI32(OpParser& parser, OperationState& state, std::string_view name) {
  Type type = IntegerType::get(parser.context(), 32);
  Attribute value;
  if (failed(parser.parseAttribute(value, type))) return failure();
  state.addAttribute(parser.context(), name, value);
  return success();
}

LogicalResult parseTileOperand(OpParser& parser, OperationState& state) {
  UnresolvedOperand tile;
  return failure(failed(parser.parseOperand(tile)) ||
                 failed(parser.resolve(tile, IndexType::get(parser.context()), state.operands)));
}

/// `@name` where the text has one, else what the dictionary or the op's default says.
void setName(OpParser& parser, OperationState& state, const std::optional<std::string>& written,
             std::string_view otherwise) {
  if (!written && state.attributes.get("sym_name")) return;
  state.addAttribute(
      parser.context(), "sym_name",
      StringAttr::get(parser.context(), written ? std::string_view(*written) : otherwise));
}

std::optional<std::string> parseName(OpParser& parser) {
  std::string name;
  if (parser.parseOptionalSymbolName(name)) return name;
  return std::nullopt;
}

std::string_view nameOf(const Operation& op) {
  auto name = op.attrOf<StringAttr>("sym_name");
  return name ? name.value() : std::string_view();
}

/// The terminator that text implies says nothing more than its name.
bool endsPlainly(Region& region) {
  if (region.empty() || region.back().empty()) return true;
  return region.back().back().is("aie.end") && region.back().back().attributes().empty();
}

}  // namespace

// -- device -------------------------------------------------------------------------------------

LogicalResult parseDevice(OpParser& parser, OperationState& state) {
  if (failed(parser.parse("(")) || failed(parseWord(parser, state, kDeviceAttr, "device")) ||
      failed(parser.parse(")")))
    return failure();
  const std::optional<std::string> name = parseName(parser);
  if (failed(parser.parseRegion(state.addRegion())) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  setName(parser, state, name, DeviceOp::kDefaultName);
  return success();
}

void printDevice(OpPrinter& printer, Operation& op) {
  printer << '(' << DeviceOp(&op).device().name << ") ";
  if (nameOf(op) != DeviceOp::kDefaultName) {
    printer.printSymbolName(nameOf(op));
    printer << ' ';
  }
  printer.printRegion(op.region(), true, !endsPlainly(op.region()));
  printer.printOptionalAttrDict(op, {"device", "sym_name"});
}

// -- runtime_sequence ---------------------------------------------------------------------------

LogicalResult parseRuntimeSequence(OpParser& parser, OperationState& state) {
  std::vector<ParsedArgument> arguments;
  const std::optional<std::string> name = parseName(parser);
  if (failed(parser.parseArgumentList(arguments, Delimiter::Paren, true))) return failure();
  Region& body = state.addRegion();
  if (failed(parser.parseRegion(body, arguments)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  if (body.empty()) body.addBlock(parser.context());
  setName(parser, state, name, RuntimeSequenceOp::kDefaultName);
  return success();
}

void printRuntimeSequence(OpPrinter& printer, Operation& op) {
  printer << ' ';
  printer.printSymbolName(nameOf(op));
  printer << '(';
  if (!op.region().empty())
    printer.printList(op.region().front().arguments(),
                      [&](Value argument) { printer.printArgument(argument); });
  printer << ") ";
  printer.printRegion(op.region(), /*entryArguments=*/false);
  printer.printOptionalAttrDict(op, {"sym_name"});
}

// -- logical_tile: `<MemTile>(7, ?)` ------------------------------------------------------------

LogicalResult parseLogicalTile(OpParser& parser, OperationState& state) {
  auto coordinate = [&](std::string_view name) {
    return parser.parseOptional("?") ? success() : parseI32(parser, state, name);
  };
  if (failed(parser.parse("<")) || failed(parseWord(parser, state, kTileTypeAttr, "tile_type")) ||
      failed(parser.parse(">")) || failed(parser.parse("(")) || failed(coordinate("col")) ||
      failed(parser.parse(",")) || failed(coordinate("row")) || failed(parser.parse(")")))
    return failure();
  state.resultTypes.push_back(IndexType::get(parser.context()));
  return parser.parseOptionalAttrDict(state.attributes);
}

void printLogicalTile(OpPrinter& printer, Operation& op) {
  auto coordinate = [&](std::optional<int64_t> value) {
    value ? printer << *value : printer << '?';
  };
  TileOp tile(&op);
  printer << '<' << kTileTypeAttr.toKeyword(op.attr("tile_type")) << ">(";
  coordinate(tile.col());
  printer << ", ";
  coordinate(tile.row());
  printer << ')';
  printer.printOptionalAttrDict(op, {"tile_type", "col", "row"});
}

// -- buffer: `(%tile) {...} : memref<4xi32> = dense<0>` ------------------------------------------

LogicalResult parseBuffer(OpParser& parser, OperationState& state) {
  Type type;
  if (failed(parser.parse("(")) || failed(parseTileOperand(parser, state)) ||
      failed(parser.parse(")")) || failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(type)))
    return failure();
  state.resultTypes.push_back(type);
  if (!parser.parseOptional("=")) return success();
  auto memref = type.dynCast<MemRefType>();
  if (!memref || !memref.hasStaticShape())
    return parser.emitError() << "expected a memref of fixed size before an initial value, found "
                              << type;
  Context& context = parser.context();
  Attribute value;
  if (failed(parser.parseAttribute(
          value, RankedTensorType::get(context, memref.shape(), memref.elementType()))))
    return failure();
  state.addAttribute(context, "initial_value", value);
  return success();
}

void printBuffer(OpPrinter& printer, Operation& op) {
  printer << '(' << op.operand(0) << ')';
  printer.printOptionalAttrDict(op, {"initial_value"});
  printer << " : " << op.result().type();
  Attribute value = op.attr("initial_value");
  if (!value) return;
  printer << " = ";
  printer.printWithoutType(value);
}

// -- dma_bd: `(%buffer : memref<8xi32> offset = 0 len = 8 sizes = [2, 4] strides = [4, 1])` -------

namespace {

/// What the text of a descriptor names before operands are resolved.
struct BdText {
  std::vector<UnresolvedOperand> offset, length, sizes, strides;
  std::vector<int64_t> staticSizes, staticStrides;
};

/// `offset = 4` or `offset = %x`; absent: nothing.
LogicalResult parseScalar(OpParser& parser, OperationState& state, std::string_view keyword,
                          std::string_view attribute, std::vector<UnresolvedOperand>& operand) {
  if (!parser.parseOptionalKeyword(keyword)) return success();
  if (failed(parser.parse("="))) return failure();
  if (parser.nextIsOperand()) return parser.parseOperand(operand.emplace_back());
  return parseI32(parser, state, attribute);
}

LogicalResult parseSizes(OpParser& parser, OperationState& state, std::string_view keyword,
                         std::string_view attribute, std::vector<UnresolvedOperand>& operands) {
  if (!parser.parseOptionalKeyword(keyword)) return success();
  std::vector<int64_t> statics;
  if (failed(parser.parse("=")) || failed(parser.parseDynamicIndexList(operands, statics)))
    return failure();
  state.addAttribute(parser.context(), attribute,
                     DenseArrayAttr::getI64(parser.context(), statics));
  return success();
}

LogicalResult parsePadding(OpParser& parser, OperationState& state) {
  if (!parser.parseOptionalKeyword("pad")) return success();
  Attribute pads;
  if (failed(parsePairs(parser, kPadLayoutArray, pads))) return failure();
  state.addAttribute(parser.context(), "pad_dimensions", pads);
  return success();
}

LogicalResult parseBdBody(OpParser& parser, OperationState& state, BdText& text) {
  return failure(failed(parseScalar(parser, state, "offset", "static_offset", text.offset)) ||
                 failed(parseScalar(parser, state, "len", "static_len", text.length)) ||
                 failed(parseSizes(parser, state, "sizes", "static_sizes", text.sizes)) ||
                 failed(parseSizes(parser, state, "strides", "static_strides", text.strides)) ||
                 failed(parsePadding(parser, state)));
}

int32_t count(const std::vector<UnresolvedOperand>& operands) {
  return static_cast<int32_t>(operands.size());
}

void printScalar(OpPrinter& printer, std::string_view keyword, OperandRange operand,
                 std::optional<int64_t> constant) {
  if (operand.empty() && !constant) return;
  printer << ' ' << keyword << " = ";
  if (operand.empty())
    printer << *constant;
  else
    printer << operand[0];
}

void printSizes(OpPrinter& printer, Operation& op, std::string_view keyword,
                std::string_view attribute, unsigned group) {
  auto statics = op.attrOf<DenseArrayAttr>(attribute);
  if (!statics) return;
  printer << ' ' << keyword << " = ";
  printIndexList(printer, op.operandGroup(group), statics);
}

}  // namespace

LogicalResult parseDmaBd(OpParser& parser, OperationState& state) {
  UnresolvedOperand buffer;
  Type type;
  BdText text;
  if (failed(parser.parse("(")) || failed(parser.parseOperand(buffer)) ||
      failed(parser.parseColonType(type)) || failed(parseBdBody(parser, state, text)) ||
      failed(parser.parse(")")) || failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  Context& context = parser.context();
  Type i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  if (failed(parser.resolve(buffer, type, state.operands)) ||
      failed(parser.resolve(text.offset, i32, state.operands)) ||
      failed(parser.resolve(text.length, i32, state.operands)) ||
      failed(parser.resolve(text.sizes, i64, state.operands)) ||
      failed(parser.resolve(text.strides, i64, state.operands)))
    return failure();
  int32_t segments[] = {1, count(text.offset), count(text.length), count(text.sizes),
                        count(text.strides)};
  state.setOperandSegments(context, segments);
  return success();
}

void printDmaBd(OpPrinter& printer, Operation& op) {
  printer << '(' << op.operand(0) << " : " << op.operand(0).type();
  printScalar(printer, "offset", op.operandGroup(kBdOffset), intAttr(op, "static_offset"));
  printScalar(printer, "len", op.operandGroup(kBdLength), intAttr(op, "static_len"));
  printSizes(printer, op, "sizes", "static_sizes", kBdSizes);
  printSizes(printer, op, "strides", "static_strides", kBdStrides);
  if (Attribute pads = op.attr("pad_dimensions")) {
    printer << " pad ";
    printPairs(printer, pads);
  }
  printer << ')';
  printer.printOptionalAttrDict(op, {"operandSegmentSizes", "static_offset", "static_len",
                                     "static_sizes", "static_strides", "pad_dimensions"});
}

// -- objectfifo: `@of(%from, {%to}, 2 : i32) : !aie.objectfifo<memref<16xi32>>` -------------------

namespace {

/// `%tile dimensionsToStream [<...>]`; the list is empty where it is not written.
LogicalResult parseEndTile(OpParser& parser, OperationState& state, std::string_view keyword,
                           Attribute& dims) {
  if (failed(parseTileOperand(parser, state))) return failure();
  Context& context = parser.context();
  dims = DialectAttr::get(context, *context.findAttr(kDimLayoutArray), {});
  if (!parser.parseOptionalKeyword(keyword)) return success();
  return parsePairs(parser, kDimLayoutArray, dims);
}

LogicalResult parseConsumers(OpParser& parser, OperationState& state) {
  std::vector<Attribute> lists;
  if (failed(parser.parseList(Delimiter::Braces, [&] {
        return parseEndTile(parser, state, "dimensionsFromStream", lists.emplace_back());
      })))
    return failure();
  Context& context = parser.context();
  state.addAttribute(context, "dimensionsFromStreamPerConsumer",
                     DialectAttr::get(context, *context.findAttr(kDimLayoutArrayArray), lists));
  return success();
}

LogicalResult parseEnds(OpParser& parser, OperationState& state) {
  Attribute toStream, depth;
  if (failed(parser.parse("(")) ||
      failed(parseEndTile(parser, state, "dimensionsToStream", toStream)) ||
      failed(parser.parse(",")) || failed(parseConsumers(parser, state)) ||
      failed(parser.parse(",")) || failed(parser.parseAttribute(depth)) ||
      failed(parser.parse(")")))
    return failure();
  state.addAttribute(parser.context(), "dimensionsToStream", toStream);
  state.addAttribute(parser.context(), "elemNumber", depth);
  return success();
}

/// `= [dense<...> : memref<4xi32>, ...]`; the memref of each may be left out.
LogicalResult parseInitialObjects(OpParser& parser, OperationState& state, MemRefType object) {
  if (!parser.parseOptional("=")) return success();
  Context& context = parser.context();
  Type tensor = RankedTensorType::get(context, object.shape(), object.elementType());
  std::vector<Attribute> values;
  auto item = [&]() -> LogicalResult {
    Type written;
    if (failed(parser.parseAttribute(values.emplace_back(), tensor))) return failure();
    return parser.parseOptional(":") ? parser.parseType(written) : success();
  };
  if (failed(parser.parseList(Delimiter::Square, item))) return failure();
  state.addAttribute(context, "init_values", ArrayAttr::get(context, values));
  return success();
}

void printEndTile(OpPrinter& printer, Value tile, std::string_view keyword, Attribute dims) {
  printer << tile;
  if (pairsOf(dims).empty()) return;
  printer << ' ' << keyword << ' ';
  printPairs(printer, dims);
}

void printConsumers(OpPrinter& printer, Operation& op) {
  auto lists = op.attrOf<DialectAttr>("dimensionsFromStreamPerConsumer");
  auto dims = lists ? lists.parameters() : std::span<const Attribute>();
  for (unsigned i = 1; i < op.numOperands(); ++i) {
    if (i > 1) printer << ", ";
    printEndTile(printer, op.operand(i), "dimensionsFromStream",
                 i - 1 < dims.size() ? dims[i - 1] : Attribute());
  }
}

}  // namespace

LogicalResult parseObjectFifo(OpParser& parser, OperationState& state) {
  std::string name;
  Type type;
  if (failed(parser.parseSymbolName(name)) || failed(parseEnds(parser, state)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  Location at = parser.location();
  if (failed(parser.parseColonType(type))) return failure();
  if (!isDialectType(type, kObjectFifoType))
    return parser.emitError(at) << "expected a !aie.objectfifo type, found " << type;
  Context& context = parser.context();
  state.addAttribute(context, "sym_name", StringAttr::get(context, name));
  state.addAttribute(context, "elemType", TypeAttr::get(type));
  return parseInitialObjects(parser, state, objectType(type));
}

void printObjectFifo(OpPrinter& printer, Operation& op) {
  printer << ' ';
  printer.printSymbolName(nameOf(op));
  printer << '(';
  printEndTile(printer, op.operand(0), "dimensionsToStream", op.attr("dimensionsToStream"));
  printer << ", {";
  printConsumers(printer, op);
  printer << "}, " << op.attr("elemNumber") << ')';
  printer.printOptionalAttrDict(op, {"sym_name", "elemNumber", "elemType", "dimensionsToStream",
                                     "dimensionsFromStreamPerConsumer", "init_values"});
  printer << " : " << op.attrOf<TypeAttr>("elemType").value();
  auto values = op.attrOf<ArrayAttr>("init_values");
  if (!values) return;
  MemRefType object = ObjectFifoOp(&op).elementType();
  printer << " = [";
  printer.printList(values.value(), [&](Attribute value) {
    printer.printWithoutType(value);
    printer << " : " << object;
  });
  printer << ']';
}

}  // namespace airlite::aie
