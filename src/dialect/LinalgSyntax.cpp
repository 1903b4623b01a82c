// Custom syntax of the linalg ops.
#include "IndexLists.hpp"
#include "LinalgInternal.hpp"

#include <algorithm>

namespace airlite::linalg {

namespace {

// -- ins(...) outs(...) -------------------------------------------------------------------------

/// `keyword(%a, %b : t, t)`; absent: nothing.
LogicalResult parseOperandGroup(OpParser& parser, OperationState& state, std::string_view keyword,
                                int32_t& count) {
  count = 0;
  if (!parser.parseOptionalKeyword(keyword)) return success();
  Location at = parser.location();
  std::vector<UnresolvedOperand> operands;
  std::vector<Type> types;
  if (failed(parser.parse("(")) || failed(parser.parseOperandList(operands)) ||
      failed(parser.parseColonTypeList(types)) || failed(parser.parse(")")))
    return failure();
  count = static_cast<int32_t>(operands.size());
  return parser.resolve(operands, types, at, state.operands);
}

LogicalResult parseInsOuts(OpParser& parser, OperationState& state, int32_t (&segments)[2]) {
  return failure(failed(parseOperandGroup(parser, state, "ins", segments[0])) ||
                 failed(parseOperandGroup(parser, state, "outs", segments[1])));
}

void printOperandGroup(OpPrinter& printer, std::string_view keyword, OperandRange operands) {
  if (operands.empty()) return;
  std::vector<Type> types;
  for (Value value : operands)
    types.push_back(value.type());
  printer << ' ' << keyword << '(' << operands << " : ";
  printer.printTypes(types);
  printer << ')';
}

void printInsOuts(OpPrinter& printer, Operation& op) {
  printOperandGroup(printer, "ins", op.operandGroup(0u));
  printOperandGroup(printer, "outs", op.operandGroup(1u));
}

/// Results of destination-style ops are the tensors among the outputs.
void addTensorResults(OperationState& state, int32_t numOutputs) {
  for (size_t i = state.operands.size() - static_cast<size_t>(numOutputs);
       i < state.operands.size(); ++i)
    if (state.operands[i].type().isa<RankedTensorType>())
      state.resultTypes.push_back(state.operands[i].type());
}

// -- Short bodies: `{ arith.addf }` -------------------------------------------------------------

/// Payload ops take the elements in order; of a reduction, the accumulator first.
std::vector<Value> payloadOperands(Block& body, bool accumulatorFirst) {
  std::vector<Value> operands = body.arguments();
  if (accumulatorFirst && !operands.empty())
    std::rotate(operands.begin(), operands.end() - 1, operands.end());
  return operands;
}

LogicalResult parsePayload(OpParser& parser, OperationState& payload, Location& at) {
  at = parser.location();
  std::string name;
  if (failed(parser.parseAnyKeyword(name))) return failure();
  const OpDef* def = parser.context().findOp(name);
  if (!def) return parser.emitError(at) << "unknown operation '" << name << "'";
  if (def->results.size() != 1 || !def->regions.empty())
    return parser.emitError(at) << "expected an operation with one result and no region, found '"
                                << name << "'";
  payload.def = def;
  if (failed(parser.parseOptionalAttrDict(payload.attributes))) return failure();
  return parser.parse("}");
}

/// The body that a payload op stands for.
void buildPayloadBody(OperationState& payload, std::span<const Value> operands, Type resultType,
                      bool accumulatorFirst, Region& region) {
  Block& body = region.addBlock(resultType.context());
  for (Value operand : operands)
    body.addArgument(elementTypeOrSelf(operand.type()), payload.location);
  payload.operands = payloadOperands(body, accumulatorFirst);
  payload.resultTypes = {resultType};
  Builder builder = Builder::atEnd(body);
  Operation* made = builder.create(payload);
  builder.create(payload.location, "linalg.yield", {made->result()}, {});
}

/// The payload op when the body is nothing else; null otherwise.
Operation* shortPayload(Operation& op, bool accumulatorFirst) {
  if (!op.region().hasOneBlock() || op.region().front().numOps() != 2) return nullptr;
  Block& body = op.region().front();
  Operation& payload = body.front();
  Operation& end = body.back();
  bool fits = payload.numOperands() != 0 && payload.numRegions() == 0 &&
              payload.numResults() == 1 && payload.isRegistered() &&
              payload.operands().vec() == payloadOperands(body, accumulatorFirst) &&
              end.numOperands() == 1 && end.operand(0) == payload.result() &&
              payload.result().type() == elementTypeOrSelf(op.operand(op.numOperands() - 1).type());
  return fits ? &payload : nullptr;
}

void printPayload(OpPrinter& printer, Operation& payload) {
  printer << " { " << payload.name();
  printer.printOptionalAttrDict(payload);
  printer << " }";
}

/// The body of map and reduce on its own line, arguments in parentheses.
void printLongBody(OpPrinter& printer, Operation& op) {
  printer.indentBy(2);
  printer.newline();
  printer << '(';
  printer.printList(op.region().front().arguments(),
                    [&](Value argument) { printer.printArgument(argument); });
  printer << ") ";
  printer.printRegion(op.region(), /*entryArguments=*/false);
  printer.indentBy(-2);
}

}  // namespace

// -- Named ops ----------------------------------------------------------------------------------

/// `name = attribute`.
static LogicalResult parseOptionalNamed(OpParser& parser, OperationState& state,
                                        std::string_view name) {
  if (!parser.parseOptionalKeyword(name)) return success();
  Attribute value;
  if (failed(parser.parse("=")) || failed(parser.parseAttribute(value))) return failure();
  state.addAttribute(parser.context(), name, value);
  return success();
}

/// What an op says before its attributes: its function, and its maps.
static LogicalResult parseKindAndMaps(OpParser& parser, OperationState& state, const NamedOp& row) {
  if (row.inputs == 0 && failed(parseOptionalNamed(parser, state, kKindAttr))) return failure();
  return takesMaps(row) ? parseOptionalNamed(parser, state, kMapsAttr) : success();
}

LogicalResult parseNamed(OpParser& parser, OperationState& state) {
  const NamedOp& row = *findNamedOp(parser.opName());
  int32_t segments[2];
  if (failed(parseKindAndMaps(parser, state, row)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parseInsOuts(parser, state, segments)) ||
      failed(parser.parseOptionalArrowTypeList(state.resultTypes)))
    return failure();
  state.setOperandSegments(parser.context(), segments);
  return buildNamedBody(parser.context(), parser.opLocation(), row, state.attributes,
                        state.operands, state.addRegion());
}

void printNamed(OpPrinter& printer, Operation& op) {
  std::vector<std::string_view> elided = {"operandSegmentSizes", "linalg.memoized_indexing_maps"};
  const NamedOp& row = *findNamedOp(op.name());
  if (row.inputs == 0) {
    printer << ' ' << kKindAttr << '=' << op.attr(kKindAttr);
    elided.push_back(kKindAttr);
  }
  if (Attribute maps = op.attr(kMapsAttr); maps && takesMaps(row)) {
    printer << ' ' << kMapsAttr << " = " << maps;
    elided.push_back(kMapsAttr);
  }
  printer.printOptionalAttrDict(op, elided);
  printInsOuts(printer, op);
  printer.printOptionalArrowTypes(op.resultTypes());
}

// -- generic ------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kTraitAttrs[] = {"doc", "indexing_maps", "iterator_types",
                                            "library_call"};

/// In the custom form iterator types are strings.
LogicalResult readIterators(OpParser& parser, Location at, OperationState& state) {
  auto array = state.attributes.get("iterator_types");
  if (!array.isa<ArrayAttr>()) return success();  // the verifier says so
  std::vector<Attribute> kinds;
  for (Attribute kind : array.cast<ArrayAttr>().value()) {
    auto text = kind.dynCast<StringAttr>();
    Attribute read = text ? iteratorFromText(parser.context(), text.value()) : kind;
    if (!read) return parser.emitError(at) << "unexpected iterator_type (" << text.value() << ")";
    kinds.push_back(read);
  }
  state.addAttribute(parser.context(), "iterator_types", ArrayAttr::get(parser.context(), kinds));
  return success();
}

Attribute iteratorsAsText(Operation& op) {
  std::vector<Attribute> names;
  for (IteratorKind kind : StructuredOp(&op).iterators())
    names.push_back(StringAttr::get(op.context(), iteratorName(kind)));
  return ArrayAttr::get(op.context(), names);
}

}  // namespace

LogicalResult parseGeneric(OpParser& parser, OperationState& state) {
  Location at = parser.location();
  Attribute traits;
  if (failed(parser.parseAttribute(traits))) return failure();
  auto dictionary = traits.dynCast<DictionaryAttr>();
  if (!dictionary) return parser.emitError(at) << "expected a dictionary, found " << traits;
  for (const NamedAttribute& attr : dictionary.value())
    state.attributes.set(attr.name, attr.value);
  if (failed(readIterators(parser, at, state))) return failure();
  int32_t segments[2];
  if (failed(parseInsOuts(parser, state, segments))) return failure();
  state.setOperandSegments(parser.context(), segments);
  if (parser.parseOptionalKeyword("attrs") &&
      (failed(parser.parse("=")) || failed(parser.parseOptionalAttrDict(state.attributes))))
    return failure();
  if (failed(parser.parseRegion(state.addRegion()))) return failure();
  return parser.parseOptionalArrowTypeList(state.resultTypes);
}

void printGeneric(OpPrinter& printer, Operation& op) {
  NamedAttrList traits;
  for (std::string_view name : kTraitAttrs)
    if (Attribute value = op.attr(name))
      traits.set(Identifier::get(op.context(), name),
                 name == "iterator_types" ? iteratorsAsText(op) : value);
  printer << ' ';
  printer.printDictionary(traits.dictionary(op.context()));
  printInsOuts(printer, op);
  std::vector<std::string_view> elided(std::begin(kTraitAttrs), std::end(kTraitAttrs));
  elided.insert(elided.end(), {"operandSegmentSizes", "linalg.memoized_indexing_maps"});
  bool more = std::any_of(
      op.attributes().value().begin(), op.attributes().value().end(), [&](NamedAttribute attr) {
        return std::find(elided.begin(), elided.end(), attr.name.str()) == elided.end();
      });
  if (more) {
    printer << " attrs = ";
    printer.printOptionalAttrDict(op, elided);
  }
  printer << ' ';
  printer.printRegion(op.region());
  printer.printOptionalArrowTypes(op.resultTypes());
}

// -- map, reduce --------------------------------------------------------------------------------

namespace {

/// `(%in: f32, %out: f32) { ... }`.
LogicalResult parseLongBody(OpParser& parser, OperationState& state) {
  std::vector<ParsedArgument> arguments;
  if (failed(parser.parseArgumentList(arguments, Delimiter::Paren, /*withTypes=*/true)))
    return failure();
  return parser.parseRegion(state.addRegion(), arguments);
}

/// `{ arith.addf }`, when there.
LogicalResult parseOptionalPayload(OpParser& parser, OperationState& payload, bool& isShort) {
  isShort = parser.parseOptional("{");
  Location at;
  return isShort ? parsePayload(parser, payload, at) : success();
}

LogicalResult checkPayloadArity(OpParser& parser, const OperationState& payload, size_t count) {
  size_t wanted = payload.def->operands.size();
  if (wanted == count) return success();
  return parser.emitError(payload.location) << "'" << payload.def->name() << "' takes " << wanted
                                            << " operands, but there are " << count << " elements";
}

}  // namespace

LogicalResult parseMap(OpParser& parser, OperationState& state) {
  OperationState payload(parser.location(), *state.def);
  bool isShort = false;
  int32_t segments[2];
  if (failed(parseOptionalPayload(parser, payload, isShort)) ||
      failed(parseInsOuts(parser, state, segments)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  addTensorResults(state, segments[1]);
  if (!isShort) return parseLongBody(parser, state);
  if (segments[1] != 1) return parser.emitError() << "expected one output, found " << segments[1];
  std::span<const Value> inputs(state.operands.data(), static_cast<size_t>(segments[0]));
  if (failed(checkPayloadArity(parser, payload, inputs.size()))) return failure();
  buildPayloadBody(payload, inputs, elementTypeOrSelf(state.operands.back().type()), false,
                   state.addRegion());
  return success();
}

void printMap(OpPrinter& printer, Operation& op) {
  Operation* payload = shortPayload(op, /*accumulatorFirst=*/false);
  if (payload) printPayload(printer, *payload);
  printInsOuts(printer, op);
  printer.printOptionalAttrDict(op);
  if (!payload) printLongBody(printer, op);
}

static LogicalResult parseDims(OpParser& parser, OperationState& state, std::string_view name) {
  if (failed(parser.parseKeyword(name)) || failed(parser.parse("="))) return failure();
  std::vector<int64_t> dims;
  if (failed(parser.parseList(Delimiter::Square,
                              [&] { return parser.parseInteger(dims.emplace_back()); })))
    return failure();
  state.addAttribute(parser.context(), name, DenseArrayAttr::getI64(parser.context(), dims));
  return success();
}

static void printDims(OpPrinter& printer, Operation& op, std::string_view name) {
  printer << ' ' << name << " = [";
  printer.printList(op.attrOf<DenseArrayAttr>(name).values(), [&](int64_t dim) { printer << dim; });
  printer << "] ";  // the field prints a blank here
}

LogicalResult parseReduce(OpParser& parser, OperationState& state) {
  OperationState payload(parser.location(), *state.def);
  bool isShort = false;
  int32_t segments[2];
  if (failed(parseOptionalPayload(parser, payload, isShort)) ||
      failed(parseInsOuts(parser, state, segments)) ||
      failed(parseDims(parser, state, "dimensions")) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  addTensorResults(state, segments[1]);
  if (!isShort) return parseLongBody(parser, state);
  if (segments[1] != 1) return parser.emitError() << "expected one output, found " << segments[1];
  if (failed(checkPayloadArity(parser, payload, state.operands.size()))) return failure();
  buildPayloadBody(payload, state.operands, elementTypeOrSelf(state.operands.back().type()), true,
                   state.addRegion());
  return success();
}

void printReduce(OpPrinter& printer, Operation& op) {
  Operation* payload = shortPayload(op, /*accumulatorFirst=*/true);
  if (payload) printPayload(printer, *payload);
  printInsOuts(printer, op);
  printDims(printer, op, "dimensions");
  printer.printOptionalAttrDict(op, {"dimensions"});
  if (!payload) printLongBody(printer, op);
}

// -- transpose, broadcast -----------------------------------------------------------------------

namespace {

/// Both copy elements: the body hands its first argument on.
LogicalResult parseMovement(OpParser& parser, OperationState& state, std::string_view attribute) {
  int32_t segments[2];
  if (failed(parseInsOuts(parser, state, segments)) ||
      failed(parseDims(parser, state, attribute)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  if (segments[0] != 1 || segments[1] != 1)
    return parser.emitError(parser.opLocation())
           << "expected one input and one output, found " << segments[0] << " and " << segments[1];
  addTensorResults(state, 1);
  Block& body = state.addRegion().addBlock(parser.context());
  for (Value operand : state.operands)
    body.addArgument(elementTypeOrSelf(operand.type()), parser.opLocation());
  Builder::atEnd(body).create(parser.opLocation(), "linalg.yield", {body.argument(0)}, {});
  return success();
}

void printMovement(OpPrinter& printer, Operation& op, std::string_view attribute) {
  printInsOuts(printer, op);
  printDims(printer, op, attribute);
  printer.printOptionalAttrDict(op, {attribute});
}

}  // namespace

LogicalResult parseTranspose(OpParser& parser, OperationState& state) {
  return parseMovement(parser, state, "permutation");
}
void printTranspose(OpPrinter& printer, Operation& op) {
  printMovement(printer, op, "permutation");
}
LogicalResult parseBroadcast(OpParser& parser, OperationState& state) {
  return parseMovement(parser, state, "dimensions");
}
void printBroadcast(OpPrinter& printer, Operation& op) { printMovement(printer, op, "dimensions"); }

// -- softmax ------------------------------------------------------------------------------------

LogicalResult parseSoftmax(OpParser& parser, OperationState& state) {
  int64_t dimension = 0;
  int32_t segments[2];
  if (failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseKeyword("dimension")) || failed(parser.parse("(")) ||
      failed(parser.parseInteger(dimension)) || failed(parser.parse(")")) ||
      failed(parseInsOuts(parser, state, segments)))
    return failure();
  if (segments[0] != 1 || segments[1] != 1)
    return parser.emitError(parser.opLocation()) << "expected one input and one output";
  state.addAttribute(parser.context(), "dimension",
                     IntegerAttr::get(IntegerType::get(parser.context(), 64), dimension));
  return parser.parseOptionalArrowTypeList(state.resultTypes);
}

void printSoftmax(OpPrinter& printer, Operation& op) {
  printer.printOptionalAttrDict(op, {"dimension"});
  printer << " dimension(" << op.attrOf<IntegerAttr>("dimension").value() << ')';
  printInsOuts(printer, op);
  printer.printOptionalArrowTypes(op.resultTypes());
}

// -- pack, unpack -------------------------------------------------------------------------------

namespace {

/// pack has an optional padding value before the tile sizes, unpack has not.
bool hasPadding(const OpDef& def) { return def.operandIndex("padding_value") >= 0; }

/// `padding_value(%x : type)`, of pack only.
LogicalResult parsePadding(OpParser& parser, const OpDef& def, UnresolvedOperand& value,
                           Type& type) {
  if (!parser.nextIsKeyword("padding_value") || !hasPadding(def)) return success();
  return failure(failed(parser.parseKeyword("padding_value")) || failed(parser.parse("(")) ||
                 failed(parser.parseOperand(value)) || failed(parser.parseColonType(type)) ||
                 failed(parser.parse(")")));
}

}  // namespace

LogicalResult parsePack(OpParser& parser, OperationState& state) {
  UnresolvedOperand source, dest, padding;
  std::vector<UnresolvedOperand> tiles;
  std::vector<int64_t> staticTiles;
  Type paddingType, sourceType, destType;
  if (failed(parser.parseOperand(source)) ||
      failed(parsePadding(parser, *state.def, padding, paddingType)))
    return failure();
  if (parser.nextIsKeyword("outer_dims_perm") &&
      failed(parseDims(parser, state, "outer_dims_perm")))
    return failure();
  if (failed(parseDims(parser, state, "inner_dims_pos")) ||
      failed(parser.parseKeyword("inner_tiles")) || failed(parser.parse("=")) ||
      failed(parser.parseDynamicIndexList(tiles, staticTiles)) ||
      failed(parser.parseKeyword("into")) || failed(parser.parseOperand(dest)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(sourceType)) || failed(parser.parse("->")) ||
      failed(parser.parseType(destType)) ||
      failed(parser.resolve(source, sourceType, state.operands)) ||
      failed(parser.resolve(dest, destType, state.operands)) ||
      (paddingType && failed(parser.resolve(padding, paddingType, state.operands))) ||
      failed(parser.resolve(tiles, IndexType::get(parser.context()), state.operands)))
    return failure();
  state.addAttribute(parser.context(), "static_inner_tiles",
                     DenseArrayAttr::getI64(parser.context(), staticTiles));
  if (hasPadding(*state.def)) {
    int32_t segments[] = {1, 1, paddingType ? 1 : 0, static_cast<int32_t>(tiles.size())};
    state.setOperandSegments(parser.context(), segments);
  }
  if (destType.isa<RankedTensorType>()) state.resultTypes.push_back(destType);
  return success();
}

void printPack(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0);
  if (hasPadding(op.def()))
    for (Value padding : op.operandGroup("padding_value"))
      printer << " padding_value(" << padding << " : " << padding.type() << ')';
  auto list = [&](std::string_view name) {
    printer << ' ' << name << " = [";
    printer.printList(op.attrOf<DenseArrayAttr>(name).values(),
                      [&](int64_t dim) { printer << dim; });
    printer << ']';
  };
  if (op.hasAttr("outer_dims_perm")) list("outer_dims_perm");
  list("inner_dims_pos");
  printer << " inner_tiles = ";
  printIndexList(printer, op.operandGroup("inner_tiles"),
                 op.attrOf<DenseArrayAttr>("static_inner_tiles"));
  printer << " into " << op.operand(1);
  printer.printOptionalAttrDict(
      op, {"operandSegmentSizes", "outer_dims_perm", "inner_dims_pos", "static_inner_tiles"});
  printer << " : " << op.operand(0).type() << " -> " << op.operand(1).type();
}

}  // namespace airlite::linalg
