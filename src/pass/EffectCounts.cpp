// Counts the effects that no pass may lose.
#include "EffectCounts.hpp"

#include "airlite/ir/Symbols.hpp"

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

static std::string enclosingFunction(Operation& op) {
  for (Operation* up = &op; up; up = up->parentOp())
    if (up->hasTrait(Trait::Function)) return std::string(symbolName(*up));
  return "";
}

std::map<std::string, EffectCounts> countEffects(Operation& root) {
  std::map<std::string, EffectCounts> counts;
  // Neighbours have the same function: it is looked for once per block.
  const Block* block = nullptr;
  EffectCounts* ofBlock = nullptr;
  std::vector<EffectInstance> effects;
  root.walk([&](Operation& op) {
    int category = categoryOf(op, effects);
    if (category < 0) return;
    if (!ofBlock || op.block() != block) ofBlock = &counts[enclosingFunction(op)];
    block = op.block();
    ++(*ofBlock)[static_cast<size_t>(category)];
  });
  return counts;
}

}  // namespace airlite
