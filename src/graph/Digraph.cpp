// Directed graphs as successor lists.
#include "airlite/graph/Digraph.hpp"

#include <cassert>
#include <numeric>

namespace airlite::graph {

Digraph::Digraph(NodeId numNodes, std::span<const Arc> arcs)
    : begins_(size_t(numNodes) + 1), targets_(arcs.size()) {
  for (const Arc& arc : arcs) {
    assert(arc.from < numNodes && arc.to < numNodes);
    ++begins_[arc.from + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
  for (const Arc& arc : arcs)
    targets_[next[arc.from]++] = arc.to;
}

std::vector<Arc> Digraph::arcs() const {
  std::vector<Arc> arcs;
  arcs.reserve(numArcs());
  for (NodeId node = 0; node < numNodes(); ++node)
    for (NodeId to : successors(node))
      arcs.push_back({node, to});
  return arcs;
}

Digraph Digraph::reversed() const {
  std::vector<Arc> turned = arcs();
  for (Arc& arc : turned)
    std::swap(arc.from, arc.to);
  return Digraph(numNodes(), turned);
}

}  // namespace airlite::graph
