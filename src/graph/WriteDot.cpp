// An ACDG for Graphviz: each body is a cluster, arrows to and from an op with a body end at the
// border of its cluster. Colours tell kinds apart, and so do shapes and line styles.
#include "WriteDot.hpp"

#include "../support/DotText.hpp"
#include "Labels.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::graph {

namespace {

struct DotLook {
  std::string_view shape, fill;
};

DotLook dotLookOf(NodeKind kind) {
  switch (kind) {
    case NodeKind::Rank: return {"plaintext", "#eeeeee"};
    case NodeKind::Launch: return {"plaintext", "#fff6df"};
    case NodeKind::Segment: return {"plaintext", "#e9f4e4"};
    case NodeKind::Herd: return {"plaintext", "#e6eefa"};
    case NodeKind::Loop:
    case NodeKind::Parallel:
    case NodeKind::Branch:
    case NodeKind::Region: return {"plaintext", "#fafafa"};
    case NodeKind::Execute: return {"box", "#ffffff"};
    case NodeKind::Compute: return {"box", "#eeeeee"};
    case NodeKind::Dma: return {"box", "#ffe0b8"};
    case NodeKind::Put: return {"cds", "#cfe2ff"};
    case NodeKind::Get: return {"cds", "#d7c9f2"};
    case NodeKind::WaitAll: return {"ellipse", "#ffffff"};
    case NodeKind::Custom: return {"component", "#ffffff"};
    case NodeKind::Token: return {"ellipse", "#ffffcc"};
    case NodeKind::Carried:
    case NodeKind::Result: return {"ellipse", "#dddddd"};
    case NodeKind::Channel: return {"hexagon", "#cfe2ff"};
  }
  return {"box", "#ffffff"};
}

/// Arrows that lead backwards or between parts do not pull the picture apart.
std::string_view dotLookOf(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Dependency: return "";
    case EdgeKind::Channel: return "color = \"#2f5fd0\", penwidth = 2, constraint = false";
    case EdgeKind::Init:
    case EdgeKind::Reduce: return "color = \"#777777\"";
    case EdgeKind::LoopCarried: return "color = \"#c03030\", style = dashed, constraint = false";
    case EdgeKind::Structural: return "color = \"#999999\", style = dotted";
  }
  return "";
}

std::string nodeName(NodeId node) { return "n" + std::to_string(node); }

class DotWriter {
 public:
  DotWriter(const Acdg& acdg, Operation& root)
      : acdg_(acdg), labels_(root), bodies_(acdg.nodes.size()) {
    for (ScopeId scope = 0; scope < acdg.scopes.size(); ++scope)
      if (acdg.scopes[scope].owner != kNoNode) bodies_[acdg.scopes[scope].owner].push_back(scope);
  }

  std::string write() {
    out_ =
        "digraph acdg {\n"
        "  compound = true;\n"
        "  fontname = \"Helvetica\";\n"
        "  node [fontname = \"Helvetica\", fontsize = 11, style = filled, margin = \"0.1,0.04\"];\n"
        "  edge [arrowsize = 0.7];\n";
    writeScope(0);
    writeHubs();
    for (const Edge& edge : acdg_.edges)
      if (edge.kind != EdgeKind::Channel || hubOf_[edge.from] == kNoNode) writeEdge(edge);
    return std::move(out_) + "}\n";
  }

 private:
  void line(const std::string& text) {
    out_.append(2 * depth_, ' ');
    out_ += text + "\n";
  }

  /// A function is a cluster; the module around it is the picture.
  void writeScope(ScopeId id) {
    const Scope& scope = acdg_.scopes[id];
    bool isCluster = scope.parent != UINT32_MAX;
    if (isCluster) open("s" + std::to_string(id), titleOf(scope), "#ffffff");
    for (NodeId node : scope.nodes)
      writeNode(node);
    for (ScopeId child : scope.children)
      if (acdg_.scopes[child].owner == kNoNode) writeScope(child);
    if (isCluster) close();
  }

  std::string titleOf(const Scope& scope) const {
    std::string_view symbol = symbolName(*scope.op);
    return std::string(scope.op->name()) + (symbol.empty() ? "" : " @" + std::string(symbol));
  }

  void open(const std::string& name, const std::string& title, std::string_view fill) {
    line("subgraph cluster_" + name + " {");
    ++depth_;
    line("label = " + detail::dotQuoted(title) +
         "; labeljust = l; style = \"rounded,filled\"; "
         "color = \"#888888\"; fillcolor = \"" +
         std::string(fill) + "\";");
  }
  void close() {
    --depth_;
    line("}");
  }

  std::string titleOf(const Node& node) const {
    std::string text = labels_.text(node), token = labels_.token(node);
    return token.empty() || text.empty() ? token + text : token + " = " + text;
  }

  void writeNode(NodeId id) {
    const Node& node = acdg_.nodes[id];
    if (bodies_[id].empty()) return writeLeaf(id, titleOf(node));
    open(nodeName(id), titleOf(node), dotLookOf(node.kind).fill);
    // Arrows that end at the border lead to this point inside.
    line(nodeName(id) + " [shape = point, style = invis, width = 0, label = \"\"];");
    for (ScopeId body : bodies_[id])
      writeBody(node, body);
    close();
  }

  /// Branches of one op are told apart.
  void writeBody(const Node& node, ScopeId id) {
    const Scope& scope = acdg_.scopes[id];
    bool several = node.op->numRegions() > 1;
    if (several) {
      const std::vector<RegionDef>& defs = node.op->def().regions;
      bool isNamed = scope.region < defs.size() && !defs[scope.region].variadic;
      open("s" + std::to_string(id),
           isNamed ? std::string(defs[scope.region].name) : std::to_string(scope.region),
           dotLookOf(node.kind).fill);
    }
    for (NodeId inner : scope.nodes)
      writeNode(inner);
    if (several && scope.nodes.empty())
      line("e" + std::to_string(id) + " [shape = point, style = invis];");
    if (several) close();
  }

  /// Where more pairs of puts and gets may meet than there are ends, they are drawn through a node
  /// between them.
  void writeHubs() {
    hubOf_.assign(acdg_.nodes.size(), kNoNode);
    std::vector<size_t> pairs(acdg_.nodes.size());  // of each put
    for (const Edge& edge : acdg_.edges)
      pairs[edge.from] += edge.kind == EdgeKind::Channel;
    for (NodeId i = 0; i < acdg_.channels.size(); ++i) {
      const ChannelPlace& place = acdg_.channels[i];
      size_t count = 0;
      for (NodeId put : place.puts)
        count += pairs[put];
      if (count > place.puts.size() + place.gets.size()) writeHub(i, place);
    }
  }

  void writeHub(NodeId number, const ChannelPlace& place) {
    std::string hub = "c" + std::to_string(number), title = "@" + std::string(place.channel);
    for (size_t i = 0; place.indices && i < place.indices->size(); ++i)
      title += (i ? ", " : "[") + std::to_string((*place.indices)[i]);
    if (place.indices && !place.indices->empty()) title += "]";
    DotLook look = dotLookOf(NodeKind::Channel);
    line(hub + " [label = " + detail::dotQuoted(title) + ", shape = " + std::string(look.shape) +
         ", fillcolor = \"" + std::string(look.fill) + "\"];");
    std::string attributes = " [" + std::string(dotLookOf(EdgeKind::Channel)) + "];";
    for (NodeId put : place.puts) {
      hubOf_[put] = number;
      line(nodeName(put) + " -> " + hub + attributes);
    }
    for (NodeId get : place.gets)
      line(hub + " -> " + nodeName(get) + attributes);
  }

  void writeLeaf(NodeId id, const std::string& title) {
    const Node& node = acdg_.nodes[id];
    DotLook look = dotLookOf(node.kind);
    std::string text = nodeName(id) + " [label = " + detail::dotQuoted(title);
    text += ", shape = " + std::string(look.shape) + ", fillcolor = \"" + std::string(look.fill);
    text += "\"";
    if (std::string place = labels_.place(node); !place.empty())
      text += ", tooltip = " + detail::dotQuoted(place);
    line(text + "];");
  }

  void writeEdge(const Edge& edge) {
    std::string attributes(dotLookOf(edge.kind));
    auto add = [&](const std::string& text) {
      attributes += (attributes.empty() ? "" : ", ") + text;
    };
    // From inside to the outside of one cluster there is no border to end at.
    if (!bodies_[edge.from].empty() && !isInside(edge.to, edge.from))
      add("ltail = cluster_" + nodeName(edge.from));
    if (!bodies_[edge.to].empty() && !isInside(edge.from, edge.to))
      add("lhead = cluster_" + nodeName(edge.to));
    line(nodeName(edge.from) + " -> " + nodeName(edge.to) +
         (attributes.empty() ? ";" : " [" + attributes + "];"));
  }

  bool isInside(NodeId node, NodeId outer) const {
    while (node != kNoNode && node != outer)
      node = acdg_.scopes[acdg_.nodes[node].scope].owner;
    return node == outer;
  }

  const Acdg& acdg_;
  Labels labels_;
  std::vector<std::vector<ScopeId>> bodies_;
  std::vector<NodeId> hubOf_;
  std::string out_;
  size_t depth_ = 1;
};

}  // namespace

std::string writeDot(const Acdg& acdg, Operation& root) { return DotWriter(acdg, root).write(); }

}  // namespace airlite::graph
