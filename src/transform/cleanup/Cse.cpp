// cse: common subexpression elimination. An operation without effects (or one that only reads,
// when nothing in between may write) is replaced by an equal one that dominates it: same name,
// operands, attributes, result types. Dead operations go as well. Operations with regions are left
// alone. The search looks at the block and at the blocks around it; in regions of several blocks each
// block stands for itself, and isolated regions start afresh.
#include "airlite/ir/Dominance.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "support/Hashing.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace airlite {

namespace {

uint64_t hashOf(const Operation& op) {
  detail::Hasher hasher;
  hasher.add(&op.def()).add(op.attributes());
  for (Value operand : op.operands())
    hasher.add(operand.impl());
  for (unsigned i = 0; i < op.numResults(); ++i)
    hasher.add(op.result(i).type());
  return hasher.value();
}

bool isSameExpression(const Operation& a, const Operation& b) {
  if (&a.def() != &b.def() || a.attributes() != b.attributes() ||
      a.numOperands() != b.numOperands() || a.numResults() != b.numResults())
    return false;
  for (unsigned i = 0; i < a.numOperands(); ++i)
    if (a.operand(i) != b.operand(i)) return false;
  for (unsigned i = 0; i < a.numResults(); ++i)
    if (a.result(i).type() != b.result(i).type()) return false;
  return true;
}

/// An op with the hash that it had when it became available.
struct Expression {
  Operation* op = nullptr;
  uint64_t hash = 0;
};

/// Expressions that are available, with the scopes they came from. Open addressing; what is taken
/// out closes its gap, so that a search ends at the first free slot.
class Available {
 public:
  Operation* find(const Expression& wanted) const {
    if (slots_.empty()) return nullptr;
    size_t at = wanted.hash & mask();
    while (slots_[at].op && !matches(slots_[at], wanted))
      at = next(at);
    return slots_[at].op;
  }
  /// One that is not available yet.
  void add(const Expression& expression) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    place(expression);
    ++size_;
    added_.push_back(expression);
  }
  void replaceWith(Operation* known, const Expression& expression) {
    slots_[slotOf(known, expression.hash)].op = expression.op;
    added_.push_back(expression);
  }
  size_t mark() const { return added_.size(); }
  void rollBack(size_t mark) {
    for (; added_.size() > mark; added_.pop_back())
      remove(added_.back());
  }

 private:
  static bool matches(const Expression& a, const Expression& b) {
    return a.hash == b.hash && isSameExpression(*a.op, *b.op);
  }
  size_t mask() const { return slots_.size() - 1; }
  size_t next(size_t at) const { return (at + 1) & mask(); }
  /// Where `op` is, or the free slot where the search for it ends.
  size_t slotOf(const Operation* op, uint64_t hash) const {
    size_t at = hash & mask();
    while (slots_[at].op && slots_[at].op != op)
      at = next(at);
    return at;
  }
  void place(const Expression& expression) {
    size_t at = expression.hash & mask();
    while (slots_[at].op)
      at = next(at);
    slots_[at] = expression;
  }
  void grow() {
    std::vector<Expression> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Expression& expression : old)
      if (expression.op) place(expression);
  }
  /// Unless another op has taken its place.
  void remove(const Expression& expression) {
    size_t hole = slotOf(expression.op, expression.hash);
    if (!slots_[hole].op) return;
    --size_;
    for (size_t at = next(hole); slots_[at].op; at = next(at)) {
      size_t wanted = (at - slots_[at].hash) & mask();
      if (wanted < ((at - hole) & mask())) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
  }

  std::vector<Expression> slots_;
  std::vector<Expression> added_;
  size_t size_ = 0;
};

enum class Kind { NoEffect, ReadsOnly, Other };

/// `effects` is room to work in, here and below.
Kind kindOf(Operation& op, std::vector<EffectInstance>& effects) {
  if (op.numRegions() || op.hasTrait(Trait::Terminator)) return Kind::Other;
  effects.clear();
  if (!effectsOf(op, effects)) return Kind::Other;
  if (effects.empty()) return Kind::NoEffect;
  for (const EffectInstance& effect : effects)
    if (effect.effect != Effect::Read) return Kind::Other;
  return Kind::ReadsOnly;
}

/// May `op` itself write, free or synchronise?
bool changesMemory(Operation& op, std::vector<EffectInstance>& effects) {
  if (op.hasTrait(Trait::RecursiveEffects) || op.hasTrait(Trait::Terminator)) return false;
  effects.clear();
  if (!effectsOf(op, effects)) return true;
  return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
    return effect.effect != Effect::Read && effect.effect != Effect::Allocate;
  });
}

/// The same of `op` and anything inside.
bool mayChangeMemory(Operation& op, std::vector<EffectInstance>& effects) {
  if (op.numRegions() == 0) return changesMemory(op, effects);
  WalkResult result = op.walkWith([&](Operation& inner) {
    return changesMemory(inner, effects) ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

class CseDriver {
 public:
  bool run(Operation& root) {
    for (Region& region : root.regions())
      visitRegion(region);
    return changed_;
  }
  uint64_t merged = 0, dead = 0;

 private:
  void visitRegion(Region& region) {
    if (region.empty()) return;
    if (region.parentOp()->hasTrait(Trait::IsolatedFromAbove)) {
      // What was used for the isolated region before is empty again.
      std::swap(available_, outside_.emplace_back(takeSpare()));
      visitBlocks(region);
      std::swap(available_, outside_.back());
      spare_.push_back(std::move(outside_.back()));
      outside_.pop_back();
      return;
    }
    visitBlocks(region);
  }

  Available takeSpare() {
    if (spare_.empty()) return {};
    Available spare = std::move(spare_.back());
    spare_.pop_back();
    return spare;
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
      for (Region& region : op.regions())
        visitRegion(region);
      visitOp(op);
    }
  }

  void visitOp(Operation& op) {
    if (op.numResults() == 0) return;
    Kind kind = kindOf(op, effects_);
    if (kind == Kind::Other) return;
    Expression expression{&op, hashOf(op)};
    Operation* known = available_.find(expression);
    if (!known) return available_.add(expression);
    if (kind == Kind::ReadsOnly && writesBetween(*known, op))
      return available_.replaceWith(known, expression);
    for (unsigned i = 0; i < op.numResults(); ++i)
      op.result(i).replaceAllUsesWith(known->result(i));
    op.erase();
    ++merged;
    changed_ = true;
  }

  bool writesBetween(Operation& from, Operation& to) {
    if (from.block() != to.block()) return true;
    for (Operation* op = from.next(); op != &to; op = op->next())
      if (mayChangeMemory(*op, effects_)) return true;
    return false;
  }

  Available available_;
  std::vector<Available> outside_;  // of the isolated regions that the current one is in
  std::vector<Available> spare_;    // empty, with the memory they had
  std::vector<EffectInstance> effects_;
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
