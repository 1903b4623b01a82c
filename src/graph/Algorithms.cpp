// Orders, cycles, closures and paths of directed graphs.
#include "airlite/graph/Algorithms.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <functional>
#include <queue>

namespace airlite::graph {

// -- Orders and cycles ----------------------------------------------------------------------------

std::optional<std::vector<NodeId>> topologicalOrder(const Digraph& graph) {
  std::vector<size_t> open(graph.numNodes());
  for (NodeId node = 0; node < graph.numNodes(); ++node)
    for (NodeId to : graph.successors(node))
      ++open[to];
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (NodeId node = 0; node < graph.numNodes(); ++node)
    if (open[node] == 0) ready.push(node);
  std::vector<NodeId> order;
  order.reserve(graph.numNodes());
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (NodeId to : graph.successors(order.back()))
      if (--open[to] == 0) ready.push(to);
  }
  if (order.size() != graph.numNodes()) return std::nullopt;
  return order;
}

Components stronglyConnectedComponents(const Digraph& graph) {
  using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                                 boost::no_property, boost::no_property, NodeId>;
  std::vector<std::pair<NodeId, NodeId>> arcs;
  arcs.reserve(graph.numArcs());
  for (const Arc& arc : graph.arcs())
    arcs.emplace_back(arc.from, arc.to);
  Csr csr(boost::edges_are_sorted, arcs.begin(), arcs.end(), graph.numNodes());
  Components components{std::vector<NodeId>(graph.numNodes()), 0};
  auto map = boost::make_iterator_property_map(components.of.begin(),
                                               boost::get(boost::vertex_index, csr));
  components.count = graph.numNodes() ? boost::strong_components(csr, map) : 0;
  // Boost numbers them the other way round.
  for (NodeId& component : components.of)
    component = components.count - 1 - component;
  return components;
}

namespace {

/// Shortest way from `start` back to it that stays in its component.
std::vector<NodeId> cycleThrough(NodeId start, const Digraph& graph, const Components& components) {
  std::vector<NodeId> from(graph.numNodes(), kNoNode);
  std::vector<NodeId> work{start};
  for (size_t i = 0; i < work.size() && from[start] == kNoNode; ++i)
    for (NodeId to : graph.successors(work[i])) {
      if (components.of[to] != components.of[start] || from[to] != kNoNode) continue;
      from[to] = work[i];
      work.push_back(to);
    }
  std::vector<NodeId> cycle;
  for (NodeId node = from[start]; node != start; node = from[node])
    cycle.push_back(node);
  cycle.push_back(start);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

}  // namespace

std::vector<NodeId> findCycle(const Digraph& graph) {
  Components components = stronglyConnectedComponents(graph);
  std::vector<NodeId> size(components.count);
  for (NodeId component : components.of)
    ++size[component];
  for (NodeId node = 0; node < graph.numNodes(); ++node) {
    std::span<const NodeId> next = graph.successors(node);
    bool onCycle =
        size[components.of[node]] > 1 || std::find(next.begin(), next.end(), node) != next.end();
    if (onCycle) return cycleThrough(node, graph, components);
  }
  return {};
}

// -- Closure --------------------------------------------------------------------------------------

TransitiveClosure::TransitiveClosure(NodeId numNodes)
    : stride_((size_t(numNodes) + 63) / 64), words_(stride_ * numNodes) {}

void TransitiveClosure::add(NodeId from, NodeId to) {
  words_[from * stride_ + to / 64] |= uint64_t(1) << (to % 64);
}

void TransitiveClosure::addRow(NodeId from, NodeId other) {
  for (size_t i = 0; i < stride_; ++i)
    words_[from * stride_ + i] |= words_[other * stride_ + i];
}

std::optional<TransitiveClosure> transitiveClosure(const Digraph& graph) {
  NodeId count = graph.numNodes();
  if (count > TransitiveClosure::kMaxNodes) return std::nullopt;
  TransitiveClosure closure(count);
  Components components = stronglyConnectedComponents(graph);
  std::vector<std::vector<NodeId>> members(components.count);
  for (NodeId node = 0; node < count; ++node)
    members[components.of[node]].push_back(node);
  // What a component leads to is complete before it is; its nodes share one row.
  for (NodeId i = components.count; i-- > 0;) {
    NodeId first = members[i].front();
    for (NodeId node : members[i])
      for (NodeId to : graph.successors(node)) {
        closure.add(first, to);
        if (components.of[to] != i) closure.addRow(first, to);
      }
    if (members[i].size() == 1) continue;
    for (NodeId node : members[i])
      closure.add(first, node);
    for (NodeId node : members[i])
      if (node != first) closure.addRow(node, first);
  }
  return closure;
}

// -- Reduction and paths --------------------------------------------------------------------------

std::optional<std::vector<Arc>> transitiveReduction(const Digraph& graph) {
  if (!topologicalOrder(graph)) return std::nullopt;
  Reachability reachability(graph);
  Digraph reversed = graph.reversed();
  std::vector<Arc> arcs;
  for (NodeId to = 0; to < graph.numNodes(); ++to)
    for (NodeId from : reachability.latest(reversed.successors(to)))
      arcs.push_back({from, to});
  return arcs;
}

std::optional<CriticalPath> criticalPath(const Digraph& graph, FunctionRef<double(NodeId)> weight) {
  std::optional<std::vector<NodeId>> order = topologicalOrder(graph);
  if (!order) return std::nullopt;
  CriticalPath path;
  std::vector<double> begin(graph.numNodes());
  std::vector<NodeId> before(graph.numNodes(), kNoNode);
  path.earliest.resize(graph.numNodes());
  NodeId last = kNoNode;
  for (NodeId node : *order) {
    double end = path.earliest[node] = begin[node] + weight(node);
    if (last == kNoNode || end > path.length) last = node;
    path.length = std::max(path.length, end);
    for (NodeId to : graph.successors(node)) {
      if (before[to] != kNoNode && end <= begin[to]) continue;
      begin[to] = end;
      before[to] = node;
    }
  }
  for (; last != kNoNode; last = before[last])
    path.nodes.push_back(last);
  std::reverse(path.nodes.begin(), path.nodes.end());
  path.latest.assign(graph.numNodes(), path.length);
  for (size_t i = order->size(); i-- > 0;)
    for (NodeId to : graph.successors((*order)[i])) {
      double& end = path.latest[(*order)[i]];
      end = std::min(end, path.latest[to] - (path.earliest[to] - begin[to]));
    }
  return path;
}

}  // namespace airlite::graph
