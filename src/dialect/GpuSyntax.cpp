// Custom syntax of the gpu ops.
#include "GpuInternal.hpp"
#include "airlite/text/Format.hpp"

namespace airlite::gpu {

namespace {

LogicalResult parseEnumAttr(OpParser& parser, OperationState& state, std::string_view attribute) {
  const AttrConstraint& constraint = *state.def->findAttr(attribute)->constraint;
  Location at = parser.location();
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  Attribute value = constraint.fromKeyword(parser.context(), word);
  if (!value)
    return parser.emitError(at) << "expected " << constraint.summary << ", found '" << word << "'";
  state.addAttribute(parser.context(), attribute, value);
  return success();
}

// -- async [dependencies] -----------------------------------------------------------------------

LogicalResult parseAsync(OpParser& parser, bool& isAsync, std::vector<UnresolvedOperand>& tokens) {
  Location at = parser.location();
  isAsync = parser.parseOptionalKeyword("async");
  if (isAsync && parser.numWrittenResults() == 0)
    return parser.emitError(at) << "needs to be named when marked 'async'";
  return parser.parseOperandList(tokens, Delimiter::OptionalSquare);
}

void printAsync(OpPrinter& printer, bool isAsync, OperandRange tokens) {
  if (isAsync) printer << "async";
  if (tokens.empty()) return;
  if (isAsync) printer << ' ';
  printer << '[' << tokens << ']';
}

LogicalResult parseAsyncDirective(OpParser& parser, FormatValues& values,
                                  std::span<const std::string_view> names) {
  bool isAsync = false;
  if (failed(parseAsync(parser, isAsync, values.operands(names[1])))) return failure();
  std::vector<Type>& types = values.types(names[0]);
  if (isAsync) types.push_back(asyncTokenType(parser.context()));
  return success();
}

void printAsyncDirective(OpPrinter& printer, Operation& op,
                         std::span<const std::string_view> names) {
  auto group = static_cast<unsigned>(op.def().resultIndex(names[0]));
  printAsync(printer, op.resultGroupBounds(group).second != 0, op.operandGroup(names[1]));
}

LogicalResult parseHostShared(OpParser& parser, FormatValues& values,
                              std::span<const std::string_view> names) {
  if (parser.parseOptionalKeyword("host_shared"))
    values.attributes().set(Identifier::get(parser.context(), names[0]),
                            UnitAttr::get(parser.context()));
  return success();
}

void printHostShared(OpPrinter& printer, Operation& op, std::span<const std::string_view> names) {
  if (op.hasAttr(names[0])) printer << "host_shared ";
}

}  // namespace

void registerGpuDirectives() {
  registerCustomDirective({"GpuAsync", parseAsyncDirective, printAsyncDirective});
  registerCustomDirective({"GpuHostShared", parseHostShared, printHostShared});
}

// -- Ids, shuffle, printf -----------------------------------------------------------------------

LogicalResult parseIndexOp(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  if (failed(parseEnumAttr(parser, state, "dimension"))) return failure();
  if (parser.parseOptionalKeyword("upper_bound")) {
    Attribute bound;
    if (failed(parser.parseAttribute(bound, IndexType::get(context)))) return failure();
    state.addAttribute(context, "upper_bound", bound);
  }
  state.resultTypes.push_back(IndexType::get(context));
  return parser.parseOptionalAttrDict(state.attributes);
}

void printIndexOp(OpPrinter& printer, Operation& op) {
  printer << "  " << op.attrOf<DialectAttr>("dimension").keyword();
  if (Attribute bound = op.attr("upper_bound")) {
    printer << " upper_bound ";
    printer.printWithoutType(bound);
  }
  printer.printOptionalAttrDict(op, {"dimension", "upper_bound"});
}

LogicalResult parseShuffle(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> operands;
  Type type;
  if (failed(parseEnumAttr(parser, state, "mode"))) return failure();
  Location at = parser.location();
  if (failed(parser.parseOperandList(operands)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parseColonType(type)))
    return failure();
  Type i32 = IntegerType::get(parser.context(), 32);
  Type types[] = {type, i32, i32};
  state.resultTypes = {type, IntegerType::get(parser.context(), 1)};
  return parser.resolve(operands, types, at, state.operands);
}

void printShuffle(OpPrinter& printer, Operation& op) {
  printer << "  " << ShuffleOp(&op).mode() << ' ' << op.operands();
  printer.printOptionalAttrDict(op, {"mode"});
  printer << " : " << op.operand(0).type();
}

/// The comma before the arguments came later: both spellings are read.
LogicalResult parsePrintf(OpParser& parser, OperationState& state) {
  std::string format;
  if (failed(parser.parseString(format)) || failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  state.addAttribute(parser.context(), "format", StringAttr::get(parser.context(), format));
  bool comma = parser.parseOptional(",");
  if (!comma && !parser.nextIsOperand()) return success();
  std::vector<UnresolvedOperand> operands;
  std::vector<Type> types;
  Location at = parser.location();
  if (failed(parser.parseOperandList(operands)) || failed(parser.parseColonTypeList(types)))
    return failure();
  return parser.resolve(operands, types, at, state.operands);
}

void printPrintf(OpPrinter& printer, Operation& op) {
  printer << ' ';
  printer.printString(op.attrOf<StringAttr>("format").value());
  printer.printOptionalAttrDict(op, {"format"});
  if (!op.numOperands()) return;
  printer << ' ' << op.operands() << " : ";
  printer.printTypes(op.operandTypes());
}

// -- module -------------------------------------------------------------------------------------

LogicalResult parseModule(OpParser& parser, OperationState& state) {
  std::string name;
  if (failed(parser.parseSymbolName(name))) return failure();
  state.addAttribute(parser.context(), "sym_name", StringAttr::get(parser.context(), name));
  if (parser.nextIs("[")) {
    Attribute targets;
    if (failed(parser.parseAttribute(targets))) return failure();
    state.addAttribute(parser.context(), "targets", targets);
  }
  if (failed(parser.parseOptionalAttrDictWithKeyword(state.attributes))) return failure();
  Region& body = state.addRegion();
  if (failed(parser.parseRegion(body))) return failure();
  if (body.empty()) body.addBlock(parser.context());
  return success();
}

void printModule(OpPrinter& printer, Operation& op) {
  printer << ' ';
  printer.printSymbolName(ModuleOp(&op).name());
  if (Attribute targets = op.attr("targets")) printer << ' ' << targets;
  printer.printOptionalAttrDictWithKeyword(
      op, std::initializer_list<std::string_view>{"sym_name", "targets"});
  printer << ' ';
  printer.printRegion(op.region(), /*entryArguments=*/false, /*terminator=*/false);
}

// -- func ---------------------------------------------------------------------------------------

namespace {

/// `keyword(%x : memref<...>, ...)`: buffers that a kernel brings along.
LogicalResult parseAttributions(OpParser& parser, std::string_view keyword,
                                std::vector<ParsedArgument>& arguments, size_t& count) {
  count = 0;
  if (!parser.parseOptionalKeyword(keyword)) return success();
  size_t before = arguments.size();
  std::vector<ParsedArgument> list;
  if (failed(parser.parseArgumentList(list, Delimiter::Paren, /*withTypes=*/true)))
    return failure();
  arguments.insert(arguments.end(), list.begin(), list.end());
  count = arguments.size() - before;
  return success();
}

void printAttributions(OpPrinter& printer, std::string_view keyword,
                       std::span<const Value> buffers) {
  if (buffers.empty()) return;
  printer << ' ' << keyword << '(';
  printer.printList(buffers, [&](Value buffer) { printer << buffer << " : " << buffer.type(); });
  printer << ')';
}

/// An array of dictionaries, or nothing when all are empty.
void setDictionaries(OperationState& state, Context& context, std::string_view name,
                     std::span<const NamedAttrList> lists) {
  std::vector<Attribute> dictionaries;
  bool any = false;
  for (const NamedAttrList& list : lists) {
    dictionaries.push_back(list.dictionary(context));
    any |= !list.empty();
  }
  if (any) state.addAttribute(context, name, ArrayAttr::get(context, dictionaries));
}

/// `-> type` or `-> (type {attributes}, ...)`.
LogicalResult parseFunctionResults(OpParser& parser, std::vector<Type>& types,
                                   std::vector<NamedAttrList>& attributes) {
  if (!parser.parseOptional("->")) return success();
  if (!parser.nextIs("(")) {
    attributes.emplace_back();
    return parser.parseType(types.emplace_back());
  }
  return parser.parseList(Delimiter::Paren, [&] {
    return failure(failed(parser.parseType(types.emplace_back())) ||
                   failed(parser.parseOptionalAttrDict(attributes.emplace_back())));
  });
}

DictionaryAttr dictionaryAt(ArrayAttr dictionaries, size_t i) {
  bool has = dictionaries && i < dictionaries.size();
  return has ? dictionaries[i].dynCast<DictionaryAttr>() : DictionaryAttr();
}

void printFunctionResults(OpPrinter& printer, FunctionType type, ArrayAttr attributes) {
  std::span<const Type> results = type.results();
  if (results.empty()) return;
  bool parens = results.size() != 1 || attributes || results[0].isa<FunctionType>();
  printer << (parens ? " -> (" : " -> ");
  size_t i = 0;
  printer.printList(results, [&](Type result) {
    printer << result;
    printer.printDictionary(dictionaryAt(attributes, i++));
  });
  if (parens) printer << ')';
}

}  // namespace

LogicalResult parseFunc(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  std::string name;
  std::vector<ParsedArgument> arguments;
  if (failed(parser.parseSymbolName(name)) ||
      failed(parser.parseArgumentList(arguments, Delimiter::Paren, true, true)))
    return failure();
  state.addAttribute(context, "sym_name", StringAttr::get(context, name));
  std::vector<Type> inputs, results;
  std::vector<NamedAttrList> inputAttributes, resultAttributes;
  for (const ParsedArgument& argument : arguments) {
    inputs.push_back(argument.type);
    inputAttributes.push_back(argument.attributes);
  }
  if (failed(parseFunctionResults(parser, results, resultAttributes))) return failure();
  size_t workgroup = 0, privates = 0;
  if (failed(parseAttributions(parser, "workgroup", arguments, workgroup)) ||
      failed(parseAttributions(parser, "private", arguments, privates)))
    return failure();
  if (parser.parseOptionalKeyword("kernel"))
    state.addAttribute(context, kKernelAttr, UnitAttr::get(context));
  state.addAttribute(context, "function_type",
                     TypeAttr::get(FunctionType::get(context, inputs, results)));
  setDictionaries(state, context, "arg_attrs", inputAttributes);
  setDictionaries(state, context, "res_attrs", resultAttributes);
  state.addAttribute(
      context, "workgroup_attributions",
      IntegerAttr::get(IntegerType::get(context, 64), static_cast<int64_t>(workgroup)));
  if (failed(parser.parseOptionalAttrDictWithKeyword(state.attributes))) return failure();
  return parser.parseRegion(state.addRegion(), arguments);
}

void printFunc(OpPrinter& printer, Operation& op) {
  FuncOp func(&op);
  printer << ' ';
  printer.printSymbolName(func.name());
  printer << '(';
  auto inputAttributes = op.attrOf<ArrayAttr>("arg_attrs");
  for (unsigned i = 0; i < func.type().inputs().size(); ++i) {
    if (i) printer << ", ";
    printer.printArgument(func.body().argument(i), dictionaryAt(inputAttributes, i));
  }
  printer << ')';
  printFunctionResults(printer, func.type(), op.attrOf<ArrayAttr>("res_attrs"));
  printAttributions(printer, "workgroup", func.workgroupBuffers());
  printAttributions(printer, "private", func.privateBuffers());
  if (func.isKernel()) printer << " kernel";
  printer.printOptionalAttrDictWithKeyword(
      op,
      std::initializer_list<std::string_view>{"sym_name", "function_type", "arg_attrs", "res_attrs",
                                              "workgroup_attributions", kKernelAttr});
  printer << ' ';
  printer.printRegion(op.region(), /*entryArguments=*/false);
}

// -- launch -------------------------------------------------------------------------------------

namespace {

/// `blocks(%x, %y, %z) in (%sx = %a, %sy = %b, %sz = %c)`.
struct SizeAssignment {
  std::vector<ParsedArgument> ids, sizes;
  std::vector<UnresolvedOperand> values;

  LogicalResult parse(OpParser& parser, std::string_view keyword) {
    if (failed(parser.parseKeyword(keyword))) return failure();
    Location at = parser.location();
    if (failed(parser.parseArgumentList(ids, Delimiter::Paren, /*withTypes=*/false)) ||
        failed(parser.parseKeyword("in")) ||
        failed(parser.parseAssignments(sizes, values, Delimiter::Paren)))
      return failure();
    if (ids.size() == 3 && sizes.size() == 3) return success();
    return parser.emitError(at) << "expected three ids and three sizes, found " << ids.size()
                                << " and " << sizes.size();
  }
};

void appendIndexArguments(std::vector<ParsedArgument>& all, std::span<const ParsedArgument> list,
                          Type index) {
  for (ParsedArgument argument : list) {
    argument.type = index;
    all.push_back(argument);
  }
}

LogicalResult rejectClusters(OpParser& parser) {
  if (!parser.nextIsKeyword("clusters")) return success();
  return parser.emitError() << "not supported: clusters of blocks";
}

/// `dynamic_shared_memory_size %x`, absent: nothing.
LogicalResult parseSharedMemory(OpParser& parser, OperationState& state, int32_t& count) {
  count = parser.parseOptionalKeyword("dynamic_shared_memory_size");
  if (!count) return success();
  UnresolvedOperand size;
  if (failed(parser.parseOperand(size))) return failure();
  return parser.resolve(size, IntegerType::get(parser.context(), 32), state.operands);
}

void printSharedMemory(OpPrinter& printer, Operation& op) {
  OperandRange size = op.operandGroup("dynamicSharedMemorySize");
  if (!size.empty()) printer << " dynamic_shared_memory_size " << size[0];
}

/// Dependencies first, then what `parse` has read of grid and block.
LogicalResult resolveTokens(OpParser& parser, OperationState& state, bool isAsync,
                            std::span<const UnresolvedOperand> tokens) {
  if (isAsync) state.resultTypes.push_back(asyncTokenType(parser.context()));
  return parser.resolve(tokens, asyncTokenType(parser.context()), state.operands);
}

}  // namespace

LogicalResult parseLaunch(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  Type index = IndexType::get(context);
  bool isAsync = false;
  std::vector<UnresolvedOperand> tokens;
  SizeAssignment grid, block;
  if (failed(parseAsync(parser, isAsync, tokens)) || failed(rejectClusters(parser)) ||
      failed(grid.parse(parser, "blocks")) || failed(block.parse(parser, "threads")) ||
      failed(resolveTokens(parser, state, isAsync, tokens)) ||
      failed(parser.resolve(grid.values, index, state.operands)) ||
      failed(parser.resolve(block.values, index, state.operands)))
    return failure();
  int32_t shared = 0;
  if (failed(parseSharedMemory(parser, state, shared))) return failure();
  std::vector<ParsedArgument> arguments;
  for (const auto* list : {&grid.ids, &block.ids, &grid.sizes, &block.sizes})
    appendIndexArguments(arguments, *list, index);
  size_t workgroup = 0, privates = 0;
  if (failed(parseAttributions(parser, "workgroup", arguments, workgroup)) ||
      failed(parseAttributions(parser, "private", arguments, privates)) ||
      failed(parser.parseRegion(state.addRegion(), arguments)))
    return failure();
  int32_t segments[] = {static_cast<int32_t>(tokens.size()), 1, 1, 1, 1, 1, 1, 0, 0, 0, shared};
  state.setOperandSegments(context, segments);
  state.addAttribute(
      context, "workgroup_attributions",
      IntegerAttr::get(IntegerType::get(context, 64), static_cast<int64_t>(workgroup)));
  return parser.parseOptionalAttrDict(state.attributes);
}

static void printSizes(OpPrinter& printer, LaunchOp launch, std::string_view keyword,
                       unsigned firstId, unsigned firstSize, unsigned firstOperand) {
  Block& body = launch.body();
  auto argument = [&](unsigned i) { printer << body.argument(i); };
  printer << ' ' << keyword << '(';
  for (unsigned i = 0; i < 3; ++i) {
    if (i) printer << ", ";
    argument(firstId + i);
  }
  printer << ") in (";
  for (unsigned i = 0; i < 3; ++i) {
    if (i) printer << ", ";
    argument(firstSize + i);
    printer << " = " << launch->operandGroup(firstOperand + i)[0];
  }
  printer << ')';
}

void printLaunch(OpPrinter& printer, Operation& op) {
  LaunchOp launch(&op);
  if (op.numResults() || !launch.asyncDependencies().empty()) {
    printer << ' ';
    printAsync(printer, op.numResults() != 0, launch.asyncDependencies());
  }
  printSizes(printer, launch, "blocks", 0, 6, 1);
  printSizes(printer, launch, "threads", 3, 9, 4);
  printSharedMemory(printer, op);
  std::vector<Value> buffers = launch.body().arguments();
  std::span<const Value> extra = std::span(buffers).subspan(LaunchOp::kNumIdArguments);
  printAttributions(printer, "workgroup", extra.first(launch.numWorkgroupBuffers()));
  printAttributions(printer, "private", extra.subspan(launch.numWorkgroupBuffers()));
  printer << ' ';
  printer.printRegion(op.region(), /*entryArguments=*/false);
  printer.printOptionalAttrDict(op, {"operandSegmentSizes", "workgroup_attributions"});
}

// -- launch_func --------------------------------------------------------------------------------

namespace {

/// `blocks in (%x, %y, %z)`.
LogicalResult parseSizeList(OpParser& parser, std::string_view keyword,
                            std::vector<UnresolvedOperand>& sizes) {
  if (failed(parser.parseKeyword(keyword)) || failed(parser.parseKeyword("in"))) return failure();
  Location at = parser.location();
  if (failed(parser.parseOperandList(sizes, Delimiter::Paren))) return failure();
  if (sizes.size() == 3) return success();
  return parser.emitError(at) << "expected three sizes, found " << sizes.size();
}

/// `args(%x : type, ...)`, absent: nothing.
LogicalResult parseKernelArguments(OpParser& parser, OperationState& state, int32_t& count) {
  if (!parser.parseOptionalKeyword("args")) return success();
  return parser.parseList(Delimiter::Paren, [&] {
    UnresolvedOperand operand;
    Type type;
    ++count;
    return failure(failed(parser.parseOperand(operand)) || failed(parser.parseColonType(type)) ||
                   failed(parser.resolve(operand, type, state.operands)));
  });
}

}  // namespace

LogicalResult parseLaunchFunc(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  bool isAsync = false;
  std::vector<UnresolvedOperand> tokens, sizes, blockSizes;
  Attribute kernel;
  if (failed(parseAsync(parser, isAsync, tokens))) return failure();
  Location at = parser.location();
  if (failed(parser.parseAttribute(kernel))) return failure();
  if (!kernel.isa<SymbolRefAttr>())
    return parser.emitError(at) << "expected the symbol of a kernel, found " << kernel;
  state.addAttribute(context, "kernel", kernel);
  if (failed(rejectClusters(parser)) || failed(parseSizeList(parser, "blocks", sizes)) ||
      failed(parseSizeList(parser, "threads", blockSizes)))
    return failure();
  sizes.insert(sizes.end(), blockSizes.begin(), blockSizes.end());
  Type sizeType = IndexType::get(context);
  if (parser.parseOptional(":") && failed(parser.parseType(sizeType))) return failure();
  int32_t shared = 0, arguments = 0;
  if (failed(resolveTokens(parser, state, isAsync, tokens)) ||
      failed(parser.resolve(sizes, sizeType, state.operands)) ||
      failed(parseSharedMemory(parser, state, shared)) ||
      failed(parseKernelArguments(parser, state, arguments)))
    return failure();
  int32_t segments[] = {
      static_cast<int32_t>(tokens.size()), 1, 1, 1, 1, 1, 1, 0, 0, 0, shared, arguments, 0};
  state.setOperandSegments(context, segments);
  return parser.parseOptionalAttrDict(state.attributes);
}

void printLaunchFunc(OpPrinter& printer, Operation& op) {
  LaunchFuncOp launch(&op);
  printer << ' ';
  printAsync(printer, op.numResults() != 0, launch.asyncDependencies());
  printer << ' ' << launch.kernel();
  for (unsigned first : {1u, 4u}) {
    printer << (first == 1 ? " blocks in (" : " threads in (");
    for (unsigned i = 0; i < 3; ++i)
      printer << (i ? ", " : "") << op.operandGroup(first + i)[0];
    printer << ')';
  }
  Type sizeType = op.operandGroup(1u)[0].type();
  printer << ' ';
  if (!sizeType.isIndex()) printer << ": " << sizeType;
  printSharedMemory(printer, op);
  if (!launch.kernelOperands().empty()) {
    printer << " args(";
    printer.printList(launch.kernelOperands(),
                      [&](Value value) { printer << value << " : " << value.type(); });
    printer << ')';
  }
  printer.printOptionalAttrDict(op, {"operandSegmentSizes", "kernel"});
}

}  // namespace airlite::gpu
