// The ways through a body, and the events of one of them as a graph.
#pragma once

#include "BodyPlan.hpp"
#include "airlite/graph/Digraph.hpp"

#include <unordered_set>

namespace airlite::analysis {

/// Ways through a body that are looked at one by one; of more than that only the heaviest is.
inline constexpr size_t kMaxPaths = 64;

struct BodyWays {
  std::vector<std::vector<size_t>> options;  // of each way: which option of each choice
  bool areAll = true;
};
BodyWays waysThrough(const BodyPlan& plan);

/// What a way leaves out, besides the scopes that are marked as off.
struct BodyPath {
  std::vector<graph::NodeId> skipped;  // loops
  std::unordered_set<graph::NodeId>
      sharing;  // members of affinity groups of which another one runs
};

/// Marks the scopes of the plan that `options` leave out.
BodyPath pathOf(BodyPlan& plan, const std::vector<size_t>& options);

struct EventGraph {
  graph::NodeId numEvents = 0;
  std::vector<graph::Arc> arcs;
  /// Of each holding the first of its events, one for each run; kNoNode: not on this path.
  std::vector<graph::NodeId> units;
  graph::NodeId firstUnit = 0;
};

/// `firstOf` is scratch memory: the first event of each node. `segmentsCoexist`: see peakOf.
EventGraph eventsOf(const BodyPlan& plan, const BodyPath& path, bool segmentsCoexist,
                    std::vector<uint32_t>& firstOf);

inline bool isResident(const BodyPlan& plan, const Holding& holding, bool segmentsCoexist) {
  return segmentsCoexist && plan.node(holding.begin).kind == graph::NodeKind::Segment;
}

}  // namespace airlite::analysis
