// Control flow clean-up: unreachable blocks and blocks with a single way in.
#include "RegionSimplifier.hpp"

#include <unordered_set>

namespace airlite {

static std::unordered_set<Block*> reachableBlocks(Region& region) {
  std::unordered_set<Block*> reached{&region.front()};
  std::vector<Block*> work{&region.front()};
  while (!work.empty()) {
    Block* block = work.back();
    work.pop_back();
    for (Block* successor : block->successors())
      if (reached.insert(successor).second) work.push_back(successor);
  }
  return reached;
}

static bool eraseUnreachable(Region& region, Rewriter& rewriter) {
  if (region.empty() || region.hasOneBlock()) return false;
  std::unordered_set<Block*> reached = reachableBlocks(region);
  std::vector<Block*> dead;
  for (Block& block : region.blocks())
    if (!reached.contains(&block)) dead.push_back(&block);
  // They may use each other's values in any order.
  for (Block* block : dead)
    for (Operation& op : block->ops()) op.walk([](Operation& inner) { inner.dropAllReferences(); });
  for (Block* block : dead) rewriter.eraseBlock(*block);
  return !dead.empty();
}

/// `cf.br ^b(...)` into a block that nothing else reaches: the block is appended.
static bool mergeIntoPredecessor(Block& block, Rewriter& rewriter) {
  if (block.isEntry() || block.predecessorTerminators().size() != 1) return false;
  Operation* branch = block.predecessorTerminators().front();
  bool plain = branch->is("cf.br") && branch->block() != &block;
  if (!plain) return false;
  std::vector<Value> values = branch->operands().vec();
  if (values.size() != block.numArguments()) return false;
  // Inlined before the branch, which then is in the way and dead: unhook it first.
  Block* target = branch->block();
  for (unsigned i = 0; i < block.numArguments(); ++i)
    rewriter.replaceAllUses(block.argument(i), values[i]);
  rewriter.eraseOp(*branch);
  target->splice(nullptr, block, block.empty() ? nullptr : &block.front());
  rewriter.eraseBlock(block);
  return true;
}

static bool mergeBlocks(Region& region, Rewriter& rewriter) {
  if (region.empty() || region.hasOneBlock()) return false;
  bool changed = false;
  for (Block* block = region.front().next(); block;) {
    Block* next = block->next();
    changed |= mergeIntoPredecessor(*block, rewriter);
    block = next;
  }
  return changed;
}

bool simplifyRegions(Operation& op, Rewriter& rewriter) {
  bool changed = false;
  for (Region& region : op.regions()) {
    changed |= eraseUnreachable(region, rewriter);
    changed |= mergeBlocks(region, rewriter);
  }
  return changed;
}

}  // namespace airlite
