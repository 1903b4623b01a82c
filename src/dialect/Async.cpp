// The async dialect as programs use it that were made to run on a host: regions that run on their
// own, and what waits for them.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite {

namespace {

bool isToken(Type type) { return isDialectType(type, "async.token"); }
bool isValue(Type type) { return isDialectType(type, "async.value"); }
Type tokenType(Context& context) { return DialectType::get(context, "async.token"); }
Type groupType(Context& context) { return DialectType::get(context, "async.group"); }
Type valueOf(Type type) {
  return type.cast<DialectType>().parameters()[0].cast<TypeAttr>().value();
}

const TypeConstraint kAsyncToken{"async token type", isToken, tokenType};
const TypeConstraint kValue{"async value type", isValue};
const TypeConstraint kGroup{"async group type",
                            [](Type t) { return isDialectType(t, "async.group"); }, groupType};
const TypeConstraint kAwaitable{"async value type or async token type",
                                [](Type t) { return isToken(t) || isValue(t); }};

LogicalResult parseValueType(AttrParser& parser, std::vector<Attribute>& parameters) {
  Type inside;
  if (failed(parser.parse("<")) || failed(parser.parseType(inside)) || failed(parser.parse(">")))
    return failure();
  parameters.push_back(TypeAttr::get(inside));
  return success();
}
void printValueType(AttrPrinter& printer, DialectType type) {
  printer << "<" << valueOf(type) << ">";
}

// -- execute --------------------------------------------------------------------------------------

/// `(%v as %x: !async.value<f32>, ...)`.
LogicalResult parseBodyOperands(OpParser& parser, std::vector<UnresolvedOperand>& operands,
                                std::vector<Type>& types, std::vector<ParsedArgument>& arguments) {
  return parser.parseList(Delimiter::OptionalParen, [&]() -> LogicalResult {
    if (failed(parser.parseOperand(operands.emplace_back())) || failed(parser.parseKeyword("as")) ||
        failed(parser.parseArgument(arguments.emplace_back(), false)))
      return failure();
    Location where = parser.location();
    if (failed(parser.parseColonType(types.emplace_back()))) return failure();
    if (!isValue(types.back()))
      return parser.emitError(where) << "expected an !async.value, found " << types.back();
    arguments.back().type = valueOf(types.back());
    return success();
  });
}

LogicalResult parseAsyncExecute(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  std::vector<UnresolvedOperand> tokens, values;
  std::vector<Type> types;
  std::vector<ParsedArgument> arguments;
  if (failed(parser.parseOperandList(tokens, Delimiter::OptionalSquare)) ||
      failed(parser.resolve(tokens, tokenType(context), state.operands)))
    return failure();
  Location where = parser.location();
  if (failed(parseBodyOperands(parser, values, types, arguments)) ||
      failed(parser.resolve(values, types, where, state.operands)))
    return failure();
  state.resultTypes.push_back(tokenType(context));
  if (failed(parser.parseOptionalArrowTypeList(state.resultTypes)) ||
      failed(parser.parseOptionalAttrDictWithKeyword(state.attributes)))
    return failure();
  int32_t sizes[] = {static_cast<int32_t>(tokens.size()), static_cast<int32_t>(values.size())};
  state.setOperandSegments(context, sizes);
  return parser.parseRegion(state.addRegion(), arguments);
}

void printBodyOperands(OpPrinter& printer, Operation& op) {
  OperandRange values = op.operandGroup(1);
  if (values.empty()) return;
  printer << " (";
  for (unsigned i = 0; i < values.size(); ++i) {
    printer << (i ? ", " : "") << values[i];
    printer << " as ";
    printer << op.region().front().argument(i);
    printer << ": " << values[i].type();
  }
  printer << ")";
}

void printAsyncExecute(OpPrinter& printer, Operation& op) {
  if (OperandRange tokens = op.operandGroup(0); !tokens.empty()) {
    printer << " [";
    printer << tokens;
    printer << "]";
  }
  printBodyOperands(printer, op);
  std::vector<Type> results = op.resultTypes();
  printer.printOptionalArrowTypes(std::span<const Type>(results).subspan(1));
  constexpr std::string_view kElided[] = {"operandSegmentSizes"};
  printer.printOptionalAttrDictWithKeyword(op, kElided);
  printer << " ";
  printer.printRegion(op.region(), false);
}

void nameExecuteResults(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), "token");
  if (op.numResults() > 1) suggest(op.result(1), "bodyResults");
}

LogicalResult verifyArguments(Operation& op) {
  OperandRange values = op.operandGroup(1);
  Block& body = op.region().front();
  if (body.numArguments() != values.size())
    return op.emitOpError() << "expects " << values.size() << " body arguments, found "
                            << body.numArguments();
  for (unsigned i = 0; i < values.size(); ++i)
    if (body.argument(i).type() != valueOf(values[i].type()))
      return op.emitOpError() << "async body region argument types do not match the execute "
                                 "operation arguments types";
  return success();
}

LogicalResult verifyExecute(Operation& op) {
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  if (failed(verifyArguments(op))) return failure();
  Operation* yield = op.region().front().terminator();
  if (!yield || !yield->is("async.yield"))
    return op.emitOpError() << "expects its body to end with async.yield";
  if (yield->numOperands() != op.numResults() - 1)
    return yield->emitOpError() << "gives " << yield->numOperands()
                                << " values, but its async.execute has " << op.numResults() - 1;
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    if (yield->operand(i).type() != valueOf(op.result(i + 1).type()))
      return yield->emitOpError() << "operand #" << i << " has type " << yield->operand(i).type()
                                  << ", but the result of async.execute is "
                                  << op.result(i + 1).type();
  return success();
}

// -- await ----------------------------------------------------------------------------------------

LogicalResult parseAwait(OpParser& parser, OperationState& state) {
  UnresolvedOperand operand;
  Type type;
  if (failed(parser.parseOperand(operand)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parseColonType(type)))
    return failure();
  if (isValue(type)) state.resultTypes.push_back(valueOf(type));
  return parser.resolve(operand, type, state.operands);
}

void printAwait(OpPrinter& printer, Operation& op) {
  printer << " " << op.operand(0);
  printer.printOptionalAttrDict(op);
  printer << " : " << op.operand(0).type();
}

LogicalResult verifyAwait(Operation& op) {
  Type awaited = op.operand(0).type();
  if (isToken(awaited)) {
    if (op.numResults() == 0) return success();
    return op.emitOpError() << "awaiting on a token must have empty result";
  }
  if (op.numResults() == 0)
    return op.emitOpError() << "awaiting on a value must give a result of type "
                            << valueOf(awaited);
  if (op.result().type() == valueOf(awaited)) return success();
  return op.emitOpError() << "result type " << op.result().type()
                          << " does not match async value type " << valueOf(awaited);
}

}  // namespace

void registerAsync(Context& context) {
  Dialect d(context, "async", "Regions that run on their own on a host, and waiting for them.");
  d.type({"async.token", "Becomes ready when an operation is done."});
  d.type({"async.group", "Several tokens or values to wait for together."});
  d.type({"async.value", "A value that becomes ready later.", parseValueType, printValueType});
  d.op("execute")
      .doc("Runs its body on its own once the tokens are ready; values are unwrapped for it.")
      .variadicOperand("dependencies", kAsyncToken)
      .variadicOperand("bodyOperands", kValue)
      .result("token", kAsyncToken)
      .variadicResult("bodyResults", kValue)
      .region("bodyRegion")
      .traits(Trait::AttrSizedOperandSegments | Trait::SingleBlock)
      .syntax(parseAsyncExecute, printAsyncExecute)
      .nameResults(nameExecuteResults)
      .example("%t, %r = async.execute [%d] -> !async.value<f32> {\n  async.yield %x : f32\n}")
      .verify(verifyExecute);
  d.op("yield")
      .doc("Ends the body of an async.execute and gives its values.")
      .variadicOperand("operands", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .parent({"async.execute"})
      .effects({})
      .format("($operands^ `:` type($operands))? attr-dict")
      .example("%t, %v = async.execute -> !async.value<f32> {\n  %0 = arith.constant 1.0 : f32\n"
               "  async.yield %0 : f32\n}");
  d.op("await")
      .doc("Blocks until the operand is ready; gives the value inside.")
      .operand("operand", kAwaitable)
      .optionalResult("result", types::any)
      .effects({{Effect::Sync, ""}})
      .syntax(parseAwait, printAwait)
      .example("%v = async.await %r : !async.value<f32>")
      .verify(verifyAwait);
  d.op("create_group")
      .doc("A group of a known number of members.")
      .operand("size", types::index)
      .result("result", kGroup)
      .effects({{Effect::Allocate, "result"}})
      .format("$size `:` type($result) attr-dict")
      .example("%g = async.create_group %n : !async.group");
  d.op("add_to_group")
      .doc("Adds a token or value to a group; gives its number there.")
      .operand("operand", kAwaitable)
      .operand("group", kGroup)
      .result("rank", types::index)
      .effects({{Effect::Write, "group"}})
      .format("$operand `,` $group `:` type($operand) attr-dict")
      .example("%i = async.add_to_group %t, %g : !async.token");
  d.op("await_all")
      .doc("Blocks until all members of a group are ready.")
      .operand("operand", kGroup)
      .effects({{Effect::Sync, ""}})
      .format("$operand attr-dict")
      .example("async.await_all %g");
}

}  // namespace airlite
