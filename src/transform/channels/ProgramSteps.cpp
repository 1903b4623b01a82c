#include "ProgramSteps.hpp"

#include "airlite/ir/OpDef.hpp"

#include <optional>
#include <unordered_map>

namespace airlite::air {
namespace {

/// The value outside of all levels that `memref` is a part of; null: it may be any memory.
Value memoryOf(Value memref) {
  for (;;) {
    memref = bufferSource(memref);
    if (Operation* maker = memref.definingOp())
      return maker->is("memref.alloc") || maker->is("memref.alloca") ? memref : Value();
    Operation* parent = memref.argumentBlock()->parentOp();
    if (parent && parent->hasTrait(Trait::Function)) return memref;
    const HierarchyOp level = parent ? asHierarchy(parent) : HierarchyOp();
    const Value outside = level ? level.tiedOperand(memref) : Value();
    if (!outside) return Value();
    memref = outside;
  }
}

class StepReader {
 public:
  explicit StepReader(Block& block) {
    for (Operation& op : block.ops())
      if (!op.hasTrait(Trait::Terminator)) numbers_.emplace(&op, numbers_.size());
    for (Operation& op : block.ops())
      if (numbers_.contains(&op)) steps_.push_back(read(op));
  }

  std::vector<Step> take() { return std::move(steps_); }

 private:
  Step read(Operation& root) {
    Step step;
    step.op = &root;
    root.walk([&](Operation& op) {
      for (Value operand : op.operands())
        if (const auto maker = makerOf(operand); maker && maker != numbers_.at(&root))
          step.needs.insert(*maker);
      if (isChannelAccess(op)) {
        const ChannelAccessOp access(&op);
        (access.isPut() ? step.puts : step.gets).insert(access.channel().op());
      }
      addEffects(op, step);
    });
    return step;
  }

  std::optional<size_t> makerOf(Value value) const {
    const Operation* maker = value.definingOp();
    const auto known = maker ? numbers_.find(maker) : numbers_.end();
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }

  static void addEffects(Operation& op, Step& step) {
    if (op.hasTrait(Trait::Hierarchy)) return;
    std::vector<EffectInstance> effects;
    if (!effectsOf(op, effects)) {
      step.doesAnything = true;
      return;
    }
    for (const EffectInstance& effect : effects) {
      if (effect.effect == Effect::Allocate || effect.effect == Effect::Send ||
          effect.effect == Effect::Receive)
        continue;
      const Value memory =
          effect.value && effect.value.type().isa<MemRefType>() ? memoryOf(effect.value) : Value();
      if (!memory)
        step.doesAnything = true;
      else
        (effect.effect == Effect::Read ? step.reads : step.writes).insert(memory);
    }
  }

  std::unordered_map<const Operation*, size_t> numbers_;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> stepsOf(Block& block) { return StepReader(block).take(); }

bool meet(const Step& a, const Step& b) {
  return intersect(a.writes, b.writes) || intersect(a.writes, b.reads) ||
         intersect(a.reads, b.writes) || intersect(a.puts, b.puts) || intersect(a.gets, b.gets);
}

bool keepOrder(const Step& first, const Step& second, size_t firstNumber) {
  return second.needs.contains(firstNumber) || first.doesAnything || second.doesAnything ||
         meet(first, second);
}

}  // namespace airlite::air
