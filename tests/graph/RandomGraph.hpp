// Random graphs for the tests of the graph room, and the slow answers to compare with.
#pragma once

#include "airlite/graph/Digraph.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace airlite::graph {

/// `numNodes` nodes and about `numArcs` arcs; without cycles when `acyclic`, numbered at random.
inline Digraph randomGraph(std::mt19937& random, NodeId numNodes, size_t numArcs, bool acyclic) {
  std::vector<NodeId> names(numNodes);
  for (NodeId i = 0; i < numNodes; ++i)
    names[i] = i;
  std::shuffle(names.begin(), names.end(), random);
  std::vector<Arc> arcs;
  for (size_t i = 0; numNodes && i < numArcs; ++i) {
    NodeId from = random() % numNodes, to = random() % numNodes;
    if (acyclic && from == to) continue;
    if (acyclic && from > to) std::swap(from, to);
    arcs.push_back({names[from], names[to]});
  }
  return Digraph(numNodes, arcs);
}

using Matrix = std::vector<std::vector<bool>>;

/// Paths of one arc or more (Floyd and Warshall).
inline Matrix slowClosure(const Digraph& graph) {
  NodeId n = graph.numNodes();
  Matrix reaches(n, std::vector<bool>(n));
  for (const Arc& arc : graph.arcs())
    reaches[arc.from][arc.to] = true;
  for (NodeId k = 0; k < n; ++k)
    for (NodeId i = 0; i < n; ++i)
      for (NodeId j = 0; j < n; ++j)
        if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
  return reaches;
}

}  // namespace airlite::graph
