// What the kinds of an ACDG are called, and the plain graphs made from one.
#include "airlite/graph/Acdg.hpp"

namespace airlite::graph {

std::string_view kindName(NodeKind kind) {
  switch (kind) {
    case NodeKind::Rank: return "rank";
    case NodeKind::Launch: return "launch";
    case NodeKind::Segment: return "segment";
    case NodeKind::Herd: return "herd";
    case NodeKind::Execute: return "execute";
    case NodeKind::Dma: return "dma";
    case NodeKind::Put: return "put";
    case NodeKind::Get: return "get";
    case NodeKind::WaitAll: return "wait_all";
    case NodeKind::Custom: return "custom";
    case NodeKind::Loop: return "loop";
    case NodeKind::Parallel: return "parallel";
    case NodeKind::Branch: return "branch";
    case NodeKind::Region: return "region";
    case NodeKind::Compute: return "compute";
    case NodeKind::Token: return "token";
    case NodeKind::Carried: return "carried";
    case NodeKind::Result: return "result";
    case NodeKind::Channel: return "channel";
  }
  return "";
}

std::string_view kindName(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Dependency: return "dependency";
    case EdgeKind::Channel: return "channel";
    case EdgeKind::Init: return "init";
    case EdgeKind::LoopCarried: return "loop_carried";
    case EdgeKind::Reduce: return "reduce";
    case EdgeKind::Structural: return "structural";
  }
  return "";
}

std::string_view kindName(TokenGroup::Kind kind) {
  return kind == TokenGroup::Kind::Affinity ? "affinity" : "concurrency";
}

namespace {

bool isHierarchy(NodeKind kind) { return kind <= NodeKind::Herd; }

/// A put comes before its get in part only: it begins before the get ends.
Arc channelArc(const Acdg& acdg, const Edge& edge) {
  bool fromHub = acdg.nodes[edge.from].kind == NodeKind::Channel;
  bool toHub = acdg.nodes[edge.to].kind == NodeKind::Channel;
  return {fromHub ? endOf(edge.from) : beginOf(edge.from),
          toHub ? beginOf(edge.to) : endOf(edge.to)};
}

}  // namespace

Digraph eventGraph(const Acdg& acdg, EventOptions options) {
  std::vector<Arc> arcs;
  arcs.reserve(3 * acdg.nodes.size() + acdg.edges.size());
  for (NodeId id = 0; id < acdg.nodes.size(); ++id) {
    const Node& node = acdg.nodes[id];
    arcs.push_back({beginOf(id), endOf(id)});
    NodeId owner = acdg.scopes[node.scope].owner;
    if (owner == kNoNode) continue;
    arcs.push_back({beginOf(owner), beginOf(id)});
    if (node.isBlocking || isHierarchy(acdg.nodes[owner].kind))
      arcs.push_back({endOf(id), endOf(owner)});
  }
  for (const Edge& edge : acdg.edges) {
    if (edge.kind == EdgeKind::LoopCarried && !options.loopCarried) continue;
    if (edge.kind != EdgeKind::Channel)
      arcs.push_back({endOf(edge.from), beginOf(edge.to)});
    else if (options.channels)
      arcs.push_back(channelArc(acdg, edge));
  }
  return Digraph(endOf(static_cast<NodeId>(acdg.nodes.size())) - 1, arcs);
}

Digraph scopeGraph(const Acdg& acdg, ScopeId scope, bool channels) {
  const std::vector<NodeId>& nodes = acdg.scopes[scope].nodes;
  std::vector<NodeId> place(acdg.nodes.size(), kNoNode);
  for (NodeId i = 0; i < nodes.size(); ++i)
    place[nodes[i]] = i;
  auto lifted = [&](NodeId node) {
    while (node != kNoNode && acdg.nodes[node].scope != scope)
      node = acdg.scopes[acdg.nodes[node].scope].owner;
    return node == kNoNode ? kNoNode : place[node];
  };
  std::vector<Arc> arcs;
  for (const Edge& edge : acdg.edges) {
    bool isLeftOut =
        edge.kind == EdgeKind::LoopCarried || (edge.kind == EdgeKind::Channel && !channels);
    Arc arc = isLeftOut ? Arc() : Arc{lifted(edge.from), lifted(edge.to)};
    if (arc.from != kNoNode && arc.to != kNoNode && arc.from != arc.to) arcs.push_back(arc);
  }
  return Digraph(static_cast<NodeId>(nodes.size()), arcs);
}

}  // namespace airlite::graph
