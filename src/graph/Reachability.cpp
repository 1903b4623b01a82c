// Reachability by labels, with a search for what they leave open.
//
// A node's interval in a depth-first search spans the ranks of all that it reaches, so an interval
// that does not lie inside another one proves that there is no path; several searches in different
// orders prove more. In the tree of one search, what stands below a node is reached for certain.
#include "airlite/graph/Algorithms.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::graph {

namespace {

/// Entries of a list that lead to none of the later ones, up to which each further one is asked
/// about one by one. Lists with more are so long that a walk over the whole graph costs less.
constexpr size_t kMaxPairwise = 1024;

/// Nodes up to which a search for what one labelling leaves open costs less than the other labellings.
constexpr NodeId kSmall = 128;

Digraph condensed(const Digraph& graph, const Components& components) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.numArcs());
  for (const Arc& arc : graph.arcs()) {
    Arc mapped{components.of[arc.from], components.of[arc.to]};
    if (mapped.from != mapped.to) arcs.push_back(mapped);
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return Digraph(components.count, arcs);
}

}  // namespace

/// One depth-first search over everything.
class Reachability::Labeler {
 public:
  Labeler(const Digraph& dag, std::vector<Label>& labels, unsigned number)
      : dag_(dag), labels_(labels), number_(number), rank_(dag.numNodes(), kNoNode) {}

  void run() {
    NodeId count = dag_.numNodes();
    for (NodeId i = 0; i < count; ++i)
      visitFrom(number_ == 1 ? count - 1 - i : i);
    // What a node leads to has a larger number.
    for (NodeId node = count; node-- > 0;) {
      Interval& interval = labels_[node].reach[number_];
      interval = {rank_[node], rank_[node]};
      for (NodeId to : dag_.successors(node))
        interval.low = std::min(interval.low, labels_[to].reach[number_].low);
    }
  }

 private:
  struct Frame {
    NodeId node;
    NodeId next = 0;   // successors done
    NodeId first = 0;  // smallest rank in the subtree
  };

  /// The search goes through successors upwards, downwards, or from somewhere in the middle.
  NodeId child(const Frame& frame) const {
    std::span<const NodeId> next = dag_.successors(frame.node);
    if (number_ == 0) return next[frame.next];
    if (number_ == 1) return next[next.size() - 1 - frame.next];
    return next[(frame.next + frame.node * 0x9E3779B9u) % next.size()];
  }

  void visitFrom(NodeId root) {
    if (rank_[root] != kNoNode) return;
    push(root);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next == dag_.successors(frame.node).size()) {
        leave(frame);
        continue;
      }
      NodeId node = child(frame);
      ++frame.next;
      if (rank_[node] == kNoNode) push(node);
    }
  }

  void push(NodeId node) {
    rank_[node] = kOpen;
    stack_.push_back({node, 0, counter_});
  }

  void leave(const Frame& frame) {
    rank_[frame.node] = counter_++;
    if (number_ == 0) labels_[frame.node].tree = {frame.first, rank_[frame.node]};
    stack_.pop_back();
  }

  static constexpr NodeId kOpen = kNoNode - 1;

  const Digraph& dag_;
  std::vector<Label>& labels_;
  unsigned number_;
  std::vector<NodeId> rank_;
  std::vector<Frame> stack_;
  NodeId counter_ = 0;
};

Reachability::Reachability(const Digraph& graph)
    : components_(stronglyConnectedComponents(graph)),
      dag_(condensed(graph, components_)),
      labelings_(dag_.numNodes() <= kSmall ? 1 : kLabelings),
      labels_(dag_.numNodes()),
      visited_(dag_.numNodes()) {
  for (unsigned i = 0; i < labelings_; ++i)
    Labeler(dag_, labels_, i).run();
  for (NodeId node = 0; node < dag_.numNodes(); ++node)
    for (NodeId to : dag_.successors(node))
      labels_[to].level = std::max(labels_[to].level, labels_[node].level + 1);
}

Reachability::Answer Reachability::fromLabels(NodeId from, NodeId to) const {
  if (from == to) return Answer::Yes;
  const Label &a = labels_[from], &b = labels_[to];
  if (from > to || a.level >= b.level) return Answer::No;
  if (a.tree.contains(b.tree)) return Answer::Yes;
  for (unsigned i = 0; i < labelings_; ++i)
    if (!a.reach[i].contains(b.reach[i])) return Answer::No;
  return Answer::Open;
}

bool Reachability::search(NodeId from, NodeId to) {
  ++visit_;
  work_.assign(1, from);
  while (!work_.empty()) {
    NodeId node = work_.back();
    work_.pop_back();
    for (NodeId next : dag_.successors(node)) {
      if (visited_[next] == visit_) continue;
      visited_[next] = visit_;
      Answer answer = fromLabels(next, to);
      if (answer == Answer::Yes) return true;
      if (answer == Answer::Open) work_.push_back(next);
    }
  }
  return false;
}

bool Reachability::reaches(NodeId from, NodeId to) {
  NodeId a = components_.of[from], b = components_.of[to];
  Answer answer = fromLabels(a, b);
  return answer == Answer::Open ? search(a, b) : answer == Answer::Yes;
}

// -- Lists ----------------------------------------------------------------------------------------

/// For each of `nodes` (components, each once): whether it reaches another one.
std::vector<bool> Reachability::leadElsewhere(std::span<const NodeId> nodes) {
  std::vector<size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  // What leads somewhere has a smaller number; what leads to a node that does, leads to its goal.
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return nodes[a] > nodes[b]; });
  std::vector<NodeId> last;
  std::vector<bool> leads(nodes.size());
  for (size_t i : order) {
    for (size_t j = last.size(); j-- > 0 && !leads[i];) {
      Answer answer = fromLabels(nodes[i], last[j]);
      leads[i] = answer == Answer::Open ? search(nodes[i], last[j]) : answer == Answer::Yes;
    }
    if (!leads[i]) last.push_back(nodes[i]);
    if (last.size() > kMaxPairwise) return sweep(nodes);
  }
  return leads;
}

/// The same in one walk backwards from all of them, down to the one with the smallest number.
std::vector<bool> Reachability::sweep(std::span<const NodeId> nodes) {
  if (reversed_.numNodes() == 0) reversed_ = dag_.reversed();
  NodeId smallest = *std::min_element(nodes.begin(), nodes.end());
  uint64_t start = ++visit_, reached = ++visit_;
  work_.assign(nodes.begin(), nodes.end());
  for (NodeId node : nodes)
    visited_[node] = start;
  while (!work_.empty()) {
    NodeId node = work_.back();
    work_.pop_back();
    for (NodeId before : reversed_.successors(node)) {
      if (before < smallest || visited_[before] == reached) continue;
      if (visited_[before] != start) work_.push_back(before);
      visited_[before] = reached;
    }
  }
  std::vector<bool> leads(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i)
    leads[i] = visited_[nodes[i]] == reached;
  return leads;
}

std::vector<NodeId> Reachability::latest(std::span<const NodeId> nodes) {
  if (nodes.size() < 2) return {nodes.begin(), nodes.end()};
  std::vector<NodeId> unique, first;
  uint64_t stamp = ++visit_;
  for (NodeId node : nodes) {
    NodeId component = components_.of[node];
    if (visited_[component] == stamp) continue;
    visited_[component] = stamp;
    unique.push_back(component);
    first.push_back(node);
  }
  std::vector<bool> leads = leadElsewhere(unique);
  std::vector<NodeId> kept;
  for (size_t i = 0; i < first.size(); ++i)
    if (!leads[i]) kept.push_back(first[i]);
  return kept;
}

}  // namespace airlite::graph
