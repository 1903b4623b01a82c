// The cf dialect: branches, switch and assert.
#include "airlite/dialect/Cf.hpp"

#include "ConstantFolding.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite {

namespace cf {

namespace {

using folding::intSplat;
using folding::isIntSplat;

constexpr std::string_view kCaseValues = "case_values";
constexpr std::string_view kCaseSegments = "case_operand_segments";

const AttrConstraint kIntElements = {"integer elements attribute", [](Attribute a) {
                                       auto dense = a.dynCast<DenseElementsAttr>();
                                       return dense && dense.type().elementType().isIntOrIndex();
                                     }};
bool isFlagType(Type type) { return type.isInteger() && type.bitWidth() <= 64; }
const TypeConstraint kFlag = {"integer of up to 64 bits", isFlagType};

// -- Edges ---------------------------------------------------------------------------------------

/// A target with what is passed to it.
struct Edge {
  Block* dest;
  std::vector<Value> operands;
  bool operator==(const Edge&) const = default;
};

Edge edgeOf(Operation& op, unsigned i) {
  std::optional<OperandRange> operands = successorOperands(op, i);
  return {op.successor(i), operands ? operands->vec() : std::vector<Value>()};
}

LogicalResult verifyEdge(Operation& op, unsigned i) {
  Edge edge = edgeOf(op, i);
  if (edge.operands.size() != edge.dest->numArguments())
    return op.emitError() << "branch has " << edge.operands.size() << " operands for successor #"
                          << i << ", but target block has " << edge.dest->numArguments();
  for (unsigned k = 0; k < edge.operands.size(); ++k)
    if (edge.operands[k].type() != edge.dest->argument(k).type())
      return op.emitError() << "type mismatch for bb argument #" << k << " of successor #" << i;
  return success();
}

LogicalResult verifyEdges(Operation& op) {
  for (unsigned i = 0; i < op.numSuccessors(); ++i)
    if (failed(verifyEdge(op, i))) return failure();
  return success();
}

LogicalResult branchTo(Operation& op, Rewriter& rewriter, const Edge& edge) {
  BranchOp::create(rewriter, op.location(), *edge.dest, edge.operands);
  rewriter.eraseOp(op);
  return success();
}

/// What the only op of the edge's target, a branch, continues to; its arguments replaced by what the
/// edge passes. Empty when there is more in the block, or its arguments are used elsewhere.
std::optional<Edge> passThrough(const Edge& edge) {
  Block& block = *edge.dest;
  if (block.empty() || &block.front() != &block.back()) return std::nullopt;
  BranchOp next = dynCast<BranchOp>(&block.front());
  if (!next || next.dest() == &block) return std::nullopt;
  for (unsigned i = 0; i < block.numArguments(); ++i)
    for (OpOperand& use : block.argument(i).uses())
      if (use.owner() != next.op()) return std::nullopt;
  Edge result{next.dest(), {}};
  for (Value value : next.destOperands()) {
    bool isArgument = value.argumentBlock() == &block;
    result.operands.push_back(isArgument ? edge.operands[value.index()] : value);
  }
  return result;
}

// -- br ------------------------------------------------------------------------------------------

LogicalResult passThroughBranch(Operation& op, Rewriter& rewriter) {
  std::optional<Edge> next = passThrough(edgeOf(op, 0));
  if (!next) return failure();
  return branchTo(op, rewriter, *next);
}

// -- cond_br -------------------------------------------------------------------------------------

LogicalResult constantCondition(Operation& op, Rewriter& rewriter) {
  std::optional<uint64_t> condition = intSplat(constantOf(op.operand(0)));
  if (!condition) return failure();
  return branchTo(op, rewriter, edgeOf(op, *condition ? 0 : 1));
}

LogicalResult replaceEdges(Operation& op, Rewriter& rewriter, const Edge& yes, const Edge& no) {
  CondBranchOp::create(rewriter, op.location(), op.operand(0), *yes.dest, yes.operands, *no.dest,
                       no.operands);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult passThroughCondBranch(Operation& op, Rewriter& rewriter) {
  Edge yes = edgeOf(op, 0), no = edgeOf(op, 1);
  std::optional<Edge> nextYes = passThrough(yes), nextNo = passThrough(no);
  if (!nextYes && !nextNo) return failure();
  return replaceEdges(op, rewriter, nextYes.value_or(yes), nextNo.value_or(no));
}

/// Both ways lead to the same block: a branch that selects what is passed, where it differs.
LogicalResult sameSuccessors(Operation& op, Rewriter& rewriter) {
  Edge yes = edgeOf(op, 0), no = edgeOf(op, 1);
  if (yes.dest != no.dest) return failure();
  bool isOnlyWayIn = yes.dest->predecessorTerminators().size() == 2;
  if (yes != no && !isOnlyWayIn) return failure();
  for (size_t i = 0; i < yes.operands.size(); ++i) {
    Value a = yes.operands[i], b = no.operands[i];
    if (a == b) continue;
    yes.operands[i] =
        rewriter.create(op.location(), "arith.select", {op.operand(0), a, b}, {a.type()})->result();
  }
  return branchTo(op, rewriter, yes);
}

/// The only way into this block is one side of a branch on the same condition.
LogicalResult sameConditionAbove(Operation& op, Rewriter& rewriter) {
  const std::vector<Operation*>& above = op.block()->predecessorTerminators();
  CondBranchOp branch = above.size() == 1 ? dynCast<CondBranchOp>(above[0]) : CondBranchOp();
  if (!branch || branch.op() == &op || branch.condition() != op.operand(0)) return failure();
  return branchTo(op, rewriter, edgeOf(op, branch.trueDest() == op.block() ? 0 : 1));
}

/// Uses of the condition in a target that is entered this way only see what it was.
LogicalResult conditionInTargets(Operation& op, Rewriter& rewriter) {
  Value condition = op.operand(0);
  bool changed = false;
  for (unsigned side : {0u, 1u}) {
    Block* dest = op.successor(side);
    if (dest->predecessorTerminators().size() != 1) continue;
    std::vector<OpOperand*> uses;
    for (OpOperand& use : condition.uses())
      if (use.owner()->block() == dest) uses.push_back(&use);
    if (uses.empty()) continue;
    Value known = rewriter.constant(op.location(), IntegerAttr::getBool(op.context(), side == 0));
    for (OpOperand* use : uses)
      rewriter.modify(*use->owner(), [&] { use->set(known); });
    changed = true;
  }
  return success(changed);
}

// -- switch --------------------------------------------------------------------------------------

/// A switch taken apart.
struct Cases {
  Value flag;
  Edge defaultEdge;
  std::vector<int64_t> values;
  std::vector<Edge> edges;
};

Cases casesOf(Operation& op) {
  SwitchOp view(&op);
  Cases cases{view.flag(), edgeOf(op, 0), {}, {}};
  for (unsigned i = 0; i < view.numCases(); ++i) {
    cases.values.push_back(view.caseValue(i));
    cases.edges.push_back(edgeOf(op, i + 1));
  }
  return cases;
}

Attribute caseValuesAttr(Type flag, const std::vector<int64_t>& values) {
  int64_t shape[] = {static_cast<int64_t>(values.size())};
  std::vector<Attribute> elements;
  for (int64_t value : values)
    elements.push_back(IntegerAttr::get(flag, value));
  return DenseElementsAttr::get(VectorType::get(flag.context(), shape, flag), elements);
}

/// Operands, successors and attributes of a switch.
void fillState(Context& context, OperationState& state, const Cases& cases) {
  std::vector<int32_t> sizes;
  int32_t total = 0;
  state.addOperands(std::span(&cases.flag, 1));
  state.addOperands(std::span<const Value>(cases.defaultEdge.operands));
  state.successors.push_back(cases.defaultEdge.dest);
  for (const Edge& edge : cases.edges) {
    state.addOperands(std::span<const Value>(edge.operands));
    state.successors.push_back(edge.dest);
    sizes.push_back(static_cast<int32_t>(edge.operands.size()));
    total += sizes.back();
  }
  if (!cases.values.empty())
    state.addAttribute(context, kCaseValues, caseValuesAttr(cases.flag.type(), cases.values));
  state.addAttribute(context, kCaseSegments, DenseArrayAttr::getI32(context, sizes));
  state.setOperandSegments(
      context,
      std::vector<int32_t>{1, static_cast<int32_t>(cases.defaultEdge.operands.size()), total});
}

LogicalResult replaceCases(Operation& op, Rewriter& rewriter, const Cases& cases) {
  OperationState state(op.context(), op.location(), "cf.switch");
  fillState(op.context(), state, cases);
  rewriter.create(state);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult onlyDefault(Operation& op, Rewriter& rewriter) {
  if (op.numSuccessors() != 1) return failure();
  return branchTo(op, rewriter, edgeOf(op, 0));
}

LogicalResult dropDefaultCases(Operation& op, Rewriter& rewriter) {
  Cases cases = casesOf(op), kept{cases.flag, cases.defaultEdge, {}, {}};
  for (size_t i = 0; i < cases.edges.size(); ++i) {
    if (cases.edges[i] == cases.defaultEdge) continue;
    kept.edges.push_back(cases.edges[i]);
    kept.values.push_back(cases.values[i]);
  }
  if (kept.edges.size() == cases.edges.size()) return failure();
  return replaceCases(op, rewriter, kept);
}

LogicalResult constantFlag(Operation& op, Rewriter& rewriter) {
  auto flag = constantOf(op.operand(0)).dynCast<IntegerAttr>();
  if (!flag) return failure();
  Cases cases = casesOf(op);
  for (size_t i = 0; i < cases.values.size(); ++i)
    if (IntegerAttr::get(flag.type(), cases.values[i]) == flag)
      return branchTo(op, rewriter, cases.edges[i]);
  return branchTo(op, rewriter, cases.defaultEdge);
}

LogicalResult passThroughSwitch(Operation& op, Rewriter& rewriter) {
  Cases cases = casesOf(op);
  bool changed = false;
  auto shorten = [&](Edge& edge) {
    std::optional<Edge> next = passThrough(edge);
    if (!next) return;
    edge = *next;
    changed = true;
  };
  shorten(cases.defaultEdge);
  for (Edge& edge : cases.edges)
    shorten(edge);
  if (!changed) return failure();
  return replaceCases(op, rewriter, cases);
}

LogicalResult parseEdge(OpParser& parser, Edge& edge) {
  return parser.parseSuccessorWithOperands(edge.dest, edge.operands);
}

LogicalResult parseCase(OpParser& parser, Cases& cases) {
  int64_t value = 0;
  LogicalResult status = success();
  if (!parser.parseOptionalInteger(value, status))
    return parser.emitError() << "expected integer value";
  if (failed(status) || failed(parser.parse(":"))) return failure();
  cases.values.push_back(value);
  return parseEdge(parser, cases.edges.emplace_back());
}

/// `%flag : type, [default: ^bb, 1: ^bb1(...), ...]`
LogicalResult parseSwitch(OpParser& parser, OperationState& state) {
  UnresolvedOperand flag;
  Type type;
  Cases cases;
  if (failed(parser.parseOperand(flag)) || failed(parser.parseColonType(type))) return failure();
  if (!isFlagType(type))
    return parser.emitError() << "expected an integer type of up to 64 bits, found " << type;
  std::vector<Value> flags;
  if (failed(parser.resolve(flag, type, flags)) || failed(parser.parse(",")) ||
      failed(parser.parse("[")))
    return failure();
  if (!parser.parseOptionalKeyword("default")) return parser.emitError() << "expected 'default'";
  if (failed(parser.parse(":")) || failed(parseEdge(parser, cases.defaultEdge))) return failure();
  while (parser.parseOptional(","))
    if (failed(parseCase(parser, cases))) return failure();
  if (failed(parser.parse("]")) || failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  cases.flag = flags[0];
  fillState(parser.context(), state, cases);
  return success();
}

void printEdge(OpPrinter& printer, const Edge& edge) {
  printer.printSuccessorWithOperands(edge.dest, edge.operands);
}

void printSwitch(OpPrinter& printer, Operation& op) {
  Cases cases = casesOf(op);
  uint64_t mask = folding::maskOf(cases.flag.type().bitWidth());
  printer << " " << cases.flag << " : " << cases.flag.type() << ", [";
  printer.newline();
  printer << "  default: ";
  printEdge(printer, cases.defaultEdge);
  for (size_t i = 0; i < cases.edges.size(); ++i) {
    printer << ",";
    printer.newline();
    printer << "  " << (static_cast<uint64_t>(cases.values[i]) & mask) << ": ";
    printEdge(printer, cases.edges[i]);
  }
  if (!cases.edges.empty()) printer.newline();
  printer << "]";
  printer.printOptionalAttrDict(op, {kCaseValues, kCaseSegments, "operandSegmentSizes"});
}

/// Counts first: the accessors rely on them.
LogicalResult verifyCaseLists(Operation& op) {
  size_t dests = op.numSuccessors() - 1;
  auto values = op.attrOf<DenseElementsAttr>(kCaseValues);
  auto segments = op.attrOf<DenseArrayAttr>(kCaseSegments);
  size_t count = values ? static_cast<size_t>(values.numElements()) : 0;
  if (values && values.type().elementType() != op.operand(0).type())
    return op.emitOpError() << "'flag' type (" << op.operand(0).type()
                            << ") should match case value type (" << values.type().elementType()
                            << ")";
  if (count != dests)
    return op.emitOpError() << "number of case values (" << count
                            << ") should match number of case destinations (" << dests << ")";
  if (segments.size() != dests)
    return op.emitOpError() << "'" << kCaseSegments << "' has " << segments.size() << " sizes for "
                            << dests << " case destinations";
  int64_t total = 0;
  for (int64_t size : segments.values())
    total = size < 0 || total < 0 ? -1 : total + size;
  if (total == static_cast<int64_t>(op.operandGroup(2).size())) return success();
  return op.emitOpError() << "sizes of '" << kCaseSegments
                          << "' do not add up to the number of case operands ("
                          << op.operandGroup(2).size() << ")";
}

LogicalResult verifySwitch(Operation& op) {
  if (failed(verifyCaseLists(op))) return failure();
  return verifyEdges(op);
}

// -- assert --------------------------------------------------------------------------------------

LogicalResult dropTrueAssert(Operation& op, Rewriter& rewriter) {
  if (!isIntSplat(constantOf(op.operand(0)), 1)) return failure();
  rewriter.eraseOp(op);
  return success();
}

bool assertEffects(Operation&, std::vector<EffectInstance>& effects) {
  effects.push_back({Effect::Write, Value()});  // ends the program: nothing may drop it
  return true;
}

// -- The ops -------------------------------------------------------------------------------------

void defineBranches(Dialect& d) {
  d.op<BranchOp>("br")
      .doc("Continues at a block.")
      .variadicOperand("destOperands", types::any)
      .successor("dest")
      .traits(Trait::Pure | Trait::Terminator)
      .format("$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict")
      .example("cf.br ^bb1(%a : i32)")
      .verify(verifyEdges)
      .canonicalize("pass-through", passThroughBranch);
  d.op<CondBranchOp>("cond_br")
      .doc("Continues at one of two blocks.")
      .operand("condition", types::i1)
      .variadicOperand("trueDestOperands", types::any)
      .variadicOperand("falseDestOperands", types::any)
      .successor("trueDest")
      .successor("falseDest")
      .traits(Trait::Pure | Trait::Terminator | Trait::AttrSizedOperandSegments)
      .format("$condition `,` $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) "
              "`)`)? `,` $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? "
              "attr-dict")
      .example("cf.cond_br %cond, ^bb1(%a : i32), ^bb2")
      .verify(verifyEdges)
      .canonicalize("constant-condition", constantCondition)
      .canonicalize("pass-through", passThroughCondBranch)
      .canonicalize("same-successors", sameSuccessors)
      .canonicalize("same-condition-above", sameConditionAbove)
      .canonicalize("condition-in-targets", conditionInTargets);
  d.op<SwitchOp>("switch")
      .doc("Continues at the block of the case that the flag equals.")
      .operand("flag", kFlag)
      .variadicOperand("defaultOperands", types::any)
      .variadicOperand("caseOperands", types::any)
      .optionalAttr(kCaseValues, kIntElements)
      .attr(kCaseSegments, attrs::denseI32)
      .successor("defaultDestination")
      .variadicSuccessor("caseDestinations")
      .traits(Trait::Pure | Trait::Terminator | Trait::AttrSizedOperandSegments)
      .syntax(parseSwitch, printSwitch)
      .example("cf.switch %flag : i32, [default: ^bb1(%a : i32), 42: ^bb2]")
      .verify(verifySwitch)
      .canonicalize("only-default", onlyDefault)
      .canonicalize("constant-flag", constantFlag)
      .canonicalize("drop-default-cases", dropDefaultCases)
      .canonicalize("pass-through", passThroughSwitch);
}

void defineAssert(Dialect& d) {
  d.op("assert")
      .doc("Ends the program with a message unless the condition holds.")
      .operand("arg", types::i1)
      .attr("msg", attrs::string)
      .effects(assertEffects)
      .format("$arg `,` $msg attr-dict")
      .example("cf.assert %cond, \"expected it to hold\"")
      .canonicalize("drop-true", dropTrueAssert);
}

/// Case `i` begins after the operands of the cases before it.
unsigned caseStart(Operation& op, unsigned i) {
  std::span<const int64_t> sizes = op.attrOf<DenseArrayAttr>(kCaseSegments).values();
  int64_t start = 0;
  for (unsigned k = 0; k < i; ++k)
    start += sizes[k];
  return static_cast<unsigned>(start);
}

}  // namespace

std::optional<OperandRange> successorOperands(Operation& op, unsigned index) {
  if (isa<BranchOp>(&op)) return op.operands();
  if (isa<CondBranchOp>(&op)) return op.operandGroup(index + 1);
  if (!isa<SwitchOp>(&op)) return std::nullopt;
  if (index == 0) return op.operandGroup(1);
  return SwitchOp(&op).caseOperands(index - 1);
}

BranchOp BranchOp::create(Builder& builder, Location location, Block& dest,
                          std::span<const Value> operands) {
  OperationState state(builder.context(), location, "cf.br");
  state.addOperands(operands);
  state.successors = {&dest};
  return BranchOp(builder.create(state));
}

CondBranchOp CondBranchOp::create(Builder& builder, Location location, Value condition,
                                  Block& trueDest, std::span<const Value> trueOperands,
                                  Block& falseDest, std::span<const Value> falseOperands) {
  OperationState state(builder.context(), location, "cf.cond_br");
  state.addOperands(std::span(&condition, 1));
  state.addOperands(trueOperands);
  state.addOperands(falseOperands);
  state.successors = {&trueDest, &falseDest};
  state.setOperandSegments(builder.context(),
                           std::vector<int32_t>{1, static_cast<int32_t>(trueOperands.size()),
                                                static_cast<int32_t>(falseOperands.size())});
  return CondBranchOp(builder.create(state));
}

OperandRange SwitchOp::caseOperands(unsigned i) const {
  std::span<const int64_t> sizes = op_->attrOf<DenseArrayAttr>(kCaseSegments).values();
  return op_->operandGroup(2).slice(caseStart(*op_, i), static_cast<unsigned>(sizes[i]));
}

int64_t SwitchOp::caseValue(unsigned i) const {
  return op_->attrOf<DenseElementsAttr>(kCaseValues).element(i).cast<IntegerAttr>().value();
}

}  // namespace cf

void registerCf(Context& context) {
  if (!context.hasDialect("arith")) registerArith(context);  // rewrites make selects
  Dialect d(context, "cf", "Control flow between blocks.");
  cf::defineBranches(d);
  cf::defineAssert(d);
}

}  // namespace airlite
