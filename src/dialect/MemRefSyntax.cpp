// Custom syntax of the memref ops whose form no declarative format can say.
#include "IndexLists.hpp"
#include "MemRefInternal.hpp"
#include "airlite/ir/Resources.hpp"

namespace airlite::memref {

namespace {

/// The lists of an op with offsets, sizes and strides, as they are read.
struct MixedLists {
  std::vector<UnresolvedOperand> operands;
  std::vector<int32_t> segments = {1};
  std::vector<std::pair<std::string_view, std::vector<int64_t>>> statics;

  LogicalResult parse(OpParser& parser, std::string_view attribute) {
    std::vector<UnresolvedOperand> list;
    std::vector<int64_t> values;
    if (failed(parser.parseDynamicIndexList(list, values))) return failure();
    segments.push_back(static_cast<int32_t>(list.size()));
    operands.insert(operands.end(), list.begin(), list.end());
    statics.emplace_back(attribute, std::move(values));
    return success();
  }
  /// After the source operand has been resolved.
  LogicalResult finish(OpParser& parser, OperationState& state) const {
    Context& context = parser.context();
    for (const auto& [name, values] : statics)
      state.addAttribute(context, name, DenseArrayAttr::getI64(context, values));
    state.setOperandSegments(context, segments);
    return parser.resolve(operands, IndexType::get(context), state.operands);
  }
};

/// `: type <keyword> type`: the types of operand `source` and of the result.
LogicalResult parseTypesAndSource(OpParser& parser, OperationState& state,
                                  const UnresolvedOperand& source, std::string_view keyword) {
  Type from, to;
  if (failed(parser.parseColonType(from)) || failed(parser.parseKeyword(keyword)) ||
      failed(parser.parseType(to)) || failed(parser.resolve(source, from, state.operands)))
    return failure();
  state.resultTypes.push_back(to);
  return success();
}

void printTypes(OpPrinter& printer, Operation& op, std::string_view keyword) {
  printer << " : " << op.operand(0).type() << ' ' << keyword << ' ' << op.result().type();
}

void printMixed(OpPrinter& printer, Operation& op, unsigned group, std::string_view attribute) {
  printIndexList(printer, op.operandGroup(group), op.attrOf<DenseArrayAttr>(attribute));
}

/// `%memref[%i, %j]` with the operands after it.
LogicalResult parseAccess(OpParser& parser, std::vector<UnresolvedOperand>& memrefs,
                          std::vector<UnresolvedOperand>& indices) {
  return failure(failed(parser.parseOperand(memrefs.emplace_back())) ||
                 failed(parser.parseOperandList(indices, Delimiter::Square)));
}

}  // namespace

// -- subview, reinterpret_cast ------------------------------------------------------------------

LogicalResult SubViewSyntax::parse(OpParser& parser, OperationState& state) {
  UnresolvedOperand source;
  MixedLists lists;
  if (failed(parser.parseOperand(source)) || failed(lists.parse(parser, "static_offsets")) ||
      failed(lists.parse(parser, "static_sizes")) ||
      failed(lists.parse(parser, "static_strides")) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parseTypesAndSource(parser, state, source, "to")))
    return failure();
  return lists.finish(parser, state);
}

void SubViewSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0);
  printMixed(printer, op, 1, "static_offsets");
  printer << ' ';
  printMixed(printer, op, 2, "static_sizes");
  printer << ' ';
  printMixed(printer, op, 3, "static_strides");
  printer.printOptionalAttrDict(
      op, {"operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"});
  printTypes(printer, op, "to");
}

LogicalResult ReinterpretCastSyntax::parse(OpParser& parser, OperationState& state) {
  UnresolvedOperand source;
  MixedLists lists;
  auto part = [&](std::string_view keyword, std::string_view attribute) {
    return failed(parser.parseKeyword(keyword)) || failed(parser.parse(":")) ||
           failed(lists.parse(parser, attribute));
  };
  if (failed(parser.parseOperand(source)) || failed(parser.parseKeyword("to")) ||
      part("offset", "static_offsets") || failed(parser.parse(",")) ||
      part("sizes", "static_sizes") || failed(parser.parse(",")) ||
      part("strides", "static_strides") || failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parseTypesAndSource(parser, state, source, "to")))
    return failure();
  return lists.finish(parser, state);
}

void ReinterpretCastSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << " to offset: ";
  printMixed(printer, op, 1, "static_offsets");
  printer << ", sizes: ";
  printMixed(printer, op, 2, "static_sizes");
  printer << ", strides: ";
  printMixed(printer, op, 3, "static_strides");
  printer.printOptionalAttrDict(
      op, {"operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"});
  printTypes(printer, op, "to");
}

// -- expand_shape, collapse_shape ---------------------------------------------------------------

static LogicalResult parseReassociation(OpParser& parser, OperationState& state) {
  Location at = parser.location();
  Attribute groups;
  if (failed(parser.parseAttribute(groups))) return failure();
  if (!groups.isa<ArrayAttr>())
    return parser.emitError(at) << "expected an array of reassociation groups, found " << groups;
  state.addAttribute(parser.context(), "reassociation", groups);
  return success();
}

/// The result sizes, static where the type says so: programs from before `output_shape`.
static LogicalResult outputShapeFromType(OpParser& parser, OperationState& state) {
  auto type = state.resultTypes.front().dynCast<ShapedType>();
  if (!type || !type.hasStaticShape())
    return parser.emitError() << "expected 'output_shape': the result has dynamic sizes";
  state.addAttribute(parser.context(), "static_output_shape",
                     DenseArrayAttr::getI64(parser.context(), type.shape()));
  return success();
}

LogicalResult ExpandShapeSyntax::parse(OpParser& parser, OperationState& state) {
  UnresolvedOperand source;
  if (failed(parser.parseOperand(source)) || failed(parseReassociation(parser, state)))
    return failure();
  std::vector<UnresolvedOperand> sizes;
  std::vector<int64_t> statics;
  bool hasShape = parser.parseOptionalKeyword("output_shape");
  if (hasShape && failed(parser.parseDynamicIndexList(sizes, statics))) return failure();
  if (failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parseTypesAndSource(parser, state, source, "into")))
    return failure();
  if (!hasShape) return outputShapeFromType(parser, state);
  state.addAttribute(parser.context(), "static_output_shape",
                     DenseArrayAttr::getI64(parser.context(), statics));
  return parser.resolve(sizes, IndexType::get(parser.context()), state.operands);
}

void ExpandShapeSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << ' ';
  printer.printWithoutType(op.attr("reassociation"));
  printer << " output_shape ";
  printMixed(printer, op, 1, "static_output_shape");
  printer.printOptionalAttrDict(op, {"reassociation", "static_output_shape"});
  printTypes(printer, op, "into");
}

LogicalResult CollapseShapeSyntax::parse(OpParser& parser, OperationState& state) {
  UnresolvedOperand source;
  if (failed(parser.parseOperand(source)) || failed(parseReassociation(parser, state)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  return parseTypesAndSource(parser, state, source, "into");
}

void CollapseShapeSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << ' ';
  printer.printWithoutType(op.attr("reassociation"));
  printer.printOptionalAttrDict(op, {"reassociation"});
  printTypes(printer, op, "into");
}

// -- transpose ----------------------------------------------------------------------------------

/// A permutation is a map whose body stands bare: `(d0, d1) -> (d1, d0)`.
static LogicalResult parsePermutation(OpParser& parser, AffineMap& map) {
  std::vector<std::string> names;
  auto name = [&] { return parser.parseAnyKeyword(names.emplace_back()); };
  if (failed(parser.parseList(Delimiter::Paren, name)) || failed(parser.parse("->")))
    return failure();
  std::vector<std::pair<std::string_view, AffineExpr>> dims;
  for (unsigned i = 0; i < names.size(); ++i)
    dims.emplace_back(names[i], AffineExpr::dim(parser.context(), i));
  std::vector<AffineExpr> results;
  auto expr = [&] { return parser.parseAffineExpr(dims, results.emplace_back()); };
  if (failed(parser.parseList(Delimiter::Paren, expr))) return failure();
  map = AffineMap::get(parser.context(), static_cast<unsigned>(names.size()), 0, results);
  return success();
}

LogicalResult TransposeSyntax::parse(OpParser& parser, OperationState& state) {
  UnresolvedOperand source;
  AffineMap permutation;
  if (failed(parser.parseOperand(source)) || failed(parsePermutation(parser, permutation)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parseTypesAndSource(parser, state, source, "to")))
    return failure();
  state.addAttribute(parser.context(), "permutation", AffineMapAttr::get(permutation));
  return success();
}

void TransposeSyntax::print(OpPrinter& printer, Operation& op) {
  // The map stands here without an alias.
  printer << ' ' << op.operand(0) << ' ' << TransposeOp(&op).permutation().str();
  printer.printOptionalAttrDict(op, {"permutation"});
  printTypes(printer, op, "to");
}

// -- global -------------------------------------------------------------------------------------

/// The value after `=`: `uninitialized`, or elements of the tensor type that the memref shows.
static LogicalResult parseInitialValue(OpParser& parser, OperationState& state, MemRefType type) {
  Context& context = parser.context();
  if (parser.parseOptionalKeyword("uninitialized")) {
    state.addAttribute(context, "initial_value", UnitAttr::get(context));
    return success();
  }
  Location at = parser.location();
  Attribute value;
  auto tensor = RankedTensorType::get(context, type.shape(), type.elementType());
  if (failed(parser.parseAttribute(value, tensor))) return failure();
  if (!isElements(value))
    return parser.emitError(at) << "initial value should be a unit or elements attribute";
  state.addAttribute(context, "initial_value", value);
  return success();
}

LogicalResult GlobalSyntax::parse(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  std::string text;
  if (parser.parseOptionalString(text))
    state.addAttribute(context, "sym_visibility", StringAttr::get(context, text));
  if (parser.parseOptionalKeyword("constant"))
    state.addAttribute(context, "constant", UnitAttr::get(context));
  if (failed(parser.parseSymbolName(text))) return failure();
  state.addAttribute(context, "sym_name", StringAttr::get(context, text));
  if (failed(parser.parse(":"))) return failure();
  Location at = parser.location();
  Type type;
  if (failed(parser.parseType(type))) return failure();
  auto memref = type.dynCast<MemRefType>();
  if (!memref || !memref.hasStaticShape())
    return parser.emitError(at) << "type should be static shaped memref, but got " << type;
  state.addAttribute(context, "type", TypeAttr::get(type));
  if (parser.parseOptional("=") && failed(parseInitialValue(parser, state, memref)))
    return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void GlobalSyntax::print(OpPrinter& printer, Operation& op) {
  GlobalOp global(&op);
  if (auto visibility = op.attrOf<StringAttr>("sym_visibility")) {
    printer << ' ';
    printer.printString(visibility.value());
  }
  printer << (global.isConstant() ? " constant " : " ");
  printer.printSymbolName(global.name());
  printer << " : " << global.type();
  if (global.isUninitialized()) printer << " = uninitialized";
  if (Attribute value = op.attr("initial_value"); isElements(value)) {
    printer << " = ";
    printer.printWithoutType(value);
  }
  printer.printOptionalAttrDict(
      op, {"sym_visibility", "constant", "sym_name", "type", "initial_value"});
}

// -- alloca_scope, generic_atomic_rmw -----------------------------------------------------------

LogicalResult AllocaScopeSyntax::parse(OpParser& parser, OperationState& state) {
  if (failed(parser.parseOptionalArrowTypeList(state.resultTypes)) ||
      failed(parser.parseRegion(state.addRegion())))
    return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

void AllocaScopeSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ';  // two blanks after the name, as the field prints it
  if (op.numResults()) {
    printer << " -> (";
    printer.printTypes(op.resultTypes());
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(op.region(), /*entryArguments=*/false, /*terminator=*/op.numResults() != 0);
  printer.printOptionalAttrDict(op);
}

LogicalResult GenericAtomicSyntax::parse(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> memref, indices;
  Type type;
  if (failed(parseAccess(parser, memref, indices))) return failure();
  Location at = parser.location();
  if (failed(parser.parseColonType(type))) return failure();
  auto memrefType = type.dynCast<MemRefType>();
  if (!memrefType) return parser.emitError(at) << "expected a memref type, found " << type;
  if (failed(parser.resolve(memref, type, state.operands)) ||
      failed(parser.resolve(indices, IndexType::get(parser.context()), state.operands)) ||
      failed(parser.parseRegion(state.addRegion())))
    return failure();
  state.resultTypes.push_back(memrefType.elementType());
  return parser.parseOptionalAttrDict(state.attributes);
}

void GenericAtomicSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << '[' << op.operandGroup(1u) << "] : " << op.operand(0).type()
          << ' ';
  printer.printRegion(op.region());
  printer.printOptionalAttrDict(op);
}

// -- prefetch -----------------------------------------------------------------------------------

/// One of two keywords; `value` is true for the first.
static LogicalResult parseChoice(OpParser& parser, std::string_view what, std::string_view yes,
                                 std::string_view no, bool& value) {
  Location at = parser.location();
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  value = word == yes;
  if (value || word == no) return success();
  return parser.emitError(at) << what << " has to be '" << yes << "' or '" << no << "'";
}

LogicalResult PrefetchSyntax::parse(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> memref, indices;
  bool isRead = true, isData = true;
  int64_t locality = 0;
  Type type;
  if (failed(parseAccess(parser, memref, indices)) || failed(parser.parse(",")) ||
      failed(parseChoice(parser, "rw specifier", "read", "write", isRead)) ||
      failed(parser.parse(",")) || failed(parser.parseKeyword("locality")) ||
      failed(parser.parse("<")) || failed(parser.parseInteger(locality)) ||
      failed(parser.parse(">")) || failed(parser.parse(",")) ||
      failed(parseChoice(parser, "cache type", "data", "instr", isData)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(type)) || failed(parser.resolve(memref, type, state.operands)))
    return failure();
  Context& context = parser.context();
  state.addAttribute(context, "isWrite", IntegerAttr::getBool(context, !isRead));
  state.addAttribute(context, "isDataCache", IntegerAttr::getBool(context, isData));
  state.addAttribute(context, "localityHint",
                     IntegerAttr::get(IntegerType::get(context, 32), locality));
  return parser.resolve(indices, IndexType::get(context), state.operands);
}

void PrefetchSyntax::print(OpPrinter& printer, Operation& op) {
  auto flag = [&](std::string_view name) { return op.attrOf<IntegerAttr>(name).value() != 0; };
  printer << ' ' << op.operand(0) << '[' << op.operandGroup(1u) << "], "
          << (flag("isWrite") ? "write" : "read") << ", locality<"
          << op.attrOf<IntegerAttr>("localityHint").value() << ">, "
          << (flag("isDataCache") ? "data" : "instr");
  printer.printOptionalAttrDict(op, {"isWrite", "isDataCache", "localityHint"});
  printer << " : " << op.operand(0).type();
}

// -- dma_start, dma_wait ------------------------------------------------------------------------

namespace {

/// What dma_start is written with, before any type is known.
struct DmaOperands {
  std::vector<UnresolvedOperand> memrefs, count, strides;
  std::vector<UnresolvedOperand> indices[3];

  LogicalResult parse(OpParser& parser) {
    if (failed(parseAccess(parser, memrefs, indices[0])) || failed(parser.parse(",")) ||
        failed(parseAccess(parser, memrefs, indices[1])) || failed(parser.parse(",")) ||
        failed(parser.parseOperand(count.emplace_back())) || failed(parser.parse(",")) ||
        failed(parseAccess(parser, memrefs, indices[2])))
      return failure();
    while (parser.parseOptional(","))
      if (failed(parser.parseOperand(strides.emplace_back()))) return failure();
    if (strides.empty() || strides.size() == 2) return success();
    return parser.emitError() << "expected two stride related operands";
  }

  LogicalResult resolve(OpParser& parser, std::span<const Type> types, std::vector<Value>& values) {
    Type index = IndexType::get(parser.context());
    auto access = [&](unsigned i) {
      return failed(parser.resolve(memrefs[i], types[i], values)) ||
             failed(parser.resolve(indices[i], index, values));
    };
    return failure(access(0) || access(1) || failed(parser.resolve(count, index, values)) ||
                   access(2) || failed(parser.resolve(strides, index, values)));
  }
};

}  // namespace

LogicalResult DmaStartSyntax::parse(OpParser& parser, OperationState& state) {
  DmaOperands operands;
  if (failed(operands.parse(parser)) || failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  Location at = parser.location();
  std::vector<Type> types;
  if (failed(parser.parseColonTypeList(types))) return failure();
  if (types.size() != 3) return parser.emitError(at) << "fewer/more types expected";
  return operands.resolve(parser, types, state.operands);
}

static void printAccess(OpPrinter& printer, Operation& op, unsigned at, unsigned rank) {
  std::vector<Value> indices;
  for (unsigned i = 0; i < rank; ++i)
    indices.push_back(op.operand(at + 1 + i));
  printer << op.operand(at) << '[';
  printer.printOperands(indices);
  printer << ']';
}

void DmaStartSyntax::print(OpPrinter& printer, Operation& op) {
  DmaStartOp dma(&op);
  printer << ' ';
  printAccess(printer, op, 0, dma.sourceRank());
  printer << ", ";
  printAccess(printer, op, dma.targetAt(), dma.targetRank());
  printer << ", " << dma.numElements() << ", ";
  printAccess(printer, op, dma.countAt() + 1, dma.tagRank());
  if (dma.isStrided())
    printer << ", " << op.operand(dma.strideAt()) << ", " << op.operand(dma.strideAt() + 1);
  printer.printOptionalAttrDict(op);
  printer << " : " << dma.source().type() << ", " << dma.target().type() << ", "
          << dma.tag().type();
}

LogicalResult DmaWaitSyntax::parse(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> tag, indices;
  UnresolvedOperand count;
  Type type;
  Type index = IndexType::get(parser.context());
  if (failed(parseAccess(parser, tag, indices)) || failed(parser.parse(",")) ||
      failed(parser.parseOperand(count)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(type)) || failed(parser.resolve(tag, type, state.operands)) ||
      failed(parser.resolve(indices, index, state.operands)))
    return failure();
  return parser.resolve(count, index, state.operands);
}

void DmaWaitSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ';
  printAccess(printer, op, 0, op.numOperands() - 2);
  printer << ", " << op.operand(op.numOperands() - 1);
  printer.printOptionalAttrDict(op);
  printer << " : " << op.operand(0).type();
}

// -- assume_alignment ---------------------------------------------------------------------------

/// Both generations are read: with a result (the memref again) and without.
LogicalResult AssumeAlignmentSyntax::parse(OpParser& parser, OperationState& state) {
  UnresolvedOperand memref;
  int64_t alignment = 0;
  Type type;
  if (failed(parser.parseOperand(memref)) || failed(parser.parse(",")) ||
      failed(parser.parseInteger(alignment)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parseColonType(type)))
    return failure();
  state.addAttribute(parser.context(), "alignment",
                     IntegerAttr::get(IntegerType::get(parser.context(), 32), alignment));
  if (parser.numWrittenResults()) state.resultTypes.push_back(type);
  return parser.resolve(memref, type, state.operands);
}

void AssumeAlignmentSyntax::print(OpPrinter& printer, Operation& op) {
  printer << ' ' << op.operand(0) << ", " << op.attrOf<IntegerAttr>("alignment").value();
  printer.printOptionalAttrDict(op, {"alignment"});
  printer << " : " << op.operand(0).type();
}

}  // namespace airlite::memref
