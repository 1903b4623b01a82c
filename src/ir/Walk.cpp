// Walking the tree of operations, without recursion: depth is bounded by memory only.
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Operation.hpp"

#include <array>
#include <memory_resource>

namespace airlite {
namespace {

Operation* firstIn(Block* block) {
  while (block && block->empty())
    block = block->next();
  return block ? &block->front() : nullptr;
}

Operation* firstInRegions(const Operation& op, unsigned from) {
  for (unsigned i = from; i < op.numRegions(); ++i) {
    if (op.region(i).empty()) continue;
    if (Operation* first = firstIn(&op.region(i).front())) return first;
  }
  return nullptr;
}

/// The next op that has the same parent op: later in the block, in a later block or region.
Operation* nextSibling(const Operation& op) {
  if (op.next()) return op.next();
  if (!op.parentRegion()) return nullptr;
  if (Operation* first = firstIn(op.block()->next())) return first;
  if (!op.parentOp()) return nullptr;
  return firstInRegions(*op.parentOp(), op.parentRegion()->index() + 1);
}

Operation* deepestFirst(Operation* op) {
  while (Operation* inner = firstInRegions(*op, 0))
    op = inner;
  return op;
}

void walkPostOrder(Operation& root, FunctionRef<void(Operation&)> callback) {
  for (Operation* op = deepestFirst(&root); op;) {
    Operation* next = nullptr;  // found first: the callback may erase `op`
    if (op != &root) {
      Operation* sibling = nextSibling(*op);
      next = sibling ? deepestFirst(sibling) : op->parentOp();
    }
    callback(*op);
    op = next;
  }
}

}  // namespace

WalkResult Operation::walkWith(FunctionRef<WalkResult(Operation&)> callback) {
  std::array<std::byte, 256> stack;  // for the usual depth
  std::pmr::monotonic_buffer_resource memory(stack.data(), stack.size());
  std::pmr::vector<Operation*> pending(&memory);  // one entry per level: where to continue there
  pending.reserve(stack.size() / sizeof(Operation*));
  pending.push_back(this);
  while (!pending.empty()) {
    Operation* op = pending.back();
    pending.pop_back();
    // Taken before the callback: ops that it adds after this one are not visited.
    Operation* sibling = op == this ? nullptr : nextSibling(*op);
    WalkResult result = callback(*op);
    if (result == WalkResult::Interrupt) return result;
    if (sibling) pending.push_back(sibling);
    if (result == WalkResult::Skip) continue;
    if (Operation* inner = firstInRegions(*op, 0)) pending.push_back(inner);
  }
  return WalkResult::Advance;
}

void Operation::walk(FunctionRef<void(Operation&)> callback, WalkOrder order) {
  if (order == WalkOrder::PostOrder) return walkPostOrder(*this, callback);
  walkWith([&](Operation& op) {
    callback(op);
    return WalkResult::Advance;
  });
}

}  // namespace airlite
