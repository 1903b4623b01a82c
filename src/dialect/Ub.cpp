// The ub dialect: values of undefined behaviour, as folding makes them.
#include "ConstantFolding.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite {

namespace {

const AttrConstraint kPoison = {"poison attribute", folding::isPoison};

LogicalResult foldPoison(Operation& op, folding::Constants, folding::Results& results) {
  return folding::foldTo(results, op.attr("value"));
}

Operation* materializePoison(Context& context, Attribute value, Type type, Location location) {
  if (!folding::isPoison(value)) return nullptr;
  OperationState state(context, location, "ub.poison");
  state.addAttribute(context, "value", value);
  state.resultTypes = {type};
  return Operation::create(context, state);
}

/// `[<value>] attr-dict : type`; the value is written only when it is not the plain one.
LogicalResult parsePoison(OpParser& parser, OperationState& state) {
  Type type;
  if (failed(parser.parseOptionalAttrDict(state.attributes)) || failed(parser.parseColonType(type)))
    return failure();
  state.addAttribute(parser.context(), "value", folding::poisonAttr(parser.context()));
  state.resultTypes = {type};
  return success();
}

void printPoison(OpPrinter& printer, Operation& op) {
  printer.printOptionalAttrDict(op, {"value"});
  printer << " : " << op.result().type();
}

}  // namespace

void registerUb(Context& context) {
  Dialect d(context, "ub", "Undefined behaviour as values.");
  d.attr({"ub.poison", "The value that every use may take for what it likes."});
  d.op("poison")
      .doc("A poison value: nothing that depends on it is defined.")
      .attr("value", kPoison)
      .result("result", types::any)
      .traits(Trait::Pure | Trait::ConstantLike)
      .syntax(parsePoison, printPoison)
      .example("%r = ub.poison : i32")
      .fold(foldPoison);
  d.materializer(materializePoison);
}

}  // namespace airlite
