// The ml_program dialect: the global variables that front ends leave in programs.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite {

namespace {

constexpr std::string_view kVisibility = "sym_visibility";

LogicalResult parseVisibility(OpParser& parser, OperationState& state) {
  for (std::string_view word : {"public", "private", "nested"})
    if (parser.parseOptionalKeyword(word)) {
      state.addAttribute(parser.context(), kVisibility, StringAttr::get(parser.context(), word));
      return success();
    }
  return parser.emitError() << "custom op 'ml_program.global' expected 'public', 'private', or "
                               "'nested'";
}

/// `private mutable @name(value) : type`.
LogicalResult parseGlobal(OpParser& parser, OperationState& state) {
  Context& context = parser.context();
  if (failed(parseVisibility(parser, state))) return failure();
  if (parser.parseOptionalKeyword("mutable"))
    state.addAttribute(context, "is_mutable", UnitAttr::get(context));
  std::string name;
  if (failed(parser.parseSymbolName(name))) return failure();
  state.addAttribute(context, kSymbolName, StringAttr::get(context, name));
  if (parser.parseOptional("(")) {
    Attribute value;
    if (failed(parser.parseAttribute(value)) || failed(parser.parse(")"))) return failure();
    state.addAttribute(context, "value", value);
  }
  Type type;
  if (failed(parser.parseColonType(type))) return failure();
  state.addAttribute(context, "type", TypeAttr::get(type));
  return parser.parseOptionalAttrDict(state.attributes);
}

void printGlobal(OpPrinter& printer, Operation& op) {
  StringAttr visibility = op.attrOf<StringAttr>(kVisibility);
  printer << " " << (visibility ? visibility.value() : "public") << " ";
  if (op.hasAttr("is_mutable")) printer << "mutable ";
  printer.printSymbolName(symbolName(op));
  if (Attribute value = op.attr("value")) printer << "(" << value << ")";
  printer << " : " << op.attrOf<TypeAttr>("type").value();
  printer.printOptionalAttrDict(op, {kVisibility, "is_mutable", kSymbolName, "value", "type"});
}

LogicalResult verifyGlobal(Operation& op) {
  if (op.hasAttr("is_mutable") || op.hasAttr("value")) return success();
  return op.emitOpError() << "immutable global must have an initial value";
}

/// The global that an access names; null after an error.
Operation* globalOf(Operation& op) {
  SymbolRefAttr name = op.attrOf<SymbolRefAttr>("global");
  Operation* global = lookupSymbol(&op, name);
  if (global && global->is("ml_program.global")) return global;
  op.emitOpError() << "undefined global: " << name;
  return nullptr;
}

LogicalResult verifyLoad(Operation& op) {
  Operation* global = globalOf(op);
  if (!global) return failure();
  bool isConst = op.is("ml_program.global_load_const");
  if (isConst && global->hasAttr("is_mutable"))
    return op.emitOpError() << "cannot load as const from mutable global " << op.attr("global");
  Type type = global->attrOf<TypeAttr>("type").value();
  if (type == op.result().type()) return success();
  return op.emitOpError() << "cannot load from global typed " << type << " as "
                          << op.result().type();
}

LogicalResult verifyStore(Operation& op) {
  Operation* global = globalOf(op);
  if (!global) return failure();
  if (!global->hasAttr("is_mutable"))
    return op.emitOpError() << "cannot store to an immutable global " << op.attr("global");
  Type type = global->attrOf<TypeAttr>("type").value();
  if (type == op.operand(0).type()) return success();
  return op.emitOpError() << "cannot store to a global typed " << type << " from "
                          << op.operand(0).type();
}

}  // namespace

void registerMlProgram(Context& context) {
  Dialect d(context, "ml_program", "Global variables of programs that front ends produce.");
  d.op("global")
      .doc("Declares a global value; a `mutable` one may change, another needs an initial value.")
      .attr(kSymbolName, attrs::symbolName)
      .attr("type", attrs::typeAttr)
      .optionalAttr("value", attrs::any)
      .optionalAttr("is_mutable", attrs::unit)
      .optionalAttr(kVisibility, attrs::string)
      .traits(Trait::Symbol)
      .effects({})
      .syntax(parseGlobal, printGlobal)
      .example("ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>")
      .verify(verifyGlobal);
  d.op("global_load")
      .doc("The value of a global at this point.")
      .attr("global", attrs::symbolRef)
      .result("result", types::any)
      .effects({{Effect::Read, ""}})
      .format("$global attr-dict `:` type($result)")
      .example("ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>\n"
               "%0 = ml_program.global_load @seed : tensor<i64>")
      .verify(verifyLoad);
  d.op("global_load_const")
      .doc("The value of a global that never changes.")
      .attr("global", attrs::symbolRef)
      .result("result", types::any)
      .traits(Trait::Pure)
      .effects({})
      .format("$global attr-dict `:` type($result)")
      .example("ml_program.global private @table(dense<[1, 2]> : tensor<2xi32>) : "
               "tensor<2xi32>\n%0 = ml_program.global_load_const @table : tensor<2xi32>")
      .verify(verifyLoad);
  d.op("global_store")
      .doc("Changes the value of a mutable global.")
      .attr("global", attrs::symbolRef)
      .operand("value", types::any)
      .effects({{Effect::Write, ""}})
      .format("$global `=` $value `:` type($value) attr-dict")
      .example("ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>\n"
               "ml_program.global_store @seed = %0 : tensor<i64>")
      .verify(verifyStore);
}

}  // namespace airlite
