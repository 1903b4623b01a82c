// A graph for each hierarchy level of a function, in the form of the AIR tools: a box where it
// starts, followed by the ops that no other op comes before.
#include "../support/DotText.hpp"
#include "Labels.hpp"
#include "airlite/graph/Export.hpp"

#include <algorithm>

namespace airlite::graph {

namespace {

struct Look {
  std::string_view color, shape;
};

Look lookOf(NodeKind kind) {
  switch (kind) {
    case NodeKind::Rank:
    case NodeKind::Launch:
    case NodeKind::Segment:
    case NodeKind::Herd: return {"orange", "box"};
    case NodeKind::Dma:
    case NodeKind::Put:
    case NodeKind::Get: return {"cyan", "oval"};
    case NodeKind::Execute:
    case NodeKind::Compute: return {"chartreuse", "oval"};
    default: return {"crimson", "oval"};
  }
}

bool isLevel(const Node& node) { return node.kind <= NodeKind::Herd; }

std::vector<int64_t> positionOf(int64_t number, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> position;
  for (size_t i = sizes.size(); i-- > 0; number /= sizes[i])
    position.insert(position.begin(), number % sizes[i]);
  return position;
}

class LevelWriter {
 public:
  LevelWriter(Operation& function, bool perCore)
      : acdg_(buildAcdg(function)),
        labels_(function),
        perCore_(perCore),
        number_(acdg_.nodes.size()),
        bodies_(acdg_.nodes.size()),
        edgesTo_(acdg_.nodes.size()) {
    for (ScopeId scope = 0; scope < acdg_.scopes.size(); ++scope)
      if (acdg_.scopes[scope].owner != kNoNode) bodies_[acdg_.scopes[scope].owner].push_back(scope);
    for (const Edge& edge : acdg_.edges)
      edgesTo_[edge.to].push_back(edge);
  }

  std::vector<NamedText> write() {
    std::vector<NodeId> nodes;
    collect(0, nodes);
    writeLevel(nodes, "host", "start");
    return std::move(files_);
  }

 private:
  /// The nodes in a scope and in the control inside it, without the bodies of hierarchy ops.
  void collect(ScopeId scope, std::vector<NodeId>& nodes) const {
    for (NodeId node : acdg_.scopes[scope].nodes) {
      nodes.push_back(node);
      if (isLevel(acdg_.nodes[node])) continue;
      for (ScopeId body : bodies_[node])
        collect(body, nodes);
    }
  }

  void writeLevel(const std::vector<NodeId>& nodes, const std::string& name,
                  const std::string& start) {
    files_.push_back({name + ".dot", textOf(nodes, start)});
    unsigned count = 0;
    for (NodeId node : nodes)
      if (isLevel(acdg_.nodes[node])) writeInner(node, name, count);
  }

  void writeInner(NodeId node, const std::string& outer, unsigned& count) {
    std::vector<NodeId> nodes;
    collect(bodies_[node].front(), nodes);
    std::string name = outer + "_air_" + std::string(kindName(acdg_.nodes[node].kind)) + "_";
    std::vector<int64_t> sizes = coreSizes(acdg_.nodes[node]);
    int64_t cores = 1;
    for (int64_t size : sizes)
      cores *= size;
    for (int64_t core = 0; core < cores; ++core)
      writeLevel(nodes, name + std::to_string(++count), startOf(positionOf(core, sizes)));
  }

  /// What a graph for each core counts through; empty: one graph.
  std::vector<int64_t> coreSizes(const Node& node) const {
    auto sizes = air::HierarchyOp(node.op).constantSizes();
    if (!perCore_ || node.kind != NodeKind::Herd || !sizes) return {};
    int64_t cores = 1;
    for (int64_t size : *sizes) {
      if (size <= 0 || size > kMaxCores / cores) return {};
      cores *= size;
    }
    return *sizes;
  }

  static std::string startOf(const std::vector<int64_t>& position) {
    std::string text;
    for (int64_t i : position)
      text += (text.empty() ? "" : ", ") + std::to_string(i);
    return text.empty() ? "start" : "start\ncore [" + text + "]";
  }

  std::string textOf(const std::vector<NodeId>& nodes, const std::string& start) {
    std::string out = "digraph G {\n  rankdir=LR;\n";
    addNode(out, 0, start, {"yellow", "box"});
    for (size_t i = 0; i < nodes.size(); ++i)
      number_[nodes[i]] = static_cast<unsigned>(i + 1);
    for (NodeId id : nodes)
      addNode(out, number_[id], titleOf(acdg_.nodes[id]), lookOf(acdg_.nodes[id].kind));
    for (NodeId id : nodes)
      addEdgesTo(out, id);
    for (NodeId id : nodes)
      number_[id] = 0;
    return out + "}\n";
  }

  static void addNode(std::string& out, unsigned number, const std::string& text, Look look) {
    out += "  v" + std::to_string(number) + " [label=" + detail::dotQuoted(text) + ", color=\"" +
           std::string(look.color) + "\", style=filled, shape=\"" + std::string(look.shape) +
           "\"];\n";
  }

  std::string titleOf(const Node& node) const {
    std::string text = labels_.text(node), token = labels_.token(node);
    return token.empty() || text.empty() ? token + text : token + " = " + text;
  }

  void addEdgesTo(std::string& out, NodeId id) const {
    bool isFirst = true;
    for (const Edge& edge : edgesTo_[id]) {
      if (number_[edge.from] == 0) continue;  // of another level
      bool isBack = edge.kind == EdgeKind::LoopCarried;
      addEdge(out, number_[edge.from], number_[id], isBack ? " [style=dashed]" : "");
      isFirst &= isBack;
    }
    NodeId owner = acdg_.scopes[acdg_.nodes[id].scope].owner;
    if (isFirst) addEdge(out, owner == kNoNode ? 0 : number_[owner], number_[id], "");
  }

  static void addEdge(std::string& out, unsigned from, unsigned to, std::string_view look) {
    out += "  v" + std::to_string(from) + " -> v" + std::to_string(to) + std::string(look) + ";\n";
  }

  Acdg acdg_;
  Labels labels_;
  bool perCore_;
  std::vector<unsigned> number_;  // in the graph being written; 0: not in it
  std::vector<std::vector<ScopeId>> bodies_;
  std::vector<std::vector<Edge>> edgesTo_;
  std::vector<NamedText> files_;
};

}  // namespace

std::vector<NamedText> levelGraphs(Operation& function, bool perCore) {
  return LevelWriter(function, perCore).write();
}

}  // namespace airlite::graph
