// What an op does beside computing its results, asked of its definition.
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite {
namespace {

/// Adds `effect` on every value of the operand or result group called `on`.
void addEffects(Operation& op, const EffectDef& def, std::vector<EffectInstance>& effects) {
  if (def.on.empty()) return effects.push_back({def.effect, Value()});
  int group = op.def().operandIndex(def.on);
  if (group >= 0) {
    for (Value value : op.operandGroup(static_cast<unsigned>(group)))
      effects.push_back({def.effect, value});
    return;
  }
  group = op.def().resultIndex(def.on);
  if (group < 0) return effects.push_back({def.effect, Value()});
  auto [start, size] = op.resultGroupBounds(static_cast<unsigned>(group));
  for (unsigned i = 0; i < size; ++i)
    effects.push_back({def.effect, op.result(start + i)});
}

bool mayExecuteEarly(Operation& op) {
  if (op.hasTrait(Trait::Pure) || op.hasTrait(Trait::AlwaysSpeculatable)) return true;
  // A loop may not end; other ops with regions are as safe as what is inside.
  return op.hasTrait(Trait::RecursiveEffects) && !op.hasTrait(Trait::LoopLike);
}

/// Asks `holds` of `root` and, where an op's effects are those of the ops inside, of those.
bool holdsInside(Operation& root, FunctionRef<bool(Operation&)> holds) {
  if (root.numRegions() == 0) return holds(root);
  WalkResult result = root.walkWith([&](Operation& op) {
    if (!holds(op)) return WalkResult::Interrupt;
    return op.hasTrait(Trait::RecursiveEffects) ? WalkResult::Advance : WalkResult::Skip;
  });
  return result != WalkResult::Interrupt;
}

bool hasNoDirectEffects(Operation& op) {
  std::vector<EffectInstance> effects;
  return effectsOf(op, effects) && effects.empty();
}

/// Does the definition say that the op writes what it is given? Most ops with effects do.
bool writesOperand(Operation& op) {
  if (op.def().effectsFn) return false;  // to be asked for
  auto writes = [&](const EffectDef& effect) {
    int group = effect.effect == Effect::Write ? op.def().operandIndex(effect.on) : -1;
    return group >= 0 && !op.operandGroup(static_cast<unsigned>(group)).empty();
  };
  return std::any_of(op.def().effectDefs.begin(), op.def().effectDefs.end(), writes);
}

/// Only reads, or touches what it allocates itself.
bool losesNothing(Operation& op) {
  if (writesOperand(op)) return false;
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return false;
  auto allocates = [&](Value value) {
    return std::any_of(effects.begin(), effects.end(), [&](const EffectInstance& effect) {
      return effect.effect == Effect::Allocate && effect.value == value;
    });
  };
  auto isHarmless = [&](const EffectInstance& effect) {
    if (effect.effect == Effect::Read) return true;
    if (effect.effect != Effect::Allocate && effect.effect != Effect::Write) return false;
    if (!effect.value || effect.value.definingOp() != &op) return false;
    return effect.effect == Effect::Allocate || allocates(effect.value);
  };
  return std::all_of(effects.begin(), effects.end(), isHarmless);
}

}  // namespace

bool effectsOf(Operation& op, std::vector<EffectInstance>& effects) {
  const OpDef& def = op.def();
  if (!def.registered) return false;
  if (def.effectsFn) return def.effectsFn(op, effects);
  for (const EffectDef& effect : def.effectDefs)
    addEffects(op, effect, effects);
  return def.hasEffectInfo || def.has(Trait::Pure) || def.has(Trait::RecursiveEffects);
}

bool isMemoryEffectFree(Operation& op) {
  return holdsInside(op, [](Operation& inner) { return hasNoDirectEffects(inner); });
}

bool isPure(Operation& op) {
  return holdsInside(op, [](Operation& inner) {
    // A terminator inside only hands values on; where it stands was checked by the verifier.
    return (mayExecuteEarly(inner) || inner.hasTrait(Trait::Terminator)) &&
           hasNoDirectEffects(inner);
  });
}

bool isTriviallyDead(Operation& op) {
  if (op.hasResultUses()) return false;
  if (op.hasTrait(Trait::Terminator) || op.hasTrait(Trait::Symbol)) return false;
  return holdsInside(op, [](Operation& inner) { return losesNothing(inner); });
}

}  // namespace airlite
