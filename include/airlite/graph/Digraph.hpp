// A directed graph of numbered nodes: plain data that knows nothing of the IR. Algorithms.hpp has
// the queries on it.
//
//   Digraph graph(3, std::array{Arc{0, 1}, Arc{1, 2}});
//   for (NodeId next : graph.successors(1)) visit(next);  // 2
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace airlite::graph {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

struct Arc {
  NodeId from = kNoNode;
  NodeId to = kNoNode;
  auto operator<=>(const Arc&) const = default;
};

/// Successor lists, one after the other in one array. Parallel arcs and arcs from a node to itself
/// are kept.
class Digraph {
 public:
  Digraph() = default;
  /// The ends of all arcs must be below `numNodes`. Arcs of one node keep their order. O(V + E).
  Digraph(NodeId numNodes, std::span<const Arc> arcs);

  NodeId numNodes() const { return static_cast<NodeId>(begins_.empty() ? 0 : begins_.size() - 1); }
  size_t numArcs() const { return targets_.size(); }
  std::span<const NodeId> successors(NodeId node) const {
    return {targets_.data() + begins_[node], begins_[node + 1] - begins_[node]};
  }
  /// All arcs the other way round. O(V + E).
  Digraph reversed() const;
  /// In the order of their sources.
  std::vector<Arc> arcs() const;

 private:
  std::vector<size_t> begins_;  // numNodes + 1
  std::vector<NodeId> targets_;
};

}  // namespace airlite::graph
