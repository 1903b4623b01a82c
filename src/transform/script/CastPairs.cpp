// transform.air.hoist_cast_pair and transform.air.vector_type_cast: where values get wider or narrower.
//
// hoist_cast_pair matches an scf.for that carries a narrow value, which its body widens first and
// narrows last, perhaps reshaped by vector.shape_cast in between. The loop then carries the wide value;
// the casts stand before and after it. What the narrow value lost in each iteration is kept, so results
// may differ: the script that asks for this accepts that. Declines, with a remark: casts that do not
// fit each other, other uses of what is carried.
//
// vector_type_cast computes an op on vectors with another element type: operands are cast before,
// results after it. Which ones, the script may say. An op on vectors of one element stays as it is.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Verifier.hpp"

#include <algorithm>

namespace airlite {

namespace {

Type withElement(Type type, Type element) {
  auto vector = type.dynCast<VectorType>();
  return vector ? Type(VectorType::get(type.context(), vector.shape(), element)) : element;
}

/// The casts from one element type to another; "" where there is none.
std::string_view castName(Type from, Type to) {
  const unsigned before = from.bitWidth(), after = to.bitWidth();
  if (before == after) return {};
  if (from.isFloat()) return to.isFloat() ? (before < after ? "arith.extf" : "arith.truncf") : "";
  if (from.isFloat() || to.isFloat()) return {};
  return before < after ? "arith.extsi" : "arith.trunci";
}

// -- hoist_cast_pair ----------------------------------------------------------------------------

bool isReshape(const Operation& op) { return op.is("vector.shape_cast"); }

/// What a loop carries, between the argument and the extension, and between the truncation and the
/// yield.
struct CastPair {
  unsigned number = 0;                    // of the iteration argument
  std::vector<Operation*> before, after;  // reshapes, in the order of the program
};

/// From the operand of `extension` back to an argument of the loop; each value is used once.
bool followBack(Operation& extension, scf::ForOp loop, CastPair& pair) {
  Value value = extension.operand(0);
  while (value.hasOneUse()) {
    Operation* op = value.definingOp();
    if (!op) {
      const std::vector<Value> carried = loop.regionIterArgs();
      const auto found = std::ranges::find(carried, value);
      pair.number = static_cast<unsigned>(found - carried.begin());
      return found != carried.end();
    }
    if (!isReshape(*op)) return false;
    pair.before.insert(pair.before.begin(), op);
    value = op->operand(0);
  }
  return false;
}

/// From the result of `truncation` on to the yield of that argument.
bool followOn(Operation& truncation, scf::ForOp loop, CastPair& pair) {
  Value value = truncation.result();
  while (value.hasOneUse()) {
    Operation* user = value.uses().first->owner();
    if (user == loop.yield().op()) return loop.yielded(pair.number) == value;
    if (!isReshape(*user)) return false;
    pair.after.push_back(user);
    value = user->result();
  }
  return false;
}

bool areInverse(const Operation& extension, const Operation& truncation) {
  const bool isFloat = extension.is("arith.extf") && truncation.is("arith.truncf");
  const bool isInteger =
      (extension.is("arith.extsi") || extension.is("arith.extui")) && truncation.is("arith.trunci");
  return (isFloat || isInteger) &&
         elementTypeOrSelf(extension.operand(0).type()) ==
             elementTypeOrSelf(truncation.result().type()) &&
         elementTypeOrSelf(extension.result().type()) ==
             elementTypeOrSelf(truncation.operand(0).type());
}

void widen(Value value, Type wide) { value.setType(withElement(value.type(), wide)); }

}  // namespace

bool hoistCastPair(Operation& extension, Operation& truncation, Operation& op, PassContext& context,
                   std::unordered_set<Operation*>& erased) {
  const auto decline = [&](std::string_view why) { return context.remark(op, why), false; };
  scf::ForOp loop = dynCast<scf::ForOp>(&op);
  if (!loop) return decline("stays: it is no scf.for");
  if (extension.parentOp() != &op || truncation.parentOp() != &op)
    return decline("stays: the casts are not directly in the loop");
  if (!areInverse(extension, truncation))
    return decline("stays: the truncation does not undo the extension");
  CastPair pair;
  if (!followBack(extension, loop, pair) || !followOn(truncation, loop, pair))
    return decline("stays: the value that it carries has other uses than these casts");

  const Type wide = elementTypeOrSelf(extension.result().type());
  const Type narrowType = loop.initArgs()[pair.number].type();
  const Type wideType = withElement(narrowType, wide);
  Builder builder = Builder::before(op);
  const Value init = builder
                         .create(extension.location(), extension.name(),
                                 {loop.initArgs()[pair.number]}, {wideType})
                         ->result();
  constexpr unsigned kFirstInit = 3;  // after the bounds and the step
  op.setOperand(kFirstInit + pair.number, init);
  loop.regionIterArg(pair.number).setType(wideType);
  for (Operation* reshape : pair.before)
    widen(reshape->result(), wide);
  extension.result().replaceAllUsesWith(extension.operand(0));
  truncation.result().replaceAllUsesWith(truncation.operand(0));
  for (Operation* reshape : pair.after)
    widen(reshape->result(), wide);
  op.result(pair.number).setType(wideType);
  builder.setAfter(op);
  Operation* last = builder.create(truncation.location(), truncation.name(),
                                   {op.result(pair.number)}, {narrowType});
  op.result(pair.number).replaceUsesIf(last->result(), [&](OpOperand& use) {
    return use.owner() != last;
  });
  erased.insert({&extension, &truncation});
  extension.erase();
  truncation.erase();
  return true;
}

// -- vector_type_cast -----------------------------------------------------------------------------

namespace {

bool hasSeveralElements(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.numElements() != 1;
}

bool isChosen(std::span<const int64_t> chosen, size_t number, bool all) {
  return all || std::ranges::find(chosen, static_cast<int64_t>(number)) != chosen.end();
}

/// A number or a vector of numbers; i1 is a condition.
bool isCastable(Type type, Type element) {
  const Type own = elementTypeOrSelf(type);
  return (own.isFloat() || (own.isInteger() && own.bitWidth() > 1)) &&
         !castName(own, element).empty();
}

}  // namespace

LogicalResult castVectorTypes(Operation& op, const VectorCast& how) {
  const std::vector<Value> operands = op.operands().vec(), results = op.resultValues();
  const auto isLarge = [](Value value) { return hasSeveralElements(value.type()); };
  if (!std::ranges::any_of(operands, isLarge) && !std::ranges::any_of(results, isLarge))
    return success();
  const bool all = how.inputs.empty() && how.outputs.empty();
  Builder builder = Builder::before(op);
  for (size_t i = 0; i < operands.size(); ++i) {
    const Type type = operands[i].type();
    if (!isChosen(how.inputs, i, all) || !isCastable(type, how.element)) continue;
    const std::string_view name = castName(elementTypeOrSelf(type), how.element);
    op.setOperand(
        static_cast<unsigned>(i),
        builder.create(op.location(), name, {operands[i]}, {withElement(type, how.element)})
            ->result());
  }
  builder.setAfter(op);
  for (size_t i = 0; i < results.size(); ++i) {
    Value result = results[i];
    const Type type = result.type();
    if (!isChosen(how.outputs, i, all) || !isCastable(type, how.element)) continue;
    result.setType(withElement(type, how.element));
    const std::string_view name = castName(how.element, elementTypeOrSelf(type));
    Operation* cast = builder.create(op.location(), name, {result}, {type});
    result.replaceUsesIf(cast->result(), [&](OpOperand& use) { return use.owner() != cast; });
  }
  return verifyOpShape(op);
}

}  // namespace airlite
