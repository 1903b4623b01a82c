// Counts the effects that no pass may lose.
#include "EffectCounts.hpp"

#include "../support/FlatMap.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite {

std::string_view effectName(CountedEffect effect) {
  switch (effect) {
    case CountedEffect::ChannelPut: return "channel put";
    case CountedEffect::ChannelGet: return "channel get";
    case CountedEffect::Dma: return "DMA copy";
    case CountedEffect::Store: return "store";
  }
  return "";
}

/// What an op counts as, by its declared effects: -1 for nothing. A copy that reads and writes
/// memory through two operands and is asynchronous data movement counts as a DMA. `effects` is room to
/// work in.
static int categoryOf(Operation& op, std::vector<EffectInstance>& effects) {
  if (op.hasTrait(Trait::RecursiveEffects)) return -1;
  effects.clear();
  if (!effectsOf(op, effects)) return -1;
  bool reads = false, writes = false;
  for (const EffectInstance& effect : effects) {
    if (effect.effect == Effect::Send) return static_cast<int>(CountedEffect::ChannelPut);
    if (effect.effect == Effect::Receive) return static_cast<int>(CountedEffect::ChannelGet);
    reads |= effect.effect == Effect::Read && effect.value;
    writes |= effect.effect == Effect::Write && effect.value;
  }
  if (reads && writes && op.hasTrait(Trait::AsyncOp)) return static_cast<int>(CountedEffect::Dma);
  return writes ? static_cast<int>(CountedEffect::Store) : -1;
}

namespace {

constexpr int kAskEachOp = -2;

/// Is there exactly one value (or nothing at all) for the name that the effect is stated on?
bool isOnOneValue(const OpDef& def, const EffectDef& effect) {
  if (effect.on.empty()) return true;
  if (int group = def.operandIndex(effect.on); group >= 0)
    return def.operands[static_cast<size_t>(group)].arity == Arity::Single;
  int group = def.resultIndex(effect.on);
  return group < 0 || def.results[static_cast<size_t>(group)].arity == Arity::Single;
}

/// Nearly all definitions say by themselves what their ops count as.
bool isSameForAllOps(const OpDef& def) {
  if (def.effectsFn) return false;
  return std::all_of(def.effectDefs.begin(), def.effectDefs.end(),
                     [&](const EffectDef& effect) { return isOnOneValue(def, effect); });
}

class EffectCounter {
 public:
  void count(Operation& op) {
    int category = categoryBy(op);
    if (category >= 0) ++counts[static_cast<size_t>(category)];
  }
  EffectCounts counts{};

 private:
  int categoryBy(Operation& op) {
    auto [known, isNew] = byDefinition_.insert(&op.def(), kAskEachOp);
    if (isNew && isSameForAllOps(op.def())) return *known = categoryOf(op, effects_);
    return *known == kAskEachOp ? categoryOf(op, effects_) : *known;
  }

  detail::FlatMap<const OpDef*, int> byDefinition_;
  std::vector<EffectInstance> effects_;
};

}  // namespace

EffectCounts countEffects(Operation& root) {
  EffectCounter counter;
  root.walk([&](Operation& op) { counter.count(op); });
  return counter.counts;
}

}  // namespace airlite
