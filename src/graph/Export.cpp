// Writes an ACDG as JSON and GraphML; Graphviz has a file of its own.
#include "airlite/graph/Export.hpp"

#include "Labels.hpp"
#include "WriteDot.hpp"
#include "airlite/support/Text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace airlite::graph {

namespace {

using Json = nlohmann::ordered_json;

// -- JSON -----------------------------------------------------------------------------------------

class JsonWriter {
 public:
  JsonWriter(const Acdg& acdg, Operation& root) : acdg_(acdg), labels_(root) {}

  std::string write() {
    out_ = "{\n  \"format\": \"airlite-acdg\",\n  \"version\": " + std::to_string(kAcdgVersion);
    writeList("scopes", acdg_.scopes, [](size_t id, const Scope& scope) { return of(id, scope); });
    writeList("nodes", acdg_.nodes, [&](size_t id, const Node& node) { return of(id, node); });
    writeList("edges", acdg_.edges, [](size_t, const Edge& edge) {
      return Json{{"from", edge.from}, {"to", edge.to}, {"kind", kindName(edge.kind)}};
    });
    writeList("groups", acdg_.groups, [](size_t, const TokenGroup& group) {
      return Json{
          {"kind", kindName(group.kind)}, {"token", group.token}, {"members", group.members}};
    });
    writeList("channels", acdg_.channels,
              [](size_t, const ChannelPlace& place) { return of(place); });
    return std::move(out_) + "\n}\n";
  }

 private:
  /// One element, one line. Names may be any bytes.
  template <class T, class Each>
  void writeList(std::string_view name, const std::vector<T>& items, Each each) {
    out_ += ",\n  \"" + std::string(name) + "\": [";
    for (size_t i = 0; i < items.size(); ++i)
      out_ += (i ? ",\n    " : "\n    ") +
              each(i, items[i]).dump(-1, ' ', false, Json::error_handler_t::replace);
    out_ += items.empty() ? "]" : "\n  ]";
  }

  static Json of(size_t id, const Scope& scope) {
    Json json = {{"id", id}, {"op", scope.op->name()}, {"region", scope.region}};
    if (scope.owner != kNoNode) json["node"] = scope.owner;
    if (scope.parent != UINT32_MAX) json["parent"] = scope.parent;
    return json;
  }

  Json of(size_t id, const Node& node) const {
    Json json = {{"id", id}, {"kind", kindName(node.kind)}, {"scope", node.scope}};
    if (node.op) json["op"] = node.op->name();
    if (node.token) json["token"] = labels_.token(node);
    if (std::string text = labels_.text(node); !text.empty()) json["label"] = text;
    if (std::string place = labels_.place(node); !place.empty()) json["loc"] = place;
    if (node.isBlocking) json["blocking"] = true;
    return json;
  }

  static Json of(const ChannelPlace& place) {
    Json json = {{"channel", place.channel}};
    if (place.indices) json["indices"] = *place.indices;
    json["puts"] = place.puts;
    json["gets"] = place.gets;
    return json;
  }

  const Acdg& acdg_;
  Labels labels_;
  std::string out_;
};

// -- GraphML --------------------------------------------------------------------------------------

constexpr const char* kGraphMlHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="op" for="node" attr.name="op" attr.type="string"/>
  <key id="label" for="node" attr.name="label" attr.type="string"/>
  <key id="parent" for="node" attr.name="parent" attr.type="string"/>
  <key id="loc" for="node" attr.name="loc" attr.type="string"/>
  <key id="edge" for="edge" attr.name="kind" attr.type="string"/>
  <graph id="acdg" edgedefault="directed">
)";

class GraphMlWriter {
 public:
  GraphMlWriter(const Acdg& acdg, Operation& root) : acdg_(acdg), labels_(root) {}

  std::string write() {
    out_ = kGraphMlHead;
    for (NodeId id = 0; id < acdg_.nodes.size(); ++id)
      addNode(id, acdg_.nodes[id]);
    for (const Edge& edge : acdg_.edges)
      out_ += "    <edge source=\"n" + std::to_string(edge.from) + "\" target=\"n" +
              std::to_string(edge.to) + "\"><data key=\"edge\">" +
              std::string(kindName(edge.kind)) + "</data></edge>\n";
    return std::move(out_) + "  </graph>\n</graphml>\n";
  }

 private:
  void addNode(NodeId id, const Node& node) {
    out_ += "    <node id=\"n" + std::to_string(id) + "\">";
    addData("kind", kindName(node.kind));
    if (node.op) addData("op", node.op->name());
    std::string text = labels_.text(node), token = labels_.token(node);
    addData("label", token.empty() || text.empty() ? token + text : token + " = " + text);
    NodeId owner = acdg_.scopes[node.scope].owner;
    if (owner != kNoNode) addData("parent", "n" + std::to_string(owner));
    if (std::string place = labels_.place(node); !place.empty()) addData("loc", place);
    out_ += "</node>\n";
  }

  void addData(std::string_view key, std::string_view text) {
    out_ += "<data key=\"" + std::string(key) + "\">";
    appendXml(text);
    out_ += "</data>";
  }

  /// XML has no way to write most control characters, and must be UTF-8.
  void appendXml(std::string_view text) {
    while (!text.empty()) {
      size_t length = utf8Length(text);
      bool isControl = static_cast<unsigned char>(text[0]) < 0x20 && text[0] != '\n';
      if (length == 0 || isControl)
        out_ += '?';
      else if (text[0] == '<' || text[0] == '>' || text[0] == '&')
        out_ += text[0] == '<' ? "&lt;" : text[0] == '>' ? "&gt;" : "&amp;";
      else
        out_ += text.substr(0, length);
      text.remove_prefix(std::max<size_t>(length, 1));
    }
  }

  const Acdg& acdg_;
  Labels labels_;
  std::string out_;
};

}  // namespace

std::optional<AcdgFormat> acdgFormatOf(std::string_view fileName) {
  if (fileName.ends_with(".dot")) return AcdgFormat::Dot;
  if (fileName.ends_with(".json")) return AcdgFormat::Json;
  if (fileName.ends_with(".graphml")) return AcdgFormat::GraphMl;
  return std::nullopt;
}

std::string exportAcdg(const Acdg& acdg, Operation& root, AcdgFormat format) {
  if (format == AcdgFormat::Dot) return writeDot(acdg, root);
  if (format == AcdgFormat::Json) return JsonWriter(acdg, root).write();
  return GraphMlWriter(acdg, root).write();
}

}  // namespace airlite::graph
