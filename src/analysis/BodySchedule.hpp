// What may be held at one time in the body of one hierarchy op.
//
// The body becomes a graph of events: each node of the ACDG begins and ends, once for each run of
// the loops around it that has to be told apart. What holds a resource from one event to another is
// a vertex between the two, so one holding comes before another in the graph exactly when it has to
// end before the other begins. The heaviest antichain is the most that can be held at once.
//
// Branches (and loops that may not run) are paths: the graph is made for each way through them, and
// the largest answer counts.
#pragma once

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/analysis/Resources.hpp"
#include "airlite/graph/Acdg.hpp"

#include <unordered_map>

namespace airlite::analysis {

inline constexpr int64_t kMostHeld = int64_t{1} << 50;
/// The product of two counts, at most kMostHeld.
int64_t timesHeld(int64_t a, int64_t b);

/// The graph of a program, by the bodies of its hierarchy ops.
struct LevelGraph {
  explicit LevelGraph(Operation& root);

  /// An edge between nodes of one body. Where it leads into a nested level, that one is `to`.
  struct LevelEdge {
    graph::NodeId from, to;
    graph::EdgeKind kind;
    bool intoLevel = false;
  };

  bool isLevel(graph::NodeId node) const { return acdg.nodes[node].kind <= graph::NodeKind::Herd; }
  /// The node of `op`, or of the nearest op around it that has one.
  graph::NodeId nodeAround(Operation* op) const;

  graph::Acdg acdg;
  LinearReader indices;
  std::vector<std::vector<graph::ScopeId>> bodies;              // of each node
  std::vector<graph::ScopeId> levelOf;                          // of each scope
  std::vector<std::vector<LevelEdge>> edges;                    // of each level scope
  std::vector<std::vector<std::vector<graph::NodeId>>> affine;  // affinity groups, likewise
  std::unordered_map<const Operation*, graph::NodeId> nodeOf;
  std::unordered_map<Value, graph::NodeId> resultNodes;
};

/// Points of the iteration space or runs of a loop; none when that is not constant.
std::optional<int64_t> constantPoints(Operation& op, LinearReader& indices);

struct Holding {
  Operation* op = nullptr;
  /// Holds from the begin of this node ...
  graph::NodeId begin = graph::kNoNode;
  /// ... to its end; memory: to the end of one of these, or of the body when there is none.
  std::vector<graph::NodeId> frees = {};
  bool isMemory = false;
  /// Where it stands: the scheduler lets memory that is not freed in a loop begin with the loop.
  graph::ScopeId home = UINT32_MAX;
  std::array<int64_t, kNumResources> amount{};
  std::array<bool, kNumResources> isExact{true, true, true, true};
};

struct Peak {
  Amounts amounts;
  std::vector<OpenQuestion> open;
};

/// What is known of a scope of the body that is looked at.
struct ScopeState {
  uint32_t depth = 0;
  uint32_t copies = 1;   // runs of the loop that are told apart
  uint32_t count = 1;    // product of the copies around
  int64_t parallel = 1;  // instances of the parallel loops around
  bool isParallelKnown = true;
  std::string_view cut;      // why what is in it cannot be counted exactly
  bool isUnbounded = false;  // the loop may have more runs than copies
  bool isOff = false;        // not on the path looked at
  bool hasAsync = false;
  bool isSequential = false;  // a region of a branch that may come after the ones before
};

class BodyScheduler {
 public:
  explicit BodyScheduler(LevelGraph& program);
  /// `segmentsCoexist`: the segments of a launch are all there at once, whatever their order.
  Peak peakOf(graph::ScopeId body, std::vector<Holding> holdings, bool segmentsCoexist);

 private:
  LevelGraph& program_;
  // Of every body in turn; only entries of its own are valid.
  std::vector<ScopeState> scopes_;
  std::vector<uint32_t> events_;
};

}  // namespace airlite::analysis
