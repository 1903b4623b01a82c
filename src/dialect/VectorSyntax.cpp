// Custom syntax of the vector ops.
#include "VectorInternal.hpp"

#include <algorithm>

namespace airlite::vector {

// -- Transfers ----------------------------------------------------------------------------------

namespace {

Attribute falses(Context& context, size_t count) {
  std::vector<Attribute> flags(count, IntegerAttr::getBool(context, false));
  return ArrayAttr::get(context, flags);
}

/// The map and the flags that text may leave out.
LogicalResult completeTransfer(OpParser& parser, OperationState& state, Location at, Type shaped,
                               Type vector) {
  Context& context = parser.context();
  auto shapedType = shaped.dynCast<ShapedType>();
  auto vectorType = vector.dynCast<VectorType>();
  bool known = shaped.isa<MemRefType>() || shaped.isa<RankedTensorType>();
  if (!known || !shapedType)
    return parser.emitError(at) << "requires memref or ranked tensor type, found " << shaped;
  if (!vectorType) return parser.emitError(at) << "requires vector type, found " << vector;
  if (!state.attributes.get("permutation_map")) {
    // A memref of vectors: the vector covers its element too.
    auto element = shapedType.elementType().dynCast<VectorType>();
    auto rank = static_cast<unsigned>(vectorType.rank() - (element ? element.rank() : 0));
    if (static_cast<int64_t>(rank) > shapedType.rank())
      return parser.emitError(at) << "expected a custom permutation_map when rank(source) != "
                                  << "rank(destination)";
    AffineMap map = minorIdentity(context, static_cast<unsigned>(shapedType.rank()), rank);
    state.addAttribute(context, "permutation_map", AffineMapAttr::get(map));
  }
  auto map = state.attributes.get("permutation_map").dynCast<AffineMapAttr>();
  if (map && !state.attributes.get("in_bounds"))
    state.addAttribute(context, "in_bounds", falses(context, map.value().numResults()));
  return success();
}

/// One i1 per element, before the permutation: dims in the order of the source.
Type maskType(AffineMap map, VectorType vector) {
  std::vector<std::pair<unsigned, int64_t>> dims;
  for (unsigned i = 0; i < map.numResults() && i < vector.shape().size(); ++i)
    if (map.result(i).kind() == AffineKind::Dim)
      dims.emplace_back(map.result(i).position(), vector.dim(i));
  std::sort(dims.begin(), dims.end());
  std::vector<int64_t> shape;
  for (auto [position, size] : dims)
    shape.push_back(size);
  if (shape.empty()) shape.push_back(1);
  return VectorType::get(vector.context(), shape, IntegerType::get(vector.context(), 1));
}

LogicalResult resolveMask(OpParser& parser, OperationState& state,
                          std::span<const UnresolvedOperand> mask, Type vector, Location at) {
  if (mask.empty()) return success();
  auto map = state.attributes.get("permutation_map").dynCast<AffineMapAttr>();
  auto shape = vector.cast<VectorType>();
  if (!map || map.value().numResults() != static_cast<unsigned>(shape.rank()))
    return parser.emitError(at) << "expected the same rank for the vector and the results of the "
                                << "permutation map";
  return parser.resolve(mask, maskType(map.value(), shape), state.operands);
}

LogicalResult parseOptionalMask(OpParser& parser, std::vector<UnresolvedOperand>& mask) {
  if (!parser.parseOptional(",")) return success();
  return parser.parseOperand(mask.emplace_back());
}

}  // namespace

LogicalResult parseTransferRead(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> source(1), indices, padding(1), mask;
  std::vector<Type> types;
  if (failed(parser.parseOperand(source[0])) ||
      failed(parser.parseOperandList(indices, Delimiter::Square)) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(padding[0])) || failed(parseOptionalMask(parser, mask)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  Location at = parser.location();
  if (failed(parser.parseColonTypeList(types))) return failure();
  if (types.size() != 2) return parser.emitError(at) << "requires two types";
  if (failed(completeTransfer(parser, state, at, types[0], types[1])) ||
      failed(parser.resolve(source, types[0], state.operands)) ||
      failed(parser.resolve(indices, IndexType::get(parser.context()), state.operands)) ||
      failed(parser.resolve(padding, elementTypeOrSelf(types[0]), state.operands)) ||
      failed(resolveMask(parser, state, mask, types[1], at)))
    return failure();
  int32_t segments[] = {1, static_cast<int32_t>(indices.size()), 1,
                        static_cast<int32_t>(mask.size())};
  state.setOperandSegments(parser.context(), segments);
  state.resultTypes.push_back(types[1]);
  return success();
}

LogicalResult parseTransferWrite(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> vector(1), source(1), indices, mask;
  std::vector<Type> types;
  if (failed(parser.parseOperand(vector[0])) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(source[0])) ||
      failed(parser.parseOperandList(indices, Delimiter::Square)) ||
      failed(parseOptionalMask(parser, mask)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  Location at = parser.location();
  if (failed(parser.parseColonTypeList(types))) return failure();
  if (types.size() != 2) return parser.emitError(at) << "requires two types";
  if (failed(completeTransfer(parser, state, at, types[1], types[0])) ||
      failed(parser.resolve(vector, types[0], state.operands)) ||
      failed(parser.resolve(source, types[1], state.operands)) ||
      failed(parser.resolve(indices, IndexType::get(parser.context()), state.operands)) ||
      failed(resolveMask(parser, state, mask, types[0], at)))
    return failure();
  int32_t segments[] = {1, 1, static_cast<int32_t>(indices.size()),
                        static_cast<int32_t>(mask.size())};
  state.setOperandSegments(parser.context(), segments);
  if (types[1].isa<RankedTensorType>()) state.resultTypes.push_back(types[1]);
  return success();
}

namespace {

bool anyInBounds(TransferOp transfer) {
  for (unsigned i = 0; i < transfer.vectorType().shape().size(); ++i)
    if (transfer.isInBounds(i)) return true;
  return false;
}

}  // namespace

void printTransfer(OpPrinter& printer, Operation& op) {
  TransferOp transfer(&op);
  printer << ' ';
  if (!transfer.isRead()) printer << op.operand(0) << ", ";
  printer << transfer.source() << '[' << transfer.indices() << ']';
  if (transfer.isRead()) printer << ", " << TransferReadOp(&op).padding();
  if (Value mask = transfer.mask()) printer << ", " << mask;
  std::vector<std::string_view> elided = {"operandSegmentSizes"};
  if (transfer.isMinorIdentity()) elided.push_back("permutation_map");
  if (!anyInBounds(transfer)) elided.push_back("in_bounds");
  printer.printOptionalAttrDict(op, elided);
  Type source = transfer.source().type(), vector = transfer.vectorType();
  printer << " : " << (transfer.isRead() ? source : vector) << ", "
          << (transfer.isRead() ? vector : source);
}

// -- extract, insert ----------------------------------------------------------------------------

namespace {

LogicalResult parsePosition(OpParser& parser, OperationState& state,
                            std::vector<UnresolvedOperand>& dynamic) {
  std::vector<int64_t> statics;
  if (failed(parser.parseDynamicIndexList(dynamic, statics))) return failure();
  state.addAttribute(parser.context(), "static_position",
                     DenseArrayAttr::getI64(parser.context(), statics));
  return success();
}

void printPosition(OpPrinter& printer, Operation& op) {
  PositionOp position(&op);
  printer << '[';
  printer.printDynamicIndexList(position.dynamicPosition(), position.staticPosition());
  printer << ']';
}

/// Older text leaves the type of the result out: `: vector<4xf32>`.
Type extractedType(const OperationState& state, Type vector) {
  auto position = state.attributes.get("static_position").cast<DenseArrayAttr>();
  auto type = vector.dynCast<VectorType>();
  return type ? elementAtDepth(type, position.size()) : vector;
}

}  // namespace

LogicalResult parseExtract(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> vector(1), position;
  Type result, source;
  if (failed(parser.parseOperand(vector[0])) || failed(parsePosition(parser, state, position)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(result)))
    return failure();
  if (parser.parseOptionalKeyword("from")) {
    if (failed(parser.parseType(source))) return failure();
  } else {
    source = result;
    result = extractedType(state, source);
  }
  state.resultTypes.push_back(result);
  if (failed(parser.resolve(vector, source, state.operands))) return failure();
  return parser.resolve(position, IndexType::get(parser.context()), state.operands);
}

void printExtract(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0);
  printPosition(printer, op);
  printer.printOptionalAttrDict(op, {"static_position"});
  printer << " : " << op.result().type() << " from " << op.operand(0).type();
}

LogicalResult parseInsert(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> source(1), dest(1), position;
  Type sourceType, destType;
  if (failed(parser.parseOperand(source[0])) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(dest[0])) || failed(parsePosition(parser, state, position)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(sourceType)) || failed(parser.parseKeyword("into")) ||
      failed(parser.parseType(destType)) ||
      failed(parser.resolve(source, sourceType, state.operands)) ||
      failed(parser.resolve(dest, destType, state.operands)))
    return failure();
  state.resultTypes.push_back(destType);
  return parser.resolve(position, IndexType::get(parser.context()), state.operands);
}

void printInsert(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << ", " << op.operand(1) << ' ';
  printPosition(printer, op);
  printer.printOptionalAttrDict(op, {"static_position"});
  printer << " : " << op.operand(0).type() << " into " << op.operand(1).type();
}

// -- contract, outerproduct ---------------------------------------------------------------------

namespace {

constexpr std::string_view kContractAttrs[] = {"indexing_maps", "iterator_types", "kind"};

/// In the custom form iterator types are strings.
LogicalResult readIterators(OpParser& parser, OperationState& state, Location at) {
  auto array = state.attributes.get("iterator_types").dynCast<ArrayAttr>();
  if (!array) return parser.emitError(at) << "expected iterator_types array attribute";
  std::vector<Attribute> kinds;
  for (Attribute entry : array.value()) {
    auto text = entry.dynCast<StringAttr>();
    bool known = text && (text.value() == "parallel" || text.value() == "reduction");
    if (text && !known)
      return parser.emitError(at) << "unexpected iterator_type (" << text.value() << ")";
    kinds.push_back(text ? Attribute(DialectAttr::getKeyword(parser.context(),
                                                             "vector.iterator_type", text.value()))
                         : entry);
  }
  state.addAttribute(parser.context(), "iterator_types", ArrayAttr::get(parser.context(), kinds));
  return success();
}

Attribute iteratorsAsText(ContractOp op) {
  std::vector<Attribute> names;
  for (std::string_view name : op.iterators())
    names.push_back(StringAttr::get(op->context(), name));
  return ArrayAttr::get(op->context(), names);
}

}  // namespace

LogicalResult parseContract(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  Location at = parser.location();
  Attribute traits;
  std::vector<UnresolvedOperand> operands(3);
  Type lhs, rhs, result;
  if (failed(parser.parseAttribute(traits))) return failure();
  auto dictionary = traits.dynCast<DictionaryAttr>();
  if (!dictionary) return parser.emitError(at) << "expected a dictionary, found " << traits;
  for (const NamedAttribute& attr : dictionary.value())
    state.attributes.set(attr.name, attr.value);
  if (failed(readIterators(parser, state, at)) || failed(parser.parseOperand(operands[0])) ||
      failed(parser.parse(",")) || failed(parser.parseOperand(operands[1])) ||
      failed(parser.parse(",")) || failed(parser.parseOperand(operands[2])))
    return failure();
  if (parser.parseOptional(","))
    return parser.emitError() << "not supported: masks on vector.contract";
  if (failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(lhs)) || failed(parser.parse(",")) ||
      failed(parser.parseType(rhs)) || failed(parser.parseKeyword("into")) ||
      failed(parser.parseType(result)))
    return failure();
  if (!state.attributes.get("kind")) state.addAttribute(context, "kind", kindAttr(context, "add"));
  state.resultTypes.push_back(result);
  Type types[] = {lhs, rhs, result};
  return parser.resolve(operands, types, at, state.operands);
}

void printContract(OpPrinter& printer, Operation& op) {
  ContractOp contract(&op);
  NamedAttrList traits;
  traits.set(Identifier::get(op.context(), "indexing_maps"), op.attr("indexing_maps"));
  traits.set(Identifier::get(op.context(), "iterator_types"), iteratorsAsText(contract));
  traits.set(Identifier::get(op.context(), "kind"), kindAttr(op.context(), contract.kind()));
  printer << ' ';
  printer.printDictionary(traits.dictionary(op.context()));
  printer << ' ' << op.operands();
  printer.printOptionalAttrDict(op, kContractAttrs);
  printer << " : " << op.operand(0).type() << ", " << op.operand(1).type() << " into "
          << op.result().type();
}

LogicalResult parseOuterProduct(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> operands;
  Type lhs, rhs;
  Location at = parser.location();
  if (failed(parser.parseOperandList(operands)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(lhs)) || failed(parser.parse(",")) ||
      failed(parser.parseType(rhs)))
    return failure();
  if (operands.size() < 2) return parser.emitError(at) << "expected at least 2 operands";
  auto left = lhs.dynCast<VectorType>();
  if (!left) return parser.emitError(at) << "expected vector type for operand #1";
  std::vector<int64_t> shape(left.shape().begin(), left.shape().end());
  if (auto right = rhs.dynCast<VectorType>())
    shape.insert(shape.end(), right.shape().begin(), right.shape().end());
  Type result = VectorType::get(parser.context(), shape, left.elementType());
  if (!state.attributes.get("kind"))
    state.addAttribute(parser.context(), "kind", kindAttr(parser.context(), "add"));
  state.resultTypes.push_back(result);
  std::vector<Type> types = {lhs, rhs};
  if (operands.size() > 2) types.push_back(result);
  return parser.resolve(operands, types, at, state.operands);
}

void printOuterProduct(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operands();
  auto kind = op.attrOf<DialectAttr>("kind");
  bool usual = !kind || kind.keyword() == "add";
  if (op.numOperands() > 2 && !usual)
    printer.printOptionalAttrDict(op);
  else
    printer.printOptionalAttrDict(op, {"kind"});
  printer << " : " << op.operand(0).type() << ", " << op.operand(1).type();
}

// -- Reductions ---------------------------------------------------------------------------------

namespace {

/// `<add>`.
LogicalResult parseKind(OpParser& parser, OperationState& state) {
  if (failed(parser.parse("<"))) return failure();
  Location at = parser.location();
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  Attribute kind = kindAttr(parser.context(), word);
  if (!kind) return parser.emitError(at) << "unknown combining kind '" << word << "'";
  state.addAttribute(parser.context(), "kind", kind);
  return parser.parse(">");
}

/// `fastmath<nnan,nsz>`, absent: nothing.
LogicalResult parseFastMath(OpParser& parser, OperationState& state) {
  if (!parser.parseOptionalKeyword("fastmath")) return success();
  const DialectAttrDef* def = parser.context().findAttr("arith.fastmath");
  if (!def) return parser.emitError() << "the arith dialect is not registered";
  std::vector<Attribute> words;
  if (def->parse) {
    if (failed(def->parse(parser, words))) return failure();
  } else if (failed(parser.parseList(Delimiter::Angle, [&] {
               std::string word;
               LogicalResult read = parser.parseAnyKeyword(word);
               words.push_back(StringAttr::get(parser.context(), word));
               return read;
             }))) {
    return failure();
  }
  state.addAttribute(parser.context(), "fastmath", DialectAttr::get(parser.context(), *def, words));
  return success();
}

void printFastMath(OpPrinter& printer, Operation& op) {
  auto flags = op.attrOf<DialectAttr>("fastmath");
  if (!flags || flags.keyword() == "none") return;
  std::string text = flags.str();
  printer << " fastmath" << std::string_view(text).substr(text.find('<'));
}

}  // namespace

LogicalResult parseReduction(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> vector(1), acc;
  Type source, dest;
  if (failed(parseKind(parser, state)) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(vector[0])) || failed(parseOptionalMask(parser, acc)) ||
      failed(parseFastMath(parser, state)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(source)) || failed(parser.parseKeyword("into")) ||
      failed(parser.parseType(dest)) || failed(parser.resolve(vector, source, state.operands)))
    return failure();
  state.resultTypes.push_back(dest);
  return parser.resolve(acc, dest, state.operands);
}

void printReduction(OpPrinter& printer, Operation& op) {
  printer << " <" << ReductionOp(&op).kind() << ">, " << op.operands();
  printFastMath(printer, op);
  printer.printOptionalAttrDict(op, {"kind", "fastmath"});
  printer << " : " << op.operand(0).type() << " into " << op.result().type();
}

LogicalResult parseMultiReduction(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> source(1), acc(1);
  Type sourceType, dest;
  Attribute dims;
  if (failed(parseKind(parser, state)) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(source[0])) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(acc[0])) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseAttribute(dims)) || failed(parser.parseColonType(sourceType)) ||
      failed(parser.parseKeyword("to")) || failed(parser.parseType(dest)) ||
      failed(parser.resolve(source, sourceType, state.operands)))
    return failure();
  state.addAttribute(parser.context(), "reduction_dims", dims);
  state.resultTypes.push_back(dest);
  return parser.resolve(acc, dest, state.operands);
}

void printMultiReduction(OpPrinter& printer, Operation& op) {
  printer << " <" << ReductionOp(&op).kind() << ">, " << op.operands();
  printer.printOptionalAttrDict(op, {"kind", "reduction_dims"});
  printer << " [";
  printer.printList(integers(op.attr("reduction_dims")), [&](int64_t dim) { printer << dim; });
  printer << "] : " << op.operand(0).type() << " to " << op.result().type();
}

// -- transpose, shuffle, print ------------------------------------------------------------------

LogicalResult parseTranspose(OpParser& parser, OperationState& state) {
  UnresolvedOperand source;
  std::vector<int64_t> dims;
  Type from, to;
  auto dim = [&] { return parser.parseInteger(dims.emplace_back()); };
  if (failed(parser.parseOperand(source)) || failed(parser.parse(",")) ||
      failed(parser.parseList(Delimiter::Square, dim)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(from)) || failed(parser.parseKeyword("to")) ||
      failed(parser.parseType(to)))
    return failure();
  state.addAttribute(parser.context(), "permutation",
                     DenseArrayAttr::getI64(parser.context(), dims));
  state.resultTypes.push_back(to);
  return parser.resolve(source, from, state.operands);
}

void printTranspose(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << ", [";
  printer.printList(op.attrOf<DenseArrayAttr>("permutation").values(),
                    [&](int64_t dim) { printer << dim; });
  printer << ']';
  printer.printOptionalAttrDict(op, {"permutation"});
  printer << " : " << op.operand(0).type() << " to " << op.result().type();
}

LogicalResult parseShuffle(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> operands;
  std::vector<Type> types;
  Attribute mask;
  Location at = parser.location();
  if (failed(parser.parseOperandList(operands)) || failed(parser.parseAttribute(mask)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  state.addAttribute(parser.context(), "mask", mask);
  if (failed(parser.parseColonTypeList(types)) ||
      failed(parser.resolve(operands, types, at, state.operands)))
    return failure();
  auto first = types[0].dynCast<VectorType>();
  if (!first || operands.size() != 2) return parser.emitError(at) << "expected two vectors";
  std::vector<int64_t> shape(first.shape().begin(), first.shape().end());
  auto count = static_cast<int64_t>(integers(mask).size());
  if (shape.empty())
    shape.push_back(count);
  else
    shape[0] = count;
  state.resultTypes.push_back(VectorType::get(parser.context(), shape, first.elementType()));
  return success();
}

void printShuffle(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operands() << " [";
  printer.printList(integers(op.attr("mask")), [&](int64_t index) { printer << index; });
  printer << ']';
  printer.printOptionalAttrDict(op, {"mask"});
  printer << " : ";
  printer.printTypes(op.operandTypes());
}

namespace {

LogicalResult parsePunctuation(OpParser& parser, OperationState& state) {
  if (!parser.parseOptionalKeyword("punctuation")) return success();
  if (failed(parser.parse("<"))) return failure();
  Location at = parser.location();
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  for (std::string_view known : {"no_punctuation", "newline", "comma", "open", "close"})
    if (word == known) {
      // A newline is what comes anyway.
      if (word != "newline")
        state.addAttribute(parser.context(), "punctuation",
                           DialectAttr::getKeyword(parser.context(), "vector.punctuation", word));
      return parser.parse(">");
    }
  return parser.emitError(at) << "unknown punctuation '" << word << "'";
}

}  // namespace

LogicalResult parsePrint(OpParser& parser, OperationState& state) {
  if (parser.nextIsOperand()) {
    std::vector<UnresolvedOperand> source(1);
    Type type;
    if (failed(parser.parseOperand(source[0])) || failed(parser.parseColonType(type)) ||
        failed(parser.resolve(source, type, state.operands)))
      return failure();
  } else if (parser.parseOptionalKeyword("str")) {
    std::string text;
    if (failed(parser.parseString(text))) return failure();
    state.addAttribute(parser.context(), "stringLiteral", StringAttr::get(parser.context(), text));
  }
  if (failed(parsePunctuation(parser, state))) return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void printPrint(OpPrinter& printer, Operation& op) {
  if (op.numOperands()) printer << ' ' << op.operand(0) << " : " << op.operand(0).type();
  if (auto text = op.attrOf<StringAttr>("stringLiteral")) {
    printer << " str ";
    printer.printString(text.value());
  }
  auto punctuation = op.attrOf<DialectAttr>("punctuation");
  // Nothing after the name would make the next line's result look like an operand.
  bool bare = !op.numOperands() && !op.hasAttr("stringLiteral");
  std::string_view mark = punctuation ? punctuation.keyword() : "newline";
  if (bare || mark != "newline") printer << " punctuation <" << mark << '>';
  printer.printOptionalAttrDict(op, {"punctuation", "stringLiteral"});
}

}  // namespace airlite::vector
