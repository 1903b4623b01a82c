// Constants and runtime values of a host function.
#include "HostValues.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::npu {

using aie::MaybeStatic;

std::optional<MaybeStatic> HostValues::compute(Operation& op, unsigned result) {
  const bool divides = arith::dividesIntegers(op);  // not pure: a divisor may be 0
  if ((!isPure(op) && !divides) || op.numRegions() != 0) return std::nullopt;
  std::vector<MaybeStatic> operands;
  bool isConstant = op.numOperands() != 0;
  for (Value operand : op.operands()) {
    auto found = find(operand);
    if (!found) return std::nullopt;
    isConstant &= found->isConstant();
    operands.push_back(*found);
  }
  if (isConstant)
    if (auto number = computeNumber(op.result(result), *this)) return MaybeStatic{*number, Value()};
  if (divides) return std::nullopt;
  IRMapping mapping;
  for (unsigned i = 0; i < op.numOperands(); ++i)
    mapping.map(op.operand(i), materialize(operands[i], op.operand(i).type(), op.location()));
  // Those who read sequences know arith.
  if (auto apply = dynCast<affine::ApplyOp>(&op)) {
    affine::Application application{apply.map(), {}};
    for (Value operand : op.operands())
      application.operands.push_back(mapping.lookupOr(operand));
    auto expanded = affine::expandMap(builder_, op.location(), application);
    if (expanded) return MaybeStatic{0, expanded->front()};
  }
  return MaybeStatic{0, builder_.clone(op, mapping)->result(result)};
}

std::optional<MaybeStatic> HostValues::find(Value value) {
  if (auto known = known_.find(value); known != known_.end()) return known->second;
  if (auto done = computed_.find(value); done != computed_.end()) return done->second;
  if (auto constant = constantIntOf(value)) return MaybeStatic{*constant, Value()};
  Operation* source = value.definingOp();
  auto found = source ? compute(*source, value.index()) : std::nullopt;
  if (found) computed_[value] = *found;
  return found;
}

std::optional<int64_t> HostValues::constant(Value value) {
  auto found = find(value);
  return found && found->isConstant() ? std::optional(found->constant) : std::nullopt;
}

Value HostValues::materialize(MaybeStatic number, Type type, Location location) {
  if (number.value) return number.value;
  return builder_.constant(location, IntegerAttr::get(type, number.constant));
}

}  // namespace airlite::npu
