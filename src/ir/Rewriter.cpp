// Rewriter: changes with notification.
#include "airlite/ir/Rewriter.hpp"

namespace airlite {
namespace {

/// Says that `root` and all inside go. Users come before what they use, so that a listener that
/// looks at the operands never keeps an op that it was told to forget.
void notifyErased(RewriteListener& listener, Operation& root) {
  std::vector<Operation*> ops;
  root.walk([&](Operation& op) { ops.push_back(&op); });
  for (size_t i = ops.size(); i-- > 0;)
    listener.erased(*ops[i]);
}

}  // namespace

Operation* Rewriter::insert(Operation* op) {
  Builder::insert(op);
  if (listener_) op->walk([&](Operation& inner) { listener_->inserted(inner); });
  return op;
}

void Rewriter::replaceAllUses(Value from, Value to) {
  if (from == to) return;
  if (listener_ && from.definingOp()) listener_->replaced(*from.definingOp());
  while (from.hasUses()) {
    OpOperand& use = *from.uses().begin();
    use.set(to);
    notifyModified(*use.owner());
  }
}

void Rewriter::replaceOp(Operation& op, std::span<const Value> values) {
  assert(values.size() == op.numResults());
  for (unsigned i = 0; i < values.size(); ++i)
    replaceAllUses(op.result(i), values[i]);
  eraseOp(op);
}

void Rewriter::replaceOp(Operation& op, Operation& other) { replaceOp(op, other.resultValues()); }

void Rewriter::eraseOp(Operation& op) {
  if (listener_) notifyErased(*listener_, op);
  if (point_.before == &op) point_.before = op.next();
  op.erase();
}

void Rewriter::eraseBlock(Block& block) {
  for (Operation* op = block.empty() ? nullptr : &block.back(); op && listener_; op = op->prev())
    notifyErased(*listener_, *op);
  if (point_.block == &block) point_ = {};
  block.erase();
}

void Rewriter::inlineBlockBefore(Block& source, Operation& before, std::span<const Value> values) {
  assert(values.size() == source.numArguments());
  for (unsigned i = 0; i < values.size(); ++i)
    replaceAllUses(source.argument(i), values[i]);
  Operation* first = source.empty() ? nullptr : &source.front();
  before.block()->splice(&before, source, first);
  for (Operation* op = first; op && op != &before; op = op->next())
    notifyModified(*op);
  eraseBlock(source);
}

void Rewriter::moveBefore(Operation& op, Operation& other) {
  op.moveBefore(&other);
  notifyModified(op);
}

}  // namespace airlite
