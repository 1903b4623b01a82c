// cse: common subexpression elimination. An operation without effects (or one that only reads,
// when nothing in between may write) is replaced by an equal one that dominates it: same name,
// operands, attributes, result types. Dead operations go as well. Operations with regions are left
// alone. The search looks at the block and at the blocks around it; in regions of several blocks each
// block stands for itself, and isolated regions start afresh.
#include <unordered_map>
#include <vector>

#include "airlite/ir/Dominance.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/transform/Passes.hpp"

namespace airlite {

namespace {

size_t mix(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

struct OpHash {
  size_t operator()(Operation* op) const {
    size_t hash = std::hash<const void*>()(&op->def());
    hash = mix(hash, std::hash<Attribute>()(op->attributes()));
    for (Value operand : op->operands()) hash = mix(hash, std::hash<Value>()(operand));
    for (unsigned i = 0; i < op->numResults(); ++i)
      hash = mix(hash, std::hash<Type>()(op->result(i).type()));
    return hash;
  }
};

struct OpEqual {
  bool operator()(Operation* a, Operation* b) const {
    if (&a->def() != &b->def() || a->attributes() != b->attributes() ||
        a->numOperands() != b->numOperands() || a->numResults() != b->numResults())
      return false;
    for (unsigned i = 0; i < a->numOperands(); ++i)
      if (a->operand(i) != b->operand(i)) return false;
    for (unsigned i = 0; i < a->numResults(); ++i)
      if (a->result(i).type() != b->result(i).type()) return false;
    return true;
  }
};

/// Expressions that are available, with the scopes they came from.
class Available {
 public:
  Operation* find(Operation* op) const {
    auto it = table_.find(op);
    return it == table_.end() ? nullptr : it->second;
  }
  void add(Operation* op) {
    if (table_.emplace(op, op).second) added_.push_back(op);
  }
  void replaceWith(Operation* known, Operation* op) {
    table_.erase(known);
    table_.emplace(op, op);
    added_.push_back(op);
  }
  size_t mark() const { return added_.size(); }
  void rollBack(size_t mark) {
    for (; added_.size() > mark; added_.pop_back()) {
      auto it = table_.find(added_.back());
      if (it != table_.end() && it->second == added_.back()) table_.erase(it);
    }
  }

 private:
  std::unordered_map<Operation*, Operation*, OpHash, OpEqual> table_;
  std::vector<Operation*> added_;
};

enum class Kind { NoEffect, ReadsOnly, Other };

Kind kindOf(Operation& op) {
  if (op.numRegions() || op.hasTrait(Trait::Terminator)) return Kind::Other;
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return Kind::Other;
  if (effects.empty()) return Kind::NoEffect;
  for (const EffectInstance& effect : effects)
    if (effect.effect != Effect::Read) return Kind::Other;
  return Kind::ReadsOnly;
}

/// May `op` (or anything inside) write, free or synchronise?
bool mayChangeMemory(Operation& op) {
  bool may = false;
  op.walkWith([&](Operation& inner) {
    if (inner.hasTrait(Trait::RecursiveEffects) || inner.hasTrait(Trait::Terminator))
      return WalkResult::Advance;
    std::vector<EffectInstance> effects;
    bool known = effectsOf(inner, effects);
    may = !known;
    for (const EffectInstance& effect : effects)
      may |= effect.effect != Effect::Read && effect.effect != Effect::Allocate;
    return may ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return may;
}

class CseDriver {
 public:
  bool run(Operation& root) {
    for (Region& region : root.regions()) visitRegion(region);
    return changed_;
  }
  uint64_t merged = 0, dead = 0;

 private:
  void visitRegion(Region& region) {
    if (region.empty()) return;
    if (region.parentOp()->hasTrait(Trait::IsolatedFromAbove)) {
      Available outer = std::move(available_);
      available_ = Available();
      visitBlocks(region);
      available_ = std::move(outer);
      return;
    }
    visitBlocks(region);
  }

  /// What a block defines is available in it and in the regions inside.
  void visitBlocks(Region& region) {
    if (region.hasOneBlock()) {
      size_t mark = available_.mark();
      visitBlock(region.front());
      available_.rollBack(mark);
      return;
    }
    for (Block& block : region.blocks()) {
      size_t mark = available_.mark();
      if (dominance_.isReachable(&block)) visitBlock(block);
      available_.rollBack(mark);
    }
  }

  void visitBlock(Block& block) {
    for (Operation& op : block.ops()) {
      if (isTriviallyDead(op)) {
        op.erase();
        ++dead;
        changed_ = true;
        continue;
      }
      for (Region& region : op.regions()) visitRegion(region);
      visitOp(op);
    }
  }

  void visitOp(Operation& op) {
    Kind kind = kindOf(op);
    if (kind == Kind::Other || op.numResults() == 0) return;
    Operation* known = available_.find(&op);
    if (!known) return available_.add(&op);
    if (kind == Kind::ReadsOnly && writesBetween(*known, op))
      return available_.replaceWith(known, &op);
    op.replaceAllUsesWith(known->resultValues());
    op.erase();
    ++merged;
    changed_ = true;
  }

  static bool writesBetween(Operation& from, Operation& to) {
    if (from.block() != to.block()) return true;
    for (Operation* op = from.next(); op != &to; op = op->next())
      if (mayChangeMemory(*op)) return true;
    return false;
  }

  Available available_;
  DominanceInfo dominance_;
  bool changed_ = false;
};

class Cse : public Pass {
 public:
  Cse() : Pass("cse", "Replaces operations by equal ones that come before them") {
    example("airlite-opt --cse in.mlir");
  }
  PassResult run(Operation& op, PassContext&) override {
    CseDriver driver;
    bool changed = driver.run(op);
    merged_.value += driver.merged;
    dead_.value += driver.dead;
    return changedIf(changed);
  }

 private:
  PassStatistic& merged_ = statistic("num-cse'd", "operations replaced by an equal one");
  PassStatistic& dead_ = statistic("num-dce'd", "dead operations removed");
};

}  // namespace

void registerCse(PassRegistry& registry) { registry.add<Cse>(); }

}  // namespace airlite
