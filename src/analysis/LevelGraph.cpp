// The ACDG sorted by the bodies of hierarchy ops, and sizes of iteration spaces.
#include "BodySchedule.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite::analysis {

using graph::Acdg;
using graph::EdgeKind;
using graph::kNoNode;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

int64_t timesHeld(int64_t a, int64_t b) {
  if (a <= 0 || b <= 0) return 0;
  return a > kMostHeld / b ? kMostHeld : a * b;
}

namespace {

bool isOpNode(NodeKind kind) { return kind <= NodeKind::Compute; }

/// `node`, or the level around it that stands directly in `level`; none when there is none.
NodeId liftedTo(const LevelGraph& program, NodeId node, ScopeId level) {
  while (node != kNoNode && program.levelOf[program.acdg.nodes[node].scope] != level) {
    ScopeId inner = program.levelOf[program.acdg.nodes[node].scope];
    node = program.acdg.scopes[inner].owner;
  }
  return node;
}

/// a shares with b, b with c: one hardware partition for all three. Groups with a member in common
/// become one.
void mergeGroups(std::vector<std::vector<NodeId>>& groups) {
  std::unordered_map<NodeId, size_t> groupOf;
  std::vector<size_t> parent(groups.size());
  auto rootOf = [&](size_t group) {
    while (parent[group] != group)
      group = parent[group] = parent[parent[group]];
    return group;
  };
  for (size_t i = 0; i < groups.size(); ++i) {
    parent[i] = i;
    for (NodeId member : groups[i]) {
      auto [first, isNew] = groupOf.try_emplace(member, i);
      if (!isNew) parent[rootOf(i)] = rootOf(first->second);
    }
  }
  std::vector<std::vector<NodeId>> merged(groups.size());
  for (size_t i = 0; i < groups.size(); ++i)
    for (NodeId member : groups[i])
      if (groupOf[member] == i) merged[rootOf(i)].push_back(member);
  std::erase_if(merged, [](const std::vector<NodeId>& group) { return group.empty(); });
  groups = std::move(merged);
}

}  // namespace

LevelGraph::LevelGraph(Operation& root)
    : acdg(graph::buildAcdg(root)),
      bodies(acdg.nodes.size()),
      levelOf(acdg.scopes.size()),
      edges(acdg.scopes.size()),
      affine(acdg.scopes.size()) {
  for (ScopeId id = 0; id < acdg.scopes.size(); ++id) {
    const graph::Scope& scope = acdg.scopes[id];
    if (scope.owner != kNoNode) bodies[scope.owner].push_back(id);
    // A scope comes after the one around it.
    bool isOwn = scope.owner == kNoNode || isLevel(scope.owner);
    levelOf[id] = isOwn ? id : levelOf[scope.parent];
  }
  for (NodeId id = 0; id < acdg.nodes.size(); ++id) {
    const graph::Node& node = acdg.nodes[id];
    if (node.op && isOpNode(node.kind)) nodeOf.try_emplace(node.op, id);
    if (node.kind == NodeKind::Result) resultNodes[node.token] = id;
  }
  for (const graph::Edge& edge : acdg.edges) {
    if (edge.kind == EdgeKind::Channel) continue;
    ScopeId level = levelOf[acdg.nodes[edge.from].scope];
    NodeId to = liftedTo(*this, edge.to, level);
    if (to != kNoNode && to != edge.from)
      edges[level].push_back({edge.from, to, edge.kind, to != edge.to});
  }
  for (const graph::TokenGroup& group : acdg.groups) {
    if (group.kind != graph::TokenGroup::Kind::Affinity) continue;
    std::vector<ScopeId> levels;
    for (NodeId member : group.members) {
      ScopeId level = levelOf[acdg.nodes[member].scope];
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
        levels.push_back(level);
        affine[level].emplace_back();
      }
      affine[level].back().push_back(member);
    }
  }
  for (std::vector<std::vector<NodeId>>& groups : affine)
    mergeGroups(groups);
}

NodeId LevelGraph::nodeAround(Operation* op) const {
  for (; op; op = op->parentOp())
    if (auto it = nodeOf.find(op); it != nodeOf.end()) return it->second;
  return kNoNode;
}

namespace {

std::optional<int64_t> parallelPoints(affine::ParallelOp loop) {
  int64_t points = 1;
  for (unsigned i = 0; i < loop.numDims(); ++i) {
    affine::Application lower = loop.lowerBound(i), upper = loop.upperBound(i);
    if (lower.map.numResults() != 1 || upper.map.numResults() != 1) return std::nullopt;
    std::optional<int64_t> from = lower.map.result(0).constantValue();
    std::optional<int64_t> to = upper.map.result(0).constantValue();
    if (!from || !to) return std::nullopt;
    std::optional<int64_t> count = scf::constantTripCount(*from, *to, loop.step(i));
    if (!count) return std::nullopt;
    points = timesHeld(points, *count);
  }
  return points;
}

std::optional<int64_t> forallPoints(scf::ForallOp loop) {
  int64_t points = 1;
  for (unsigned i = 0; i < loop.rank(); ++i) {
    int64_t lower = loop.staticLowerBounds()[i], upper = loop.staticUpperBounds()[i];
    int64_t step = loop.staticSteps()[i];
    if (lower == kDynamic || upper == kDynamic || step == kDynamic) return std::nullopt;
    std::optional<int64_t> count = scf::constantTripCount(lower, upper, step);
    if (!count) return std::nullopt;
    points = timesHeld(points, *count);
  }
  return points;
}

}  // namespace

std::optional<int64_t> constantPoints(Operation& op, LinearReader& indices) {
  if (affine::ParallelOp loop = dynCast<affine::ParallelOp>(&op)) return parallelPoints(loop);
  if (scf::ForallOp loop = dynCast<scf::ForallOp>(&op)) return forallPoints(loop);
  unsigned dims = 0;
  if (air::HierarchyOp level = air::asHierarchy(&op))
    dims = level.numDims();
  else if (isa<scf::ForOp>(&op) || isa<affine::ForOp>(&op))
    dims = 1;
  else if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op))
    dims = loop.numLoops();
  else
    return std::nullopt;
  int64_t points = 1;
  for (unsigned i = 0; i < dims; ++i) {
    std::optional<SymbolRange> range = indices.rangeOf(op.region(0).front().argument(i));
    if (!range) return std::nullopt;
    points = timesHeld(points, range->count);
  }
  return points;
}

}  // namespace airlite::analysis
