#include "Search.hpp"

#include <algorithm>
#include <cstdlib>

namespace airlite::npu {

void TreeSearch::start(int source, std::span<const int> costs) {
  nodeCosts_ = costs;
  tree_ = {{source, -1}};
}

/// Never more than the real rest: a step per tile between.
int TreeSearch::estimate(int node, int target) const {
  const Tile a = graph_[node].end.tile, b = graph_[target].end.tile;
  return hopCost * (std::abs(a.column - b.column) + std::abs(a.row - b.row));
}

void TreeSearch::reach(int node, int from, int cost, int target) {
  const auto n = size_t(node);
  if (epoch_[n] == now_ && cost_[n] <= cost) return;
  epoch_[n] = now_;
  cost_[n] = cost;
  from_[n] = from;
  queue_.push({cost + estimate(node, target), cost, node});
}

bool TreeSearch::extendTo(int target) {
  ++now_;
  queue_ = {};
  for (const auto& branch : tree_)
    if (!graph_[branch.node].isEnding) reach(branch.node, -1, 0, target);
  while (!queue_.empty()) {
    const auto [estimate, cost, node] = queue_.top();
    queue_.pop();
    if (cost > cost_[size_t(node)]) continue;  // a cheaper way came later
    if (node == target) return addPath(target), true;
    for (const int next : graph_.next(node))
      if (next == target || !graph_[next].isEnding)
        reach(next, node, cost + nodeCosts_[size_t(next)], target);
  }
  return false;
}

void TreeSearch::addPath(int target) {
  const auto joint = tree_.size();
  for (int node = target; from_[size_t(node)] != -1; node = from_[size_t(node)])
    tree_.push_back({node, from_[size_t(node)]});
  std::reverse(tree_.begin() + std::ptrdiff_t(joint), tree_.end());
}

}  // namespace airlite::npu
