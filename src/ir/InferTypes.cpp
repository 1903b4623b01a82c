// Result types from operand types, as far as the definition says them.
#include "InferTypes.hpp"

#include "OperandGroups.hpp"

#include <algorithm>

namespace airlite::detail {
namespace {

class Inference {
 public:
  Inference(Context& context, const OperationState& state)
      : context_(context), state_(state), types_(state.def->results.size()) {}

  LogicalResult run(std::vector<Type>& result) {
    for (size_t i = 0; i < types_.size(); ++i)
      resolve(i);
    // A rule may start from a result that comes later: once more is enough for a chain of two.
    for (size_t i = 0; i < types_.size(); ++i)
      resolve(i);
    if (std::find(types_.begin(), types_.end(), Type()) != types_.end()) return failure();
    result = types_;
    return success();
  }

 private:
  const OpDef& def() const { return *state_.def; }

  void resolve(size_t i) {
    const ValueDef& result = def().results[i];
    if (types_[i] || result.arity != Arity::Single) return;
    types_[i] = fromRules(result.name);
    if (!types_[i]) types_[i] = fromSameTypes(result.name);
    if (!types_[i]) types_[i] = fromTraits();
    if (!types_[i] && result.type && result.type->build) types_[i] = result.type->build(context_);
  }

  Type fromRules(std::string_view name) const {
    for (const TypeRule& rule : def().typeRules) {
      Type source = rule.target == name ? typeOf(rule.source) : Type();
      if (source) return rule.compute(source);
    }
    return Type();
  }

  Type fromSameTypes(std::string_view name) const {
    for (const SameTypes& names : def().sameTypes) {
      if (std::find(names.begin(), names.end(), name) == names.end()) continue;
      for (std::string_view other : names)
        if (Type type = typeOf(other)) return type;
    }
    return Type();
  }

  Type fromTraits() const {
    bool same = def().has(Trait::SameOperandsAndResultType);
    return same && !state_.operands.empty() ? typeOfValue(state_.operands.front()) : Type();
  }

  /// Type of a named operand (the first of its group), result or typed attribute.
  Type typeOf(std::string_view name) const {
    int operand = def().operandIndex(name);
    if (operand >= 0) return typeOfOperand(static_cast<unsigned>(operand));
    int result = def().resultIndex(name);
    if (result >= 0) return types_[static_cast<size_t>(result)];
    Attribute attr = state_.attributes.get(name);
    return attr ? attributeType(attr) : Type();
  }

  Type typeOfOperand(unsigned group) const {
    unsigned total = static_cast<unsigned>(state_.operands.size());
    bool sized = def().has(Trait::AttrSizedOperandSegments);
    Attribute segments = sized ? state_.attributes.get(kOperandSegments) : Attribute();
    auto [start, size] = groupBounds(operandGroups(def()), total, sized, segments, group);
    return size ? typeOfValue(state_.operands[start]) : Type();
  }

  static Type typeOfValue(Value value) { return value ? value.type() : Type(); }

  Context& context_;
  const OperationState& state_;
  std::vector<Type> types_;
};

}  // namespace

bool canInferResultTypes(const OpDef& def) {
  if (def.inferFn) return true;
  return std::all_of(def.results.begin(), def.results.end(),
                     [](const ValueDef& result) { return result.arity == Arity::Single; });
}

LogicalResult inferResultTypes(Context& context, OperationState& state) {
  if (state.def->inferFn) return state.def->inferFn(context, state);
  if (!canInferResultTypes(*state.def)) return failure();
  return Inference(context, state).run(state.resultTypes);
}

}  // namespace airlite::detail
