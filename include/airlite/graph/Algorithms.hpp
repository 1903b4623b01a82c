// What can be asked of a directed graph. V is the number of nodes, E that of arcs. Nothing here
// recurses, and but for the closure nothing needs more than O(V + E) memory.
//
//   graph::Digraph events = graph::eventGraph(graph::buildAcdg(function));
//   if (auto order = graph::topologicalOrder(events)) use(*order);  // nothing: there is a cycle
#pragma once

#include "airlite/graph/Digraph.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace airlite::graph {

/// The nodes, each after all that lead to it; of those that may come next, the smallest first.
/// Nothing when the graph has a cycle. O((V + E) log V).
std::optional<std::vector<NodeId>> topologicalOrder(const Digraph& graph);

struct Components {
  std::vector<NodeId> of;  // the component of each node
  NodeId count = 0;
};
/// Numbered so that an arc between two components leads from the smaller number to the larger.
/// O(V + E).
Components stronglyConnectedComponents(const Digraph& graph);

/// A shortest cycle through the smallest node that is on one, from that node on; empty when the
/// graph has none. O(V + E).
std::vector<NodeId> findCycle(const Digraph& graph);

/// Which node reaches which, for every pair: a bit each.
class TransitiveClosure {
 public:
  /// Largest graph that a closure is made of: 32 MiB.
  static constexpr NodeId kMaxNodes = 16384;

  /// By a path of one arc or more.
  bool reaches(NodeId from, NodeId to) const {
    return words_[from * stride_ + to / 64] >> (to % 64) & 1;
  }

 private:
  friend std::optional<TransitiveClosure> transitiveClosure(const Digraph& graph);
  explicit TransitiveClosure(NodeId numNodes);
  void add(NodeId from, NodeId to);
  void addRow(NodeId from, NodeId other);

  size_t stride_;
  std::vector<uint64_t> words_;
};
/// Nothing above TransitiveClosure::kMaxNodes nodes; Reachability has no limit. O(V * E / 64).
std::optional<TransitiveClosure> transitiveClosure(const Digraph& graph);

/// Answers whether one node reaches another, in O(V + E) memory. Most answers are read off labels
/// (intervals of several depth-first searches, levels); what they leave open is searched for,
/// within what the labels allow. Making it takes O(V + E); a question O(1) as a rule, O(V + E) at
/// worst.
class Reachability {
 public:
  explicit Reachability(const Digraph& graph);
  /// By a path of any length: every node reaches itself.
  bool reaches(NodeId from, NodeId to);
  /// `nodes` without those that reach another one of them: of what all lead to something, what has
  /// to be waited for. Of nodes that reach each other, and of a node named twice, the first stays.
  /// The order is kept.
  std::vector<NodeId> latest(std::span<const NodeId> nodes);

 private:
  static constexpr unsigned kLabelings = 3;
  /// Interval of a depth-first search: what a node reaches lies inside its own.
  struct Interval {
    NodeId low = 0, high = 0;
    bool contains(const Interval& other) const { return low <= other.low && other.high <= high; }
  };
  struct Label {
    std::array<Interval, kLabelings> reach;
    Interval tree;  // in the tree of the first search: what is inside is reached
    NodeId level = 0;
  };
  class Labeler;

  enum class Answer { No, Yes, Open };
  Answer fromLabels(NodeId from, NodeId to) const;
  bool search(NodeId from, NodeId to);
  std::vector<bool> leadElsewhere(std::span<const NodeId> nodes);
  std::vector<bool> sweep(std::span<const NodeId> nodes);

  Components components_;
  Digraph dag_;         // of the components: arcs lead to larger numbers
  unsigned labelings_;  // that the labels hold
  std::vector<Label> labels_;
  Digraph reversed_;               // made for the first sweep
  std::vector<uint64_t> visited_;  // the number of the last search that came by
  uint64_t visit_ = 0;
  std::vector<NodeId> work_;
};

/// The arcs that a graph without cycles needs to order its nodes as it does, each once, in the
/// order of their targets. Nothing when there is a cycle. Memory O(V + E); time O(V + E) plus a
/// question to Reachability per pair of arcs that lead to one node (one search for nodes with
/// thousands).
std::optional<std::vector<Arc>> transitiveReduction(const Digraph& graph);

struct CriticalPath {
  double length = 0;             // sum of the weights on the path
  std::vector<NodeId> nodes;     // the path
  std::vector<double> earliest;  // for every node: when it can end at the earliest
  std::vector<double> latest;    // ... and at the latest, for the same length
};
/// The heaviest path; the smaller numbers where several are. `weight` of a node, not negative.
/// Nothing when the graph has a cycle. O((V + E) log V).
std::optional<CriticalPath> criticalPath(const Digraph& graph, FunctionRef<double(NodeId)> weight);

/// Nodes of which none reaches another, as heavy together as can be: what may happen at one
/// time. `weights` (one per node; empty: 1 each) must add up to less than 2^62. Exact at every
/// size: by the dual, a smallest cover with chains, which is a matching of the closure's bipartite
/// graph found without making the closure. Ascending. Nothing when the graph has a cycle. O(V * E)
/// at worst, far less on graphs of programs.
std::optional<std::vector<NodeId>> maximumAntichain(const Digraph& graph,
                                                    std::span<const int64_t> weights = {});

}  // namespace airlite::graph
