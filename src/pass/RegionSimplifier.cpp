// Control flow clean-up: unreachable blocks, blocks with a single way in, arguments that nobody
// reads.
#include "RegionSimplifier.hpp"

#include <algorithm>
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
    for (Operation& op : block->ops())
      op.walk([](Operation& inner) { inner.dropAllReferences(); });
  for (Block* block : dead)
    rewriter.eraseBlock(*block);
  return !dead.empty();
}

bool eraseUnreachableBlocks(Operation& op, Rewriter& rewriter) {
  bool changed = false;
  for (Region& region : op.regions())
    changed |= eraseUnreachable(region, rewriter);
  return changed;
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

/// A branch no longer passes argument `index` on to `target`.
static void dropPassedValue(Operation& branch, Block& target, unsigned index, Rewriter& rewriter) {
  for (unsigned i = 0; i < branch.numSuccessors(); ++i) {
    if (branch.successor(i) != &target) continue;
    unsigned group = branch.is("cf.br") ? 0 : i + 1;  // cond_br: the condition is group 0
    std::vector<Value> values = branch.operandGroup(group).vec();
    values.erase(values.begin() + index);
    rewriter.modify(branch, [&] { branch.setOperandGroup(group, values); });
  }
}

/// Arguments that nobody reads, of a block that is reached by plain branches only.
static bool eraseUnusedArguments(Block& block, Rewriter& rewriter) {
  std::vector<Operation*> branches;
  for (Operation* branch : block.predecessorTerminators()) {
    if (!branch->is("cf.br") && !branch->is("cf.cond_br")) return false;
    if (std::find(branches.begin(), branches.end(), branch) == branches.end())
      branches.push_back(branch);
  }
  bool changed = false;
  for (unsigned i = block.numArguments(); i-- > 0;) {
    if (block.isEntry() || block.argument(i).hasUses()) continue;
    for (Operation* branch : branches)
      dropPassedValue(*branch, block, i, rewriter);
    block.eraseArgument(i);
    changed = true;
  }
  return changed;
}

static bool eraseUnusedArguments(Region& region, Rewriter& rewriter) {
  bool changed = false;
  for (Block& block : region.blocks())
    changed |= eraseUnusedArguments(block, rewriter);
  return changed;
}

bool simplifyRegions(Operation& op, Rewriter& rewriter) {
  bool changed = false;
  for (Region& region : op.regions()) {
    changed |= eraseUnreachable(region, rewriter);
    changed |= mergeBlocks(region, rewriter);
    changed |= eraseUnusedArguments(region, rewriter);
  }
  return changed;
}

}  // namespace airlite
