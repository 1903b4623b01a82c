// Writes a program as a graph, for Graphviz or as JSON. Nodes are operations; an edge leads from
// the operation or block that defines a value to each operation that uses it.
#include "airlite/text/GraphDump.hpp"

#include "../support/DotText.hpp"
#include "../support/FlatMap.hpp"
#include "SsaNames.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/support/Text.hpp"

#include <nlohmann/json.hpp>

namespace airlite {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxAttributeBytes = 40;

/// The start of a long text, not cut inside a character.
std::string shortenedLabel(std::string text) {
  if (text.size() <= kMaxAttributeBytes) return text;
  size_t end = kMaxAttributeBytes - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  text.resize(end);
  return text + "...";
}

/// What is in a program, numbered in the order of its text.
class Contents {
 public:
  explicit Contents(Operation& root) : names_(root, false) {
    root.walk([&](Operation& op) { add(op); }, WalkOrder::PreOrder);
  }

  const std::vector<Operation*>& ops() const { return ops_; }
  const std::vector<Region*>& regions() const { return regions_; }
  const std::vector<Block*>& blocks() const { return blocks_; }
  unsigned idOf(const void* item) const { return *ids_.find(item); }
  /// What defines `value`, when it is part of the graph: an operation or a block.
  bool hasDefinition(Value value) const {
    if (!value) return false;
    const void* definition = value.definingOp();
    return ids_.find(definition ? definition : value.argumentBlock()) != nullptr;
  }

  std::string nameOf(Value value) const {
    std::string name;
    names_.append(name, value);
    return name;
  }
  std::string nameOf(const Block& block) const {
    std::string name;
    names_.appendBlock(name, &block);
    return name;
  }
  std::string resultNames(const Operation& op) const {
    std::string names;
    if (op.numResults()) names_.appendResults(names, op);
    return names;
  }

 private:
  void add(Operation& op) {
    addTo(ops_, op);
    for (Region& region : op.regions()) {
      addTo(regions_, region);
      for (Block& block : region.blocks())
        addTo(blocks_, block);
    }
  }
  template <class T> void addTo(std::vector<T*>& list, T& item) {
    ids_[&item] = static_cast<unsigned>(list.size());
    list.push_back(&item);
  }

  text::SsaNames names_;
  std::vector<Operation*> ops_;
  std::vector<Region*> regions_;
  std::vector<Block*> blocks_;
  detail::FlatMap<const void*, unsigned> ids_;
};

std::string regionName(const Operation& op, unsigned index) {
  const std::vector<RegionDef>& defs = op.def().regions;
  if (index < defs.size() && !defs[index].variadic) return std::string(defs[index].name);
  return "region " + std::to_string(index);
}

// -- Graphviz ------------------------------------------------------------------------------------

class DotWriter {
 public:
  explicit DotWriter(Operation& root) : root_(root), contents_(root) {}

  std::string write() {
    out_ = "digraph program {\n  node [shape = box, fontname = monospace];\n";
    depth_ = 1;
    writeOp(root_);
    for (Operation* op : contents_.ops())
      writeEdges(*op);
    return std::move(out_) + "}\n";
  }

 private:
  void line(const std::string& text) {
    out_.append(2 * depth_, ' ');
    out_ += text + "\n";
  }
  void open(const std::string& cluster, const std::string& label) {
    line("subgraph cluster_" + cluster + " {");
    ++depth_;
    line("label = " + detail::dotQuoted(label) + ";");
  }
  void close() {
    --depth_;
    line("}");
  }

  std::string node(const Operation& op) const { return "n" + std::to_string(contents_.idOf(&op)); }
  std::string node(const Block& block) const {
    return "b" + std::to_string(contents_.idOf(&block));
  }

  std::string place(Location location) const {
    std::string text = formatLocation(root_.context(), location);
    return text.substr(text.rfind('/') + 1);
  }

  std::string label(Operation& op) const {
    std::string text = contents_.resultNames(op);
    if (!text.empty()) text += " = ";
    text += std::string(op.name()) + "\n";
    for (const NamedAttribute& attr : op.attributes().value())
      text += std::string(attr.name.str()) + " = " + shortenedLabel(attr.value.str()) + "\n";
    if (!op.location().isUnknown()) text += place(op.location()) + "\n";
    return text;
  }

  /// An operation with regions stands in a cluster of its own with them.
  void writeOp(Operation& op) {
    if (op.numRegions()) open(node(op), "");
    line(node(op) + " [label = " + detail::dotQuoted(label(op)) + "];");
    for (unsigned i = 0; i < op.numRegions(); ++i)
      writeRegion(op, i);
    if (op.numRegions()) close();
  }

  void writeRegion(Operation& op, unsigned index) {
    Region& region = op.region(index);
    open("r" + std::to_string(contents_.idOf(&region)), regionName(op, index));
    for (Block& block : region.blocks())
      writeBlock(block);
    close();
  }

  /// One block alone is not shown as a block.
  void writeBlock(Block& block) {
    bool alone = block.parent()->hasOneBlock();
    if (!alone) open(node(block), contents_.nameOf(block));
    if (hasNode(block))
      line(node(block) + " [shape = plain, label = " + detail::dotQuoted(header(block)) + "];");
    for (Operation& op : block.ops())
      writeOp(op);
    if (!alone) close();
  }

  /// Blocks are where arguments come from and where branches lead.
  static bool hasNode(const Block& block) {
    return block.numArguments() != 0 || !block.hasNoPredecessors();
  }

  std::string header(const Block& block) const {
    std::string text = contents_.nameOf(block);
    for (unsigned i = 0; i < block.numArguments(); ++i) {
      Value argument = block.argument(i);
      text += (i ? ", " : "(") + contents_.nameOf(argument) + ": " + argument.type().str();
    }
    return block.numArguments() ? text + ")" : text;
  }

  void writeEdges(Operation& op) {
    for (unsigned i = 0; i < op.numOperands(); ++i)
      writeUse(op.operand(i), op, i);
    for (unsigned i = 0; i < op.numSuccessors(); ++i)
      line(node(op) + " -> " + node(*op.successor(i)) + " [style = dashed, label = \"" +
           std::to_string(i) + "\"];");
  }

  void writeUse(Value value, const Operation& user, unsigned operand) {
    if (!contents_.hasDefinition(value)) return;
    const Operation* definition = value.definingOp();
    bool several =
        definition ? definition->numResults() > 1 : value.argumentBlock()->numArguments() > 1;
    std::string edge = definition ? node(*definition) : node(*value.argumentBlock());
    edge += " -> " + node(user) + " [headlabel = \"" + std::to_string(operand) + "\"";
    if (several) edge += ", taillabel = \"" + std::to_string(value.index()) + "\"";
    line(edge + "];");
  }

  Operation& root_;
  Contents contents_;
  std::string out_;
  size_t depth_ = 0;
};

// -- JSON ----------------------------------------------------------------------------------------

class JsonGraphWriter {
 public:
  explicit JsonGraphWriter(Operation& root) : root_(root), contents_(root) {}

  std::string write() {
    out_ = "{\n  \"format\": \"airlite-graph\",\n  \"version\": " + std::to_string(kGraphVersion);
    writeList("nodes", contents_.ops(), [&](Operation& op) { add(nodeOf(op)); });
    writeList("regions", contents_.regions(), [&](Region& region) { add(regionOf(region)); });
    writeList("blocks", contents_.blocks(), [&](Block& block) { add(blockOf(block)); });
    writeList("uses", contents_.ops(), [&](Operation& op) { addUses(op); });
    writeList("successors", contents_.ops(), [&](Operation& op) { addSuccessors(op); });
    return std::move(out_) + "\n}\n";
  }

 private:
  template <class T, class Each>
  void writeList(std::string_view name, const std::vector<T*>& items, Each each) {
    out_ += ",\n  \"" + std::string(name) + "\": [";
    first_ = true;
    for (T* item : items)
      each(*item);
    out_ += first_ ? "]" : "\n  ]";
  }

  /// One element, one line. Names of files may be any bytes.
  void add(const Json& element) {
    out_ += first_ ? "\n    " : ",\n    ";
    first_ = false;
    out_ += element.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  Json valueOf(Value value) const {
    return {{"name", contents_.nameOf(value)}, {"type", value.type().str()}};
  }

  Json nodeOf(Operation& op) const {
    Json node = {{"id", contents_.idOf(&op)}, {"op", op.name()}};
    if (&op != &root_) node["block"] = contents_.idOf(op.block());
    if (!op.location().isUnknown()) node["loc"] = formatLocation(root_.context(), op.location());
    for (Value result : op.resultValues())
      node["results"].push_back(valueOf(result));
    for (const NamedAttribute& attr : op.attributes().value())
      node["attributes"][std::string(attr.name.str())] = shortenedLabel(attr.value.str());
    return node;
  }

  Json regionOf(Region& region) const {
    Operation& op = *region.parentOp();
    auto index = static_cast<unsigned>(&region - op.regions().data());
    return {{"id", contents_.idOf(&region)},
            {"node", contents_.idOf(&op)},
            {"index", index},
            {"name", regionName(op, index)}};
  }

  Json blockOf(Block& block) const {
    Json json = {{"id", contents_.idOf(&block)},
                 {"region", contents_.idOf(block.parent())},
                 {"name", contents_.nameOf(block)}};
    for (Value argument : block.arguments())
      json["arguments"].push_back(valueOf(argument));
    return json;
  }

  void addUses(Operation& op) {
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      Value value = op.operand(i);
      if (!contents_.hasDefinition(value)) continue;
      Json use;
      if (Operation* definition = value.definingOp())
        use = {{"node", contents_.idOf(definition)}, {"result", value.index()}};
      else
        use = {{"block", contents_.idOf(value.argumentBlock())}, {"argument", value.index()}};
      add({{"from", use}, {"to", {{"node", contents_.idOf(&op)}, {"operand", i}}}});
    }
  }

  void addSuccessors(Operation& op) {
    for (unsigned i = 0; i < op.numSuccessors(); ++i)
      add({{"from", {{"node", contents_.idOf(&op)}, {"successor", i}}},
           {"to", {{"block", contents_.idOf(op.successor(i))}}}});
  }

  Operation& root_;
  Contents contents_;
  std::string out_;
  bool first_ = true;
};

}  // namespace

std::optional<GraphFormat> graphFormatOf(std::string_view fileName) {
  if (fileName.ends_with(".dot")) return GraphFormat::Dot;
  if (fileName.ends_with(".json")) return GraphFormat::Json;
  return std::nullopt;
}

std::string dumpGraph(Operation& root, GraphFormat format) {
  return format == GraphFormat::Dot ? DotWriter(root).write() : JsonGraphWriter(root).write();
}

}  // namespace airlite
