// The JSON form of the IR, written: one line per attribute and per list of ids.
#include "../support/FlatMap.hpp"
#include "PrinterState.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/Json.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace airlite {

namespace {

/// One class: ops, regions and attributes nest in each other, all in one text.
class JsonWriter {
 public:
  explicit JsonWriter(Operation& root) : context_(root.context()) {}

  std::string write(Operation& root) {
    out_ = "{\n  \"format\": \"airlite-ir\",\n  \"version\": " + std::to_string(kJsonVersion) +
           ",\n  \"module\": ";
    depth_ = 1;
    writeOp(root);
    writeResources();
    out_ += "\n}\n";
    return std::move(out_);
  }

 private:
  /// Values are numbered as they appear in the text.
  uint64_t idOf(Value value) {
    uint64_t& id = ids_[value.impl()];  // plus one
    if (id == 0) id = ids_.size();
    return id - 1;
  }

  // -- Layout

  void newline() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }
  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    newline();
    out_ += bracket;
    first_ = false;
  }
  /// Before each element of a list that is written line by line.
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
    newline();
  }
  void key(std::string_view name) {
    separate();
    out_ += quoted(name) + ": ";
  }

  static std::string quoted(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  template <class Each> void writeInline(size_t count, Each each) {
    out_ += '[';
    for (size_t i = 0; i < count; ++i) {
      if (i) out_ += ", ";
      each(static_cast<unsigned>(i));
    }
    out_ += ']';
  }

  // -- Leaves

  const std::string& typeText(Type type) {
    std::string& text = typeTexts_[type.storage()];
    if (text.empty()) text = quoted(type.str());
    return text;
  }

  std::string attributeText(Attribute attribute) {
    attributes_.out.clear();
    attributes_.appendAttribute(attribute, text::TypeSuffix::Always);
    return attributes_.out;
  }

  /// Names of files may be any bytes; those that are no UTF-8 need the escapes of the text form.
  bool appendPlace(std::string_view file, unsigned line, unsigned column) {
    size_t bad = 0;
    if (!isValidUtf8(file, bad)) return false;
    out_ += '[' + quoted(file) + ", " + std::to_string(line) + ", " + std::to_string(column) + ']';
    return true;
  }

  bool appendAsPlace(Location location) {
    if (location.isInSource()) {
      LineColumn place = context_.sources().lineColumn(location);
      return appendPlace(context_.sources().name(location.source()), place.line, place.column);
    }
    const ComposedLocation& composed = context_.composed(location);
    return composed.kind == ComposedLocation::Kind::FileLineCol &&
           appendPlace(composed.name, composed.line, composed.column);
  }

  void appendLocation(Location location) {
    if (appendAsPlace(location)) return;
    out_ += quoted(LocationAttr::get(context_, location).str());
  }

  /// `{"id": 0, "type": "i32"}`
  void writeValue(Value value, bool withLocation) {
    out_ += "{\"id\": " + std::to_string(idOf(value)) + ", \"type\": " + typeText(value.type());
    if (withLocation && !value.location().isUnknown()) {
      out_ += ", \"loc\": ";
      appendLocation(value.location());
    }
    out_ += '}';
  }

  // -- The tree

  void writeOp(Operation& op) {
    open('{');
    key("op");
    out_ += quoted(op.name());
    if (!op.location().isUnknown()) {
      key("loc");
      appendLocation(op.location());
    }
    writeValues(op);
    if (op.numSuccessors()) writeSuccessors(op);
    if (!op.attributes().empty()) writeAttributes(op.attributes());
    if (op.numRegions()) writeRegions(op);
    close('}');
  }

  void writeValues(Operation& op) {
    if (op.numResults()) {
      key("results");
      writeInline(op.numResults(), [&](unsigned i) { writeValue(op.result(i), false); });
    }
    if (op.numOperands()) {
      key("operands");
      writeInline(op.numOperands(), [&](unsigned i) {
        Value operand = op.operand(i);  // null in a program that is not whole yet
        out_ += operand ? std::to_string(idOf(operand)) : "null";
      });
    }
  }

  void writeSuccessors(Operation& op) {
    key("successors");
    writeInline(op.numSuccessors(), [&](unsigned i) {
      const unsigned* index = blocks_.find(op.successor(i));
      out_ += std::to_string(index ? *index : std::numeric_limits<unsigned>::max());
    });
  }

  void writeAttributes(DictionaryAttr attributes) {
    key("attributes");
    open('{');
    for (NamedAttribute entry : attributes.value()) {
      key(entry.name);
      out_ += quoted(attributeText(entry.value));
    }
    close('}');
  }

  // -- Resources

  void writeResources() {
    const Resources& resources = Resources::of(context_);
    std::vector<std::string_view> used = attributes_.usedResources;
    std::erase_if(used, [&](std::string_view name) { return !resources.find(name); });
    if (!used.empty()) {
      key("resources");
      open('{');
      for (std::string_view name : used) {
        key(name);
        out_ += quoted(resources.find(name)->hex());
      }
      close('}');
    }
    if (resources.external().empty()) return;
    key("externalResources");
    open('{');
    for (const ExternalResources& section : resources.external())
      writeExternal(section);
    close('}');
  }

  void writeExternal(const ExternalResources& section) {
    key(section.name);
    open('{');
    for (const ExternalResources::Entry& entry : section.entries) {
      key(entry.key);
      if (const bool* flag = std::get_if<bool>(&entry.value))
        out_ += *flag ? "true" : "false";
      else
        out_ += quoted(std::get<std::string>(entry.value));
    }
    close('}');
  }

  void writeRegions(Operation& op) {
    key("regions");
    open('[');
    for (Region& region : op.regions()) {
      separate();
      writeRegion(region);
    }
    close(']');
  }

  void writeRegion(Region& region) {
    unsigned index = 0;
    for (Block& block : region.blocks())
      blocks_[&block] = index++;
    if (region.empty()) {
      out_ += "{\"blocks\": []}";
      first_ = false;
      return;
    }
    open('{');
    key("blocks");
    open('[');
    for (Block& block : region.blocks()) {
      separate();
      writeBlock(block);
    }
    close(']');
    close('}');
  }

  void writeBlock(Block& block) {
    open('{');
    if (block.numArguments()) {
      key("args");
      writeInline(block.numArguments(), [&](unsigned i) { writeValue(block.argument(i), true); });
    }
    key("ops");
    writeOps(block);
    close('}');
  }

  void writeOps(Block& block) {
    if (block.empty()) {
      out_ += "[]";
      return;
    }
    open('[');
    for (Operation& op : block.ops()) {
      separate();
      writeOp(op);
    }
    close(']');
  }

  Context& context_;
  text::PrinterState attributes_;  // their text, and the resources in it
  std::string out_;
  unsigned depth_ = 0;
  bool first_ = true;  // nothing stands in the innermost list yet
  detail::FlatMap<const void*, uint64_t> ids_;
  detail::FlatMap<const void*, unsigned> blocks_;
  detail::FlatMap<const void*, std::string> typeTexts_;
};

}  // namespace

std::string printJson(Operation& op) { return JsonWriter(op).write(op); }

}  // namespace airlite
