// The tree of one flow through the graph: cheapest paths, one destination after the other.
#pragma once

#include "Graph.hpp"

#include <cstdint>
#include <functional>
#include <queue>

namespace airlite::npu {

/// What one step through the graph costs at least.
constexpr int hopCost = 8;

/// A node of a flow's tree and the node its data comes from; the source has parent -1.
struct Branch {
  int node;
  int parent;
};
using RouteTree = std::vector<Branch>;

/// Finds trees. Keeps its arrays from one search to the next.
class TreeSearch {
 public:
  explicit TreeSearch(const RouteGraph& graph)
      : graph_(graph), cost_(graph.size()), from_(graph.size()), epoch_(graph.size(), 0) {}

  /// Starts a tree that has the source alone. `costs`: for each node, at least hopCost; must live
  /// until the last call of extendTo.
  void start(int source, std::span<const int> costs);
  /// Adds the cheapest way from the tree to `target`; false when there is none.
  bool extendTo(int target);
  RouteTree take() { return std::move(tree_); }

 private:
  struct Entry {
    int estimate;
    int cost;
    int node;
    // Of equal estimates the one that is further on: with a good estimate that is the goal.
    friend bool operator>(const Entry& a, const Entry& b) {
      if (a.estimate != b.estimate) return a.estimate > b.estimate;
      if (a.cost != b.cost) return a.cost < b.cost;
      return a.node > b.node;
    }
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  int estimate(int node, int target) const;
  void reach(int node, int from, int cost, int target);
  void addPath(int target);

  const RouteGraph& graph_;
  std::span<const int> nodeCosts_;
  std::vector<int> cost_, from_;
  std::vector<uint32_t> epoch_;
  uint32_t now_ = 0;
  Queue queue_;
  RouteTree tree_;
};

}  // namespace airlite::npu
