// Dominance: order in a block, dominator trees between blocks, enclosing ops across regions.
#include "airlite/ir/Dominance.hpp"

#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isSameOrInside(const Region* inner, const Region& region) {
  return inner == &region || region.isProperAncestor(inner);
}

bool isGraphRegion(const Region* region) {
  return region && region->parentOp() && region->parentOp()->hasTrait(Trait::GraphRegion);
}

/// The op at or around `op` that stands directly in `region`; null when `op` is not inside.
const Operation* ancestorIn(const Region* region, const Operation* op) {
  while (op && op->parentRegion() != region)
    op = op->parentOp();
  return op;
}

/// The same for a block.
const Operation* ancestorInBlock(const Block* block, const Operation* op) {
  while (op && op->block() != block)
    op = op->parentOp();
  return op;
}

/// Blocks reachable from the entry, in post-order (iterative: graphs may be deep).
std::vector<const Block*> postOrder(const Region& region) {
  struct Frame {
    const Block* block;
    std::vector<Block*> successors;
    size_t next = 0;
  };
  std::vector<const Block*> order;
  std::unordered_map<const Block*, bool> seen;
  std::vector<Frame> stack;
  auto enter = [&](const Block* block) {
    if (block->parent() == &region && seen.emplace(block, true).second)
      stack.push_back({block, block->successors()});
  };
  enter(&region.front());
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.successors.size()) {
      enter(top.successors[top.next++]);
      continue;
    }
    order.push_back(top.block);
    stack.pop_back();
  }
  return order;
}

constexpr unsigned kNone = ~0u;

using Edges = std::vector<std::vector<unsigned>>;

unsigned commonDominator(const std::vector<unsigned>& idom, unsigned a, unsigned b) {
  while (a != b) {
    while (a > b)
      a = idom[a];
    while (b > a)
      b = idom[b];
  }
  return a;
}

/// Immediate dominators by reverse post-order number; the entry is its own.
std::vector<unsigned> immediateDominators(const Edges& predecessors) {
  std::vector<unsigned> idom(predecessors.size(), kNone);
  idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned block = 1; block < idom.size(); ++block) {
      unsigned best = kNone;
      for (unsigned pred : predecessors[block])
        if (idom[pred] != kNone) best = best == kNone ? pred : commonDominator(idom, pred, best);
      changed |= idom[block] != best;
      idom[block] = best;
    }
  }
  return idom;
}

}  // namespace

bool isInside(Value value, const Region& region) {
  return isSameOrInside(value.parentRegion(), region);
}
bool isInside(const Operation& op, const Region& region) {
  return isSameOrInside(op.parentRegion(), region);
}

const DominanceInfo::Tree& DominanceInfo::tree(const Region* region) {
  auto [it, isNew] = trees_.try_emplace(region);
  Tree& tree = it->second;
  if (!isNew || region->empty()) return tree;
  std::vector<const Block*> blocks = postOrder(*region);
  std::reverse(blocks.begin(), blocks.end());
  for (unsigned i = 0; i < blocks.size(); ++i)
    tree.order.emplace(blocks[i], i);
  Edges predecessors(blocks.size());
  for (unsigned i = 0; i < blocks.size(); ++i)
    for (const Block* successor : blocks[i]->successors())
      if (auto to = tree.order.find(successor); to != tree.order.end())
        predecessors[to->second].push_back(i);
  tree.idom = immediateDominators(predecessors);
  tree.number();
  return tree;
}

/// Numbers the tree so that a node's descendants are an interval: questions take O(1).
void DominanceInfo::Tree::number() {
  size_t count = idom.size();
  std::vector<unsigned> size(count, 1);
  for (size_t i = count; i-- > 1;)
    size[idom[i]] += size[i];
  first.assign(count, 0);
  last.assign(count, 0);
  std::vector<unsigned> nextFree(count, 1);
  // Reverse post-order visits a dominator before what it dominates.
  for (size_t i = 0; i < count; ++i) {
    if (i) {
      first[i] = nextFree[idom[i]];
      nextFree[idom[i]] += size[i];
    }
    nextFree[i] = first[i] + 1;
    last[i] = first[i] + size[i];
  }
}

bool DominanceInfo::isReachable(const Block* block) {
  const Region* region = block->parent();
  if (!region || block->isEntry()) return true;
  return tree(region).order.contains(block);
}

bool DominanceInfo::dominates(const Block* a, const Block* b) {
  if (a == b) return true;
  const Region* region = a->parent();
  if (!region) return false;
  if (b->parent() != region) {
    const Operation* around = b->parentOp() ? ancestorIn(region, b->parentOp()) : nullptr;
    return around && dominates(a, around->block());
  }
  const Tree& t = tree(region);
  auto from = t.order.find(a);
  auto to = t.order.find(b);
  if (to == t.order.end()) return true;  // no path leads to `b`: nothing to contradict
  if (from == t.order.end()) return false;
  return t.first[from->second] <= t.first[to->second] && t.first[to->second] < t.last[from->second];
}

bool DominanceInfo::properlyDominates(const Operation* a, const Operation* b) {
  if (a == b || !a->block()) return a != b && a->isProperAncestor(b);
  const Operation* around = ancestorIn(a->parentRegion(), b);
  if (!a->parentRegion()) around = b->block() == a->block() ? b : nullptr;
  if (!around) return false;
  if (around == a) return true;  // `b` is nested in `a`
  if (around->block() != a->block()) return dominates(a->block(), around->block());
  return isGraphRegion(a->parentRegion()) || a->isBeforeInBlock(around);
}

bool DominanceInfo::dominates(Value value, const Operation* user) {
  if (Block* block = value.argumentBlock()) {
    if (ancestorInBlock(block, user)) return true;
    const Operation* around = ancestorIn(block->parent(), user);
    return around && around->block() && dominates(block, around->block());
  }
  const Operation* definer = value.definingOp();
  // By far the most common case: defined before, in the same block or in one around it.
  const Operation* beside = definer->block() ? ancestorInBlock(definer->block(), user) : nullptr;
  if (beside && beside != definer && definer->isBeforeInBlock(beside)) return true;
  // A result is not there yet inside of the op that makes it, except in a graph region.
  if (definer->isAncestor(user)) return isGraphRegion(definer->parentRegion());
  return properlyDominates(definer, user);
}

}  // namespace airlite
