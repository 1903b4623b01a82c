// The textual syntax of affine loads, stores, prefetch, transfers and index (de)linearization.
#include "AffineInternal.hpp"

namespace airlite::affine {

namespace {

using Operands = std::vector<UnresolvedOperand>;

Type indexOf(OpParser& parser) { return IndexType::get(parser.context()); }
void printMalformed(OpPrinter& printer, Operation& op) { printer.printGeneric(op, false); }

/// `%memref[%i + 1, symbol(%n)]`.
struct Access {
  UnresolvedOperand memref;
  Operands indices;  // dims, then symbols
};

LogicalResult parseAccess(OpParser& parser, Access& access, OperationState& state,
                          std::string_view mapName = kMap) {
  AffineMap map;
  Operands symbols;
  if (failed(parser.parseOperand(access.memref)) ||
      failed(parser.parseAffineMapOfSsaIds(map, access.indices, symbols)))
    return failure();
  access.indices.insert(access.indices.end(), symbols.begin(), symbols.end());
  state.addAttribute(parser.context(), mapName, AffineMapAttr::get(map));
  return success();
}

LogicalResult resolveAccess(OpParser& parser, const Access& access, Type memref,
                            OperationState& state) {
  if (failed(parser.resolve(access.memref, memref, state.operands))) return failure();
  return parser.resolve(access.indices, indexOf(parser), state.operands);
}

LogicalResult parseMemRefType(OpParser& parser, MemRefType& type) {
  Type any;
  Location where = parser.location();
  if (failed(parser.parseType(any))) return failure();
  type = any.dynCast<MemRefType>();
  if (type) return success();
  return parser.emitError(where) << "invalid kind of type specified: expected a ranked memref, "
                                    "found "
                                 << any;
}

LogicalResult parseVectorType(OpParser& parser, Type& type) {
  Location where = parser.location();
  if (failed(parser.parse(",")) || failed(parser.parseType(type))) return failure();
  if (type.isa<VectorType>()) return success();
  return parser.emitError(where) << "invalid kind of type specified: expected a vector, found "
                                 << type;
}

/// Map and operand count fit: what the print functions need.
bool isAccess(Operation& op, unsigned memrefIndex) {
  auto map = op.attrOf<AffineMapAttr>(kMap);
  return map && op.numOperands() == memrefIndex + 1 + map.value().numInputs();
}

void printSubscripts(OpPrinter& printer, AffineMap map, OperandRange operands) {
  std::vector<Value> values = operands.vec();
  printer << "[";
  printer.printAffineMapOfSsaIds(map, values);
  printer << "]";
}

void printAccess(OpPrinter& printer, Operation& op) {
  AccessOp access(&op);
  printer << access.memref();
  printSubscripts(printer, access.map(), access.mapOperands());
}

/// `%x[...] {..} : memref, vector`; `valueFirst`: a store.
void printMemoryOp(OpPrinter& printer, Operation& op, bool valueFirst, bool isVector) {
  unsigned memref = valueFirst ? 1 : 0;
  if (!isAccess(op, memref) || (!valueFirst && op.numResults() != 1))
    return printMalformed(printer, op);
  printer << " ";
  if (valueFirst) printer << op.operand(0) << ", ";
  printAccess(printer, op);
  printer.printOptionalAttrDict(op, {kMap});
  printer << " : " << op.operand(memref).type();
  if (isVector) printer << ", " << (valueFirst ? op.operand(0).type() : op.result().type());
}

LogicalResult parseMemoryOp(OpParser& parser, OperationState& state, bool valueFirst,
                            bool isVector) {
  UnresolvedOperand value;
  Access access;
  MemRefType memref;
  if (valueFirst && (failed(parser.parseOperand(value)) || failed(parser.parse(","))))
    return failure();
  if (failed(parseAccess(parser, access, state)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")) ||
      failed(parseMemRefType(parser, memref)))
    return failure();
  Type type = memref.elementType();
  if (isVector && failed(parseVectorType(parser, type))) return failure();
  if (valueFirst && failed(parser.resolve(value, type, state.operands))) return failure();
  if (!valueFirst) state.resultTypes.push_back(type);
  return resolveAccess(parser, access, memref, state);
}

}  // namespace

// -- load and store ------------------------------------------------------------------------------

LogicalResult parseLoad(OpParser& parser, OperationState& state) {
  return parseMemoryOp(parser, state, false, false);
}
void printLoad(OpPrinter& printer, Operation& op) { printMemoryOp(printer, op, false, false); }
LogicalResult parseStore(OpParser& parser, OperationState& state) {
  return parseMemoryOp(parser, state, true, false);
}
void printStore(OpPrinter& printer, Operation& op) { printMemoryOp(printer, op, true, false); }
LogicalResult parseVectorLoad(OpParser& parser, OperationState& state) {
  return parseMemoryOp(parser, state, false, true);
}
void printVectorLoad(OpPrinter& printer, Operation& op) { printMemoryOp(printer, op, false, true); }
LogicalResult parseVectorStore(OpParser& parser, OperationState& state) {
  return parseMemoryOp(parser, state, true, true);
}
void printVectorStore(OpPrinter& printer, Operation& op) { printMemoryOp(printer, op, true, true); }

// -- prefetch ------------------------------------------------------------------------------------

/// One of two keywords, stored as a bool.
static LogicalResult parseChoice(OpParser& parser, std::string_view yes, std::string_view no,
                                 std::string_view what, std::string_view attr,
                                 OperationState& state) {
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  if (word != yes && word != no)
    return parser.emitError(parser.opLocation())
           << what << " has to be '" << no << "' or '" << yes << "'";
  state.addAttribute(parser.context(), attr, IntegerAttr::getBool(parser.context(), word == yes));
  return success();
}

LogicalResult parsePrefetch(OpParser& parser, OperationState& state) {
  Access access;
  MemRefType memref;
  int64_t locality = 0;
  if (failed(parseAccess(parser, access, state)) || failed(parser.parse(",")) ||
      failed(parseChoice(parser, "write", "read", "rw specifier", "isWrite", state)) ||
      failed(parser.parse(",")) || failed(parser.parseKeyword("locality")) ||
      failed(parser.parse("<")) || failed(parser.parseInteger(locality)) ||
      failed(parser.parse(">")) || failed(parser.parse(",")))
    return failure();
  std::string cache;
  if (failed(parser.parseAnyKeyword(cache))) return failure();
  if (cache != "data" && cache != "instr")
    return parser.emitError(parser.opLocation()) << "cache type has to be 'data' or 'instr'";
  state.addAttribute(parser.context(), "isDataCache",
                     IntegerAttr::getBool(parser.context(), cache == "data"));
  state.addAttribute(parser.context(), "localityHint",
                     IntegerAttr::get(IntegerType::get(parser.context(), 32), locality));
  if (failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")) ||
      failed(parseMemRefType(parser, memref)))
    return failure();
  return resolveAccess(parser, access, memref, state);
}

void printPrefetch(OpPrinter& printer, Operation& op) {
  auto isWrite = op.attrOf<IntegerAttr>("isWrite");
  auto isData = op.attrOf<IntegerAttr>("isDataCache");
  auto locality = op.attrOf<IntegerAttr>("localityHint");
  if (!isAccess(op, 0) || !isWrite || !isData || !locality) return printMalformed(printer, op);
  printer << " ";
  printAccess(printer, op);
  printer << (isWrite.value() ? ", write" : ", read") << ", locality<" << locality.value() << ">, "
          << (isData.value() ? "data" : "instr");
  printer.printOptionalAttrDict(op, {kMap, "isWrite", "isDataCache", "localityHint"});
  printer << " : " << op.operand(0).type();
}

// -- delinearize_index and linearize_index -------------------------------------------------------

LogicalResult parseDelinearize(OpParser& parser, OperationState& state) {
  Operands operands(1), basis;
  std::vector<int64_t> statics;
  if (failed(parser.parseOperand(operands[0])) || failed(parser.parseKeyword("into")) ||
      failed(parser.parseDynamicIndexList(basis, statics, Delimiter::Paren)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")) ||
      failed(parser.parseTypeListMaybeParens(state.resultTypes)))
    return failure();
  while (parser.parseOptional(","))
    if (failed(parser.parseType(state.resultTypes.emplace_back()))) return failure();
  operands.insert(operands.end(), basis.begin(), basis.end());
  state.addAttribute(parser.context(), kStaticBasis,
                     DenseArrayAttr::getI64(parser.context(), statics));
  return parser.resolve(operands, indexOf(parser), state.operands);
}

void printDelinearize(OpPrinter& printer, Operation& op) {
  if (op.numOperands() == 0) return printMalformed(printer, op);
  DelinearizeIndexOp split(&op);
  printer << " " << split.linearIndex() << " into (";
  printer.printDynamicIndexList(split.dynamicBasis(), split.staticBasis());
  printer << ")";
  printer.printOptionalAttrDict(op, {kStaticBasis});
  printer << " : ";
  printer.printTypes(op.resultTypes());
}

LogicalResult parseLinearize(OpParser& parser, OperationState& state) {
  Operands indices, basis;
  std::vector<int64_t> statics;
  if (parser.parseOptionalKeyword("disjoint"))
    state.addAttribute(parser.context(), "disjoint", UnitAttr::get(parser.context()));
  if (failed(parser.parseOperandList(indices, Delimiter::Square)) ||
      failed(parser.parseKeyword("by")) ||
      failed(parser.parseDynamicIndexList(basis, statics, Delimiter::Paren)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parse(":")) ||
      failed(parser.parseType(state.resultTypes.emplace_back())))
    return failure();
  state.addAttribute(parser.context(), kStaticBasis,
                     DenseArrayAttr::getI64(parser.context(), statics));
  int32_t segments[] = {static_cast<int32_t>(indices.size()), static_cast<int32_t>(basis.size())};
  state.setOperandSegments(parser.context(), segments);
  if (failed(parser.resolve(indices, indexOf(parser), state.operands))) return failure();
  return parser.resolve(basis, indexOf(parser), state.operands);
}

void printLinearize(OpPrinter& printer, Operation& op) {
  if (!op.attrOf<DenseArrayAttr>("operandSegmentSizes") || op.numResults() != 1)
    return printMalformed(printer, op);
  LinearizeIndexOp join(&op);
  printer << (op.hasAttr("disjoint") ? " disjoint [" : " [") << join.multiIndex() << "] by (";
  printer.printDynamicIndexList(join.dynamicBasis(), join.staticBasis());
  printer << ")";
  printer.printOptionalAttrDict(op, {kStaticBasis, "disjoint"});
  printer << " : " << op.result().type();
}

// -- dma_start and dma_wait ----------------------------------------------------------------------

LogicalResult parseDmaStart(OpParser& parser, OperationState& state) {
  Access source, dest, tag;
  Operands numElements(1), strides;
  if (failed(parseAccess(parser, source, state, "src_map")) || failed(parser.parse(",")) ||
      failed(parseAccess(parser, dest, state, "dst_map")) || failed(parser.parse(",")) ||
      failed(parseAccess(parser, tag, state, "tag_map")) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(numElements[0])))
    return failure();
  while (parser.parseOptional(","))
    if (failed(parser.parseOperand(strides.emplace_back()))) return failure();
  std::vector<Type> types;
  if (!strides.empty() && strides.size() != 2)
    return parser.emitError(parser.opLocation()) << "expected two stride related operands";
  if (failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonTypeList(types)))
    return failure();
  if (types.size() != 3) return parser.emitError(parser.opLocation()) << "expected three types";
  if (failed(resolveAccess(parser, source, types[0], state)) ||
      failed(resolveAccess(parser, dest, types[1], state)) ||
      failed(resolveAccess(parser, tag, types[2], state)) ||
      failed(parser.resolve(numElements, indexOf(parser), state.operands)))
    return failure();
  return parser.resolve(strides, indexOf(parser), state.operands);
}

static bool isPrintableDma(Operation& op) {
  for (std::string_view name : {"src_map", "dst_map", "tag_map"})
    if (!op.attrOf<AffineMapAttr>(name)) return false;
  unsigned plain = DmaStartOp(&op).numElementsIndex() + 1;
  return op.numOperands() == plain || op.numOperands() == plain + 2;
}

void printDmaStart(OpPrinter& printer, Operation& op) {
  if (!isPrintableDma(op)) return printMalformed(printer, op);
  DmaStartOp dma(&op);
  auto part = [&](unsigned at, std::string_view mapName) {
    AffineMap map = dma.map(mapName);
    printer << op.operand(at);
    printSubscripts(printer, map, op.operands().slice(at + 1, map.numInputs()));
    printer << ", ";
  };
  printer << " ";
  part(dma.sourceIndex(), "src_map");
  part(dma.destIndex(), "dst_map");
  part(dma.tagIndex(), "tag_map");
  unsigned rest = dma.numElementsIndex();
  printer << op.operands().slice(rest, op.numOperands() - rest);
  printer.printOptionalAttrDict(op, {"src_map", "dst_map", "tag_map"});
  printer << " : " << op.operand(dma.sourceIndex()).type() << ", "
          << op.operand(dma.destIndex()).type() << ", " << op.operand(dma.tagIndex()).type();
}

LogicalResult parseDmaWait(OpParser& parser, OperationState& state) {
  Access tag;
  UnresolvedOperand numElements;
  Type type;
  if (failed(parseAccess(parser, tag, state, "tag_map")) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(numElements)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(type)) || failed(resolveAccess(parser, tag, type, state)))
    return failure();
  return parser.resolve(numElements, indexOf(parser), state.operands);
}

void printDmaWait(OpPrinter& printer, Operation& op) {
  auto map = op.attrOf<AffineMapAttr>("tag_map");
  if (!map || op.numOperands() != map.value().numInputs() + 2) return printMalformed(printer, op);
  printer << " " << op.operand(0);
  printSubscripts(printer, map.value(), op.operands().slice(1, map.value().numInputs()));
  printer << ", " << op.operands().back();
  printer.printOptionalAttrDict(op, {"tag_map"});
  printer << " : " << op.operand(0).type();
}

}  // namespace airlite::affine
