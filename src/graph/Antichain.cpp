// Maximum antichains by the dual: a smallest cover of the nodes with chains.
//
// In the bipartite graph of the closure (a left and a right copy of each node, an arc from the left
// of a node to the right of all that it reaches) a matching joins nodes to chains. The closure
// itself is not needed: an arc from the right copy of a node to its left one lets a path continue, so
// a largest flow in a network of the graph's own arcs is a largest matching. Left copies that the
// source still reaches, with right ones that it does not, make up the antichain.
//
// The flow is found in phases, along shortest ways only (Dinic; Hopcroft and Karp where the
// capacities are 1). Boost.Graph has other methods; on long chains, which is what programs are,
// boykov_kolmogorov_max_flow takes time quadratic in their length (3 s for 10,000 nodes).
#include "airlite/graph/Algorithms.hpp"

#include <algorithm>

namespace airlite::graph {

namespace {

constexpr int64_t kUnlimited = int64_t(1) << 62;

/// A largest flow from one vertex to another.
class FlowNetwork {
 public:
  FlowNetwork(size_t numVertices, size_t source, size_t sink)
      : source_(source), sink_(sink), arcsOf_(numVertices) {}

  void addArc(size_t from, size_t to, int64_t capacity) {
    arcsOf_[from].push_back(static_cast<uint32_t>(arcs_.size()));
    arcs_.push_back({to, capacity});
    arcsOf_[to].push_back(static_cast<uint32_t>(arcs_.size()));
    arcs_.push_back({from, 0});
  }

  void solve() {
    while (findDistances()) {
      next_.assign(arcsOf_.size(), 0);
      while (augment()) {
      }
    }
  }

  /// After solve(): there is room on the way from the source.
  bool isReached(size_t vertex) const { return distance_[vertex] != kFar; }

 private:
  struct FlowArc {  // the one back is its neighbour: odd and even
    size_t to;
    int64_t room;
  };
  static constexpr uint32_t kFar = UINT32_MAX;

  bool findDistances() {
    distance_.assign(arcsOf_.size(), kFar);
    distance_[source_] = 0;
    std::vector<size_t> work{source_};
    for (size_t i = 0; i < work.size(); ++i)
      for (uint32_t arc : arcsOf_[work[i]]) {
        size_t to = arcs_[arc].to;
        if (arcs_[arc].room == 0 || distance_[to] != kFar) continue;
        distance_[to] = distance_[work[i]] + 1;
        work.push_back(to);
      }
    return distance_[sink_] != kFar;
  }

  /// Continues along a shortest way until the sink, back where there is none.
  bool augment() {
    std::vector<uint32_t>& path = path_;
    path.clear();
    size_t vertex = source_;
    while (vertex != sink_) {
      if (std::optional<uint32_t> arc = step(vertex)) {
        path.push_back(*arc);
        vertex = arcs_[*arc].to;
        continue;
      }
      if (path.empty()) return false;
      vertex = arcs_[path.back() ^ 1].to;
      path.pop_back();
      ++next_[vertex];
    }
    int64_t amount = kUnlimited;
    for (uint32_t arc : path)
      amount = std::min(amount, arcs_[arc].room);
    for (uint32_t arc : path) {
      arcs_[arc].room -= amount;
      arcs_[arc ^ 1].room += amount;
    }
    return true;
  }

  std::optional<uint32_t> step(size_t vertex) {
    const std::vector<uint32_t>& list = arcsOf_[vertex];
    for (size_t& i = next_[vertex]; i < list.size(); ++i) {
      const FlowArc& arc = arcs_[list[i]];
      if (arc.room > 0 && distance_[arc.to] == distance_[vertex] + 1) return list[i];
    }
    return std::nullopt;
  }

  size_t source_, sink_;
  std::vector<FlowArc> arcs_;
  std::vector<std::vector<uint32_t>> arcsOf_;
  std::vector<uint32_t> distance_;
  std::vector<size_t> next_;
  std::vector<uint32_t> path_;
};

size_t left(NodeId node) { return 2 * size_t(node); }
size_t right(NodeId node) { return 2 * size_t(node) + 1; }

}  // namespace

std::optional<std::vector<NodeId>> maximumAntichain(const Digraph& graph,
                                                    std::span<const int64_t> weights) {
  // Arcs that say nothing new make the search for ways through the network long.
  std::optional<std::vector<Arc>> arcs = transitiveReduction(graph);
  if (!arcs) return std::nullopt;
  size_t source = 2 * size_t(graph.numNodes()), sink = source + 1;
  FlowNetwork network(sink + 1, source, sink);
  for (NodeId node = 0; node < graph.numNodes(); ++node) {
    int64_t weight = weights.empty() ? 1 : weights[node];
    network.addArc(source, left(node), weight);
    network.addArc(right(node), sink, weight);
    network.addArc(right(node), left(node), kUnlimited);
  }
  for (const Arc& arc : *arcs)
    network.addArc(left(arc.from), right(arc.to), kUnlimited);
  network.solve();
  std::vector<NodeId> antichain;
  for (NodeId node = 0; node < graph.numNodes(); ++node)
    if (network.isReached(left(node)) && !network.isReached(right(node))) antichain.push_back(node);
  return antichain;
}

}  // namespace airlite::graph
