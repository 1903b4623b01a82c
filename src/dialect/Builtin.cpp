// The builtin dialect: modules, and casts that lowerings leave between types.
#include "airlite/dialect/Builtin.hpp"

#include "ConstantFolding.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite {

namespace builtin {

namespace {

// -- module --------------------------------------------------------------------------------------

LogicalResult parseModule(OpParser& parser, OperationState& state) {
  std::string name;
  if (parser.parseOptionalSymbolName(name))
    state.addAttribute(parser.context(), "sym_name", StringAttr::get(parser.context(), name));
  Region& body = state.addRegion();
  if (failed(parser.parseOptionalAttrDictWithKeyword(state.attributes)) ||
      failed(parser.parseRegion(body)))
    return failure();
  if (body.empty()) body.insert(Block::create(parser.context()));
  return success();
}

void printModule(OpPrinter& printer, Operation& op) {
  ModuleOp module(&op);
  if (op.hasAttr("sym_name")) {
    printer << " ";
    printer.printSymbolName(module.symName());
  }
  constexpr std::string_view kElided[] = {"sym_name"};
  printer.printOptionalAttrDictWithKeyword(op, kElided);
  printer << " ";
  printer.printRegion(op.region(0), false);
}

LogicalResult verifyModule(Operation& op) {
  // Every pass looks into the block, and the custom form always has one.
  if (op.region(0).empty()) return op.emitOpError() << "expects a region with a block, found none";
  if (op.region(0).front().numArguments() != 0)
    return op.emitOpError() << "region should have no arguments";
  for (const NamedAttribute& attr : op.attributes().value()) {
    if (op.def().findAttr(attr.name)) continue;
    if (attr.name.str().find('.') != std::string_view::npos) continue;
    return op.emitOpError() << "can only contain attributes with dialect-prefixed names, found: '"
                            << attr.name.str() << "'";
  }
  return success();
}

// -- unrealized_conversion_cast ------------------------------------------------------------------

/// All inputs are the results, in order, of one other cast.
Operation* castBefore(Operation& op) {
  Operation* before = op.numOperands() ? op.operand(0).definingOp() : nullptr;
  if (!before || !isa<UnrealizedConversionCastOp>(before)) return nullptr;
  return before->resultValues() == op.operands().vec() ? before : nullptr;
}

/// To the same types is nothing; there and back again is what it was.
LogicalResult foldCast(Operation& op, folding::Constants, folding::Results& results) {
  auto replaceBy = [&](OperandRange values) {
    for (Value value : values)
      results.push_back(value);
    return success();
  };
  if (op.numOperands() && op.operandTypes() == op.resultTypes()) return replaceBy(op.operands());
  Operation* before = castBefore(op);
  if (before && before->operandTypes() == op.resultTypes()) return replaceBy(before->operands());
  return failure();
}

LogicalResult verifyCast(Operation& op) {
  if (op.numResults() != 0) return success();
  return op.emitOpError() << "expected at least one result for cast operation";
}

// -- dense_resource ------------------------------------------------------------------------------

/// Its spelling is a word of the grammar, `dense_resource<key> : type`.
LogicalResult rejectLongSpelling(AttrParser& parser, std::vector<Attribute>&) {
  return parser.emitError() << "write it as 'dense_resource<key> : type'";
}

}  // namespace

ModuleOp ModuleOp::create(Context& context, Location location, std::string_view name) {
  OperationState state(context, location, "builtin.module");
  if (!name.empty()) state.addAttribute(context, "sym_name", StringAttr::get(context, name));
  state.addRegion();
  Operation* op = Operation::create(context, state);
  op->region(0).addBlock();
  return ModuleOp(op);
}

}  // namespace builtin

void registerBuiltin(Context& context) {
  using namespace builtin;
  Dialect d(context, "builtin", "Modules and casts between any types.");
  d.attr({"builtin.dense_resource",
          "Elements whose bytes stand in the resources of the file.",
          {},
          rejectLongSpelling});
  d.op<ModuleOp>("module")
      .doc("The top of a program: a symbol table of functions and the like.")
      .optionalAttr("sym_name", attrs::symbolName)
      .optionalAttr("sym_visibility", attrs::string)
      .region("bodyRegion")
      .traits(Trait::SymbolTable | Trait::IsolatedFromAbove | Trait::NoTerminator |
              Trait::SingleBlock | Trait::GraphRegion | Trait::Symbol | Trait::AffineScope)
      .syntax(parseModule, printModule)
      .example("module @m attributes {dl.spec = 1 : i32} {}")
      .verify(verifyModule);
  d.op<UnrealizedConversionCastOp>("unrealized_conversion_cast")
      .doc("Values as values of other types, until a lowering explains how.")
      .variadicOperand("inputs", types::any)
      .variadicResult("outputs", types::any)
      .traits(Trait::Pure)
      .format("($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict")
      .example("%r = builtin.unrealized_conversion_cast %a : i64 to index")
      .verify(verifyCast)
      .fold(foldCast);
}

}  // namespace airlite
