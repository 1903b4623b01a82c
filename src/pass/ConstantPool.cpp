// One constant op per value and type in each isolated region, kept at the start of it.
#include "ConstantPool.hpp"

#include "../support/Hashing.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite {

uint64_t ConstantPool::Key::hash() const {
  return detail::Hasher().add(block).add(value).add(type).add(def).value();
}

ConstantPool::Entry& ConstantPool::entryOf(const Key& key) {
  return *table_.findOrMake(
      key.hash(), [&](const Entry& other) { return other.key == key; },
      [&] {
        auto number = static_cast<uint32_t>(entries_.size() + 1);
        return &entries_.emplace_back(Entry{key, nullptr, number});
      });
}

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
  Entry& entry = entryOf({home, value, op.result().type(), &op.def()});
  if (entry.op == &op) return true;
  if (entry.op) {
    rewriter.replaceOp(op, entry.op->result());
    return false;
  }
  // Runs of constants stay in order; one that stands elsewhere moves to the very start.
  bool inRun = isAdopted(op.prev());
  if (op.block() != home || (&home->front() != &op && !inRun)) {
    op.moveTo(*home, &home->front());
    rewriter.notifyModified(op);
  }
  entry.op = &op;
  numbers_.set(&op, entry.number);
  return true;
}

void ConstantPool::forget(Operation& op) {
  if (!op.hasTrait(Trait::ConstantLike)) return;
  uint32_t number = numbers_.get(&op);
  if (number == 0) return;
  entries_[number - 1].op = nullptr;
  numbers_.set(&op, 0);
}

void ConstantPool::clear() {
  for (Entry& entry : entries_)
    if (entry.op) numbers_.set(entry.op, 0);
  entries_.clear();
  table_ = {};
}

}  // namespace airlite
