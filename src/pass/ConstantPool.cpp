// One constant op per value and type in each isolated region, kept at the start of it.
#include "ConstantPool.hpp"

namespace airlite {

/// The entry block of the nearest region that constants may be shared in.
Block* ConstantPool::homeBlock(Operation& op) {
  Block* block = op.block();
  while (Operation* parent = block->parentOp()) {
    bool stops = parent->hasTrait(Trait::IsolatedFromAbove) ||
                 parent->hasTrait(Trait::AffineScope) || !parent->isRegistered() ||
                 !parent->block();
    if (stops) break;
    block = parent->block();
  }
  return block->parent() ? &block->parent()->front() : block;
}

Attribute ConstantPool::valueOf(Operation& op) {
  // Constants with more than their value (debug names, ...) are not interchangeable.
  return op.attributes().size() == 1 ? op.attr("value") : Attribute();
}

bool ConstantPool::adopt(Operation& op, Rewriter& rewriter) {
  Attribute value = valueOf(op);
  if (!value || op.numResults() != 1) return true;
  Block* home = homeBlock(op);
  Key key{home, value, op.result().type(), op.name()};
  auto [it, isNew] = pool_.try_emplace(key, &op);
  if (it->second == &op && !isNew) return true;
  if (!isNew) {
    rewriter.replaceOp(op, it->second->result());
    return false;
  }
  // Runs of constants stay in order; one that stands elsewhere moves to the very start.
  bool inRun = op.prev() && keys_.contains(op.prev());
  if (op.block() != home || (&home->front() != &op && !inRun))
    op.moveTo(*home, &home->front());
  keys_.emplace(&op, key);
  return true;
}

void ConstantPool::forget(Operation& op) {
  if (!op.hasTrait(Trait::ConstantLike)) return;
  auto it = keys_.find(&op);
  if (it == keys_.end()) return;
  pool_.erase(it->second);
  keys_.erase(it);
}

void ConstantPool::clear() {
  pool_.clear();
  keys_.clear();
}

}  // namespace airlite
