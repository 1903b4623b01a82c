// Builder: creation at an insertion point.
#include "airlite/ir/Builder.hpp"

#include "InferTypes.hpp"

namespace airlite {

Operation* Builder::insert(Operation* op) {
  if (point_.block) point_.block->insert(op, point_.before);
  return op;
}

Operation* Builder::create(OperationState& state) {
  if (state.resultTypes.empty() && !state.def->results.empty()) {
    // What cannot be inferred stays without results: the verifier says so at the op.
    if (failed(detail::inferResultTypes(*context_, state))) state.resultTypes.clear();
  }
  return insert(Operation::create(*context_, state));
}

Operation* Builder::create(Location location, std::string_view name,
                           std::span<const Value> operands, std::span<const Type> results,
                           std::span<const NamedAttribute> attrs) {
  OperationState state(*context_, location, name);
  state.addOperands(operands);
  state.addTypes(results);
  for (const NamedAttribute& attr : attrs)
    state.attributes.set(attr.name, attr.value);
  for (const RegionDef& region : state.def->regions)
    if (!region.variadic) state.addRegion();
  return create(state);
}

Operation* Builder::create(Location location, std::string_view name,
                           std::initializer_list<Value> operands,
                           std::initializer_list<Type> results,
                           std::initializer_list<NamedAttribute> attrs) {
  return create(location, name, std::span<const Value>(operands.begin(), operands.size()),
                std::span<const Type>(results.begin(), results.size()),
                std::span<const NamedAttribute>(attrs.begin(), attrs.size()));
}

NamedAttribute Builder::named(std::string_view name, Attribute value) const {
  return {Identifier::get(*context_, name), value};
}

Value Builder::constantIndex(Location location, int64_t value) {
  return constant(location, indexAttr(value));
}

Value Builder::constant(Location location, Attribute typedValue) {
  Type type = attributeType(typedValue);
  assert(type && "the attribute has no type");
  return create(location, "arith.constant", {}, {type}, {named("value", typedValue)})->result();
}

}  // namespace airlite
