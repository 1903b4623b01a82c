// The JSON form of the IR, read: a tree first, then the operations; operands are set at the end,
// when every value is there.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "JsonTree.hpp"
#include "ParserState.hpp"
#include "PrinterState.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/Json.hpp"

namespace airlite {

using text::describe;
using text::JsonKind;
using text::JsonNode;
using text::JsonTree;
using text::kNoNode;
using text::shortened;

namespace {

constexpr std::array<std::string_view, 5> kTopKeys = {"format", "version", "module", "resources",
                                                      "externalResources"};
constexpr std::array<std::string_view, 7> kOpKeys = {
    "op", "loc", "results", "operands", "successors", "attributes", "regions"};
constexpr std::array<std::string_view, 3> kValueKeys = {"id", "type", "loc"};
constexpr std::array<std::string_view, 1> kRegionKeys = {"blocks"};
constexpr std::array<std::string_view, 2> kBlockKeys = {"args", "ops"};

/// Levels of JSON per level of operations: op, regions, region, blocks, block, ops.
constexpr size_t kLevelsPerOp = 6;
constexpr size_t kLevelsAround = 8;

bool isComment(std::string_view key) { return key.starts_with("//"); }

class JsonReader {
 public:
  JsonReader(Context& context, uint32_t source, const JsonTree& tree, const ParseLimits& limits)
      : context_(context), source_(source), tree_(tree), limits_(limits) {}

  OwningOp read() {
    std::array<JsonNode, 5> fields;
    if (failed(readObject(0, kTopKeys, fields)) || failed(checkFormat(fields[0], fields[1])))
      return OwningOp();
    (void)readResources(fields[3]);
    (void)readExternal(fields[4]);
    if (failed(require(0, fields[2], "module"))) return OwningOp();
    OwningOp top(readOp(fields[2]));
    checkOperands();
    if (errors_ || !top) return OwningOp();
    linkOperands();
    return top->is("builtin.module") ? std::move(top) : wrapped(std::move(top));
  }

  /// While the program is checked its places are those of the JSON text; then they become what the
  /// text says.
  void setFinalLocations() {
    for (auto& [op, location] : opLocations_) op->setLocation(location);
    for (auto& [value, location] : argumentLocations_)
      static_cast<detail::BlockArgumentImpl*>(value.impl())->location = location;
  }

 private:
  struct Definition {
    Value value;
    JsonNode node;
  };
  struct Uses {
    Operation* op;
    JsonNode list;
  };

  // -- Errors

  Location placeOf(JsonNode node) const { return Location::inSource(source_, tree_.offset(node)); }

  InFlightDiagnostic errorAt(Location where, JsonNode node, const std::string& message) {
    ++errors_;
    InFlightDiagnostic diagnostic = emitError(context_, where);
    diagnostic << message << " (at " << tree_.pointer(node) << ')';
    return diagnostic;
  }
  InFlightDiagnostic error(JsonNode node, const std::string& message) {
    return errorAt(placeOf(node), node, message);
  }
  InFlightDiagnostic expected(JsonNode node, std::string_view what) {
    return error(node, "expected " + std::string(what) + ", found " +
                           std::string(describe(tree_.kind(node))));
  }
  bool full() const { return gaveUp_ || errors_ >= limits_.maxErrors; }

  // -- Pieces

  LogicalResult require(JsonNode object, JsonNode field, std::string_view name) {
    if (field != kNoNode) return success();
    return error(object, "expected the key '" + std::string(name) + "' in this object");
  }

  LogicalResult unknownKey(JsonNode member, std::span<const std::string_view> keys) {
    std::string_view key = tree_.key(member);
    Location where = Location::inSource(source_, tree_.keyOffset(member));
    return errorAt(where, member,
                   "unknown key '" + shortened(key) + "'" + didYouMean(key, keys));
  }

  /// `fields[i]` becomes the value of `keys[i]`, or kNoNode. Members named `//...` are comments.
  LogicalResult readObject(JsonNode node, std::span<const std::string_view> keys,
                           std::span<JsonNode> fields) {
    std::fill(fields.begin(), fields.end(), kNoNode);
    if (tree_.kind(node) != JsonKind::Object) return expected(node, "an object");
    LogicalResult result = success();
    for (JsonNode at = tree_.firstChild(node); at != kNoNode && !full(); at = tree_.next(at)) {
      auto key = std::find(keys.begin(), keys.end(), tree_.key(at));
      if (key != keys.end())
        result |= setField(fields[static_cast<size_t>(key - keys.begin())], at);
      else if (!isComment(tree_.key(at)))
        result |= unknownKey(at, keys);
      else if (tree_.kind(at) != JsonKind::String)
        result |= LogicalResult(expected(at, "a string as a comment"));
    }
    return result;
  }

  LogicalResult setField(JsonNode& field, JsonNode member) {
    if (field == kNoNode) {
      field = member;
      return success();
    }
    return duplicateKey(member, field);
  }

  LogicalResult duplicateKey(JsonNode member, JsonNode first) {
    Location where = Location::inSource(source_, tree_.keyOffset(member));
    return errorAt(where, member, "duplicate key '" + shortened(tree_.key(member)) + "'")
               .note(Location::inSource(source_, tree_.keyOffset(first)))
           << "previously defined here";
  }

  LogicalResult readString(JsonNode node, std::string_view what, std::string_view& text) {
    if (tree_.kind(node) != JsonKind::String) return expected(node, what);
    text = tree_.string(node);
    return success();
  }

  LogicalResult readNatural(JsonNode node, std::string_view what, uint64_t max, uint64_t& number) {
    if (tree_.kind(node) != JsonKind::Natural) return expected(node, what);
    number = tree_.number(node);
    if (number <= max) return success();
    return error(node, "expected " + std::string(what) + " of at most " + std::to_string(max) +
                           ", found " + std::to_string(number));
  }

  /// `each` for every element, as long as there are not too many errors.
  template <class Each>
  LogicalResult readArray(JsonNode node, std::string_view what, Each each) {
    if (tree_.kind(node) != JsonKind::Array) return expected(node, what);
    LogicalResult result = success();
    for (JsonNode at = tree_.firstChild(node); at != kNoNode && !full(); at = tree_.next(at))
      result |= each(at);
    return result;
  }

  // -- Types, attributes, locations: text inside strings

  /// What is wrong in the text of a string, said at its place in the JSON text.
  LogicalResult reportInString(JsonNode node, std::span<const Diagnostic> diagnostics) {
    for (const Diagnostic& inner : diagnostics) {
      if (inner.severity != Severity::Error) continue;
      std::string_view json = context_.sources().text(source_);
      uint32_t at = text::offsetInString(json, tree_.offset(node), inner.location.offset());
      InFlightDiagnostic outer =
          errorAt(Location::inSource(source_, at), node, shortened(inner.message, 400));
      if (at < json.size() && json[at] == '"') outer.underline(1);
      return outer;
    }
    return error(node, "expected a type or an attribute");
  }

  template <class T>
  LogicalResult readText(JsonNode node, std::string_view what,
                         T (*parse)(Context&, std::string_view),
                         std::unordered_map<std::string_view, T>& known, T& result) {
    std::string_view text;
    if (failed(readString(node, what, text))) return failure();
    auto it = known.find(text);
    if (it != known.end()) {
      result = it->second;
      return success();
    }
    DiagnosticCollector collector(context_);
    result = parse(context_, text);
    if (result) {
      known.emplace(text, result);
      return success();
    }
    problems_ = collector.diagnostics();
    return failure();
  }

  template <class T>
  LogicalResult readParsed(JsonNode node, std::string_view what,
                           T (*parse)(Context&, std::string_view),
                           std::unordered_map<std::string_view, T>& known, T& result) {
    problems_.clear();
    unsigned before = errors_;
    if (succeeded(readText(node, what, parse, known, result))) return success();
    return errors_ > before ? failure() : reportInString(node, problems_);
  }

  LogicalResult readType(JsonNode node, Type& type) {
    return readParsed(node, "the text of a type", parseType, types_, type);
  }
  LogicalResult readAttribute(JsonNode node, Attribute& attribute) {
    return readParsed(node, "the text of an attribute", parseAttribute, attributes_, attribute);
  }

  LogicalResult readPlace(JsonNode node, Location& location) {
    if (tree_.numChildren(node) != 3)
      return error(node, "expected a location of the form [file, line, column]");
    JsonNode file = tree_.firstChild(node);
    JsonNode line = tree_.next(file);
    std::string_view name;
    uint64_t lineNumber = 0, column = 0;
    if (failed(readString(file, "the name of a file", name)) ||
        failed(readNatural(line, "a line number", UINT32_MAX, lineNumber)) ||
        failed(readNatural(tree_.next(line), "a column number", UINT32_MAX, column)))
      return failure();
    location = context_.fileLineCol(name, static_cast<unsigned>(lineNumber),
                                    static_cast<unsigned>(column));
    return success();
  }

  LogicalResult readLocation(JsonNode node, Location& location) {
    if (node == kNoNode) return success();
    if (tree_.kind(node) == JsonKind::Array) return readPlace(node, location);
    Attribute attribute;
    if (tree_.kind(node) != JsonKind::String)
      return expected(node, "a location: [file, line, column] or the text of one");
    if (failed(readAttribute(node, attribute))) return failure();
    if (!attribute.isa<LocationAttr>())
      return error(node, "expected a location such as 'loc(unknown)'");
    location = attribute.cast<LocationAttr>().value();
    return success();
  }

  // -- Values

  LogicalResult readId(JsonNode node, uint64_t& id) {
    return readNatural(node, "the number of a value", kMaxId, id);
  }

  LogicalResult define(uint64_t id, Value value, JsonNode node) {
    auto [it, inserted] = values_.try_emplace(id, Definition{value, node});
    if (inserted) return success();
    return error(node, "redefinition of value " + std::to_string(id)).note(placeOf(it->second.node))
           << "previously defined here";
  }

  struct ValueText {
    JsonNode node = kNoNode;
    uint64_t id = 0;
    bool hasId = false;
    Type type;
    Location location;
  };

  LogicalResult readValue(JsonNode node, bool withLocation, ValueText& value) {
    std::array<JsonNode, 3> fields;
    value.node = node;
    std::span<const std::string_view> keys = kValueKeys;
    if (!withLocation) keys = keys.first(2);
    LogicalResult result = readObject(node, keys, fields);
    if (tree_.kind(node) != JsonKind::Object) return result;
    result |= require(node, fields[0], "id");
    result |= require(node, fields[1], "type");
    if (fields[0] != kNoNode) {
      value.hasId = succeeded(readId(fields[0], value.id));
      result |= success(value.hasId);
    }
    if (fields[1] != kNoNode) result |= readType(fields[1], value.type);
    result |= readLocation(fields[2], value.location);
    return result;
  }

  /// Also names that belong to something broken are known: one error is enough.
  LogicalResult defineAll(std::span<const ValueText> texts, Operation* op) {
    LogicalResult result = success();
    for (size_t i = 0; i < texts.size(); ++i) {
      Value value = op ? op->result(static_cast<unsigned>(i)) : Value();
      if (texts[i].hasId) result |= define(texts[i].id, value, texts[i].node);
    }
    return result;
  }

  void checkOperands() {
    auto check = [this](JsonNode at) -> LogicalResult {
      uint64_t id = 0;
      if (failed(readId(at, id))) return failure();
      if (values_.contains(id)) return success();
      return error(at, "use of undefined value " + std::to_string(id));
    };
    for (const Uses& uses : uses_) (void)readArray(uses.list, "an array of value numbers", check);
  }

  void linkOperands() {
    for (const Uses& uses : uses_) {
      unsigned index = 0;
      for (JsonNode at = tree_.firstChild(uses.list); at != kNoNode; at = tree_.next(at))
        uses.op->setOperand(index++, values_.at(tree_.number(at)).value);
    }
  }

  // -- Operations

  LogicalResult readName(JsonNode object, JsonNode node, const OpDef*& def) {
    std::string_view name;
    if (failed(require(object, node, "op")) || failed(readString(node, "the name of an op", name)))
      return failure();
    def = context_.findOp(name);
    if (!def && context_.allowUnregistered() && text::isOpName(name)) def = &context_.opDef(name);
    if (def) return success();
    std::string dialect = shortened(name.substr(0, name.find('.')));
    std::string message = "unregistered operation '" + shortened(name) + "' found in dialect ('" +
                          dialect + "')";
    if (!context_.hasDialect(dialect))
      message += " that does not allow unknown operations; --allow-unregistered keeps it";
    else
      message += didYouMean(name, context_.opNames());
    return error(node, message);
  }

  LogicalResult readAttributes(JsonNode node, NamedAttrList& attributes) {
    if (node == kNoNode) return success();
    if (tree_.kind(node) != JsonKind::Object) return expected(node, "an object of attributes");
    LogicalResult result = success();
    std::unordered_map<std::string_view, JsonNode> seen;
    for (JsonNode at = tree_.firstChild(node); at != kNoNode && !full(); at = tree_.next(at)) {
      Attribute value;
      auto [first, isNew] = seen.try_emplace(tree_.key(at), at);
      if (!isNew) result |= duplicateKey(at, first->second);
      if (tree_.key(at).empty())
        result |= LogicalResult(error(at, "expected the name of an attribute, found ''"));
      result |= readAttribute(at, value);
      if (succeeded(result)) attributes.append(Identifier::get(context_, tree_.key(at)), value);
    }
    return result;
  }

  LogicalResult readResults(JsonNode node, std::vector<ValueText>& results) {
    if (node == kNoNode) return success();
    return readArray(node, "an array of results",
                     [&](JsonNode at) { return readValue(at, false, results.emplace_back()); });
  }

  LogicalResult readOperands(JsonNode node, OperationState& state) {
    if (node == kNoNode) return success();
    if (tree_.kind(node) != JsonKind::Array) return expected(node, "an array of value numbers");
    state.operands.resize(tree_.numChildren(node));
    return success();
  }

  LogicalResult readSuccessors(JsonNode node, std::span<Block* const> blocks,
                               OperationState& state) {
    if (node == kNoNode) return success();
    return readArray(node, "an array of block numbers", [&](JsonNode at) -> LogicalResult {
      uint64_t index = 0;
      if (failed(readNatural(at, "the number of a block", UINT32_MAX, index))) return failure();
      if (index >= blocks.size())
        return error(at, "reference to block " + std::to_string(index) + " of a region with " +
                             std::to_string(blocks.size()) + " blocks");
      state.successors.push_back(blocks[index]);
      return success();
    });
  }

  LogicalResult readRegions(JsonNode node, OperationState& state) {
    if (node == kNoNode) return success();
    return readArray(node, "an array of regions",
                     [&](JsonNode at) { return readRegion(at, state.addRegion()); });
  }

  /// `blocks` are those of the region that the op is in. Null after an error.
  Operation* readOp(JsonNode node, std::span<Block* const> blocks = {}) {
    if (depth_ >= limits_.maxNesting) {
      gaveUp_ = true;
      error(node, "nesting is deeper than the limit of " + std::to_string(limits_.maxNesting));
      return nullptr;
    }
    ++depth_;
    Operation* op = readOpInside(node, blocks);
    --depth_;
    return op;
  }

  Operation* readOpInside(JsonNode node, std::span<Block* const> blocks) {
    std::array<JsonNode, 7> fields;
    LogicalResult result = readObject(node, kOpKeys, fields);
    if (tree_.kind(node) != JsonKind::Object) return nullptr;
    const OpDef* def = nullptr;
    result |= readName(node, fields[0], def);
    OperationState state(placeOf(node), def ? *def : context_.opDef("builtin.module"));
    Location location;
    std::vector<ValueText> results;
    result |= readLocation(fields[1], location);
    result |= readResults(fields[2], results);
    result |= readOperands(fields[3], state);
    result |= readSuccessors(fields[4], blocks, state);
    result |= readAttributes(fields[5], state.attributes);
    result |= readRegions(fields[6], state);
    Operation* op = succeeded(result) ? make(state, results, location) : nullptr;
    (void)defineAll(results, op);
    bool hasUses = fields[3] != kNoNode && tree_.kind(fields[3]) == JsonKind::Array;
    if (hasUses) uses_.push_back({op, fields[3]});
    return op;
  }

  Operation* make(OperationState& state, std::span<const ValueText> results, Location location) {
    for (const ValueText& text : results) state.resultTypes.push_back(text.type);
    Operation* op = Operation::create(context_, state);
    opLocations_.emplace_back(op, location);
    return op;
  }

  LogicalResult readRegion(JsonNode node, Region& region) {
    std::array<JsonNode, 1> fields;
    LogicalResult result = readObject(node, kRegionKeys, fields);
    if (tree_.kind(node) != JsonKind::Object) return result;
    result |= require(node, fields[0], "blocks");
    if (fields[0] == kNoNode) return result;
    std::vector<Block*> blocks;
    if (tree_.kind(fields[0]) == JsonKind::Array)
      for (uint64_t i = 0; i < tree_.numChildren(fields[0]); ++i) {
        blocks.push_back(Block::create(context_));
        region.insert(blocks.back());
      }
    size_t index = 0;
    result |= readArray(fields[0], "an array of blocks",
                        [&](JsonNode at) { return readBlock(at, *blocks[index++], blocks); });
    return result;
  }

  LogicalResult readBlock(JsonNode node, Block& block, std::span<Block* const> blocks) {
    std::array<JsonNode, 2> fields;
    LogicalResult result = readObject(node, kBlockKeys, fields);
    if (fields[0] != kNoNode)
      result |= readArray(fields[0], "an array of block arguments",
                          [&](JsonNode at) { return readArgument(at, block); });
    if (fields[1] == kNoNode) return result;
    result |= readArray(fields[1], "an array of operations", [&](JsonNode at) {
      Operation* op = readOp(at, blocks);
      if (op) block.append(op);
      return success(op != nullptr);
    });
    return result;
  }

  LogicalResult readArgument(JsonNode node, Block& block) {
    ValueText text;
    LogicalResult result = readValue(node, true, text);
    Value value;
    if (succeeded(result)) {
      value = block.addArgument(text.type, placeOf(node));
      argumentLocations_.emplace_back(value, text.location);
    }
    if (text.hasId) result |= define(text.id, value, node);
    return result;
  }

  // -- Resources

  /// `each` for every member of an object; the keys are words, each there once.
  template <class Each>
  LogicalResult readWords(JsonNode node, std::string_view what, Each each) {
    if (tree_.kind(node) != JsonKind::Object) return expected(node, what);
    LogicalResult result = success();
    std::unordered_map<std::string_view, JsonNode> seen;
    for (JsonNode at = tree_.firstChild(node); at != kNoNode && !full(); at = tree_.next(at)) {
      if (isComment(tree_.key(at))) continue;
      auto [first, isNew] = seen.try_emplace(tree_.key(at), at);
      if (!isNew) result |= duplicateKey(at, first->second);
      else if (!text::isBareWord(tree_.key(at)))
        result |= LogicalResult(error(at, "expected a word as the key of a resource"));
      else
        result |= each(at);
    }
    return result;
  }

  LogicalResult readHex(JsonNode node, ResourceBlob& blob) {
    std::string_view hex;
    if (failed(readString(node, "a string of hexadecimal digits", hex))) return failure();
    Result<ResourceBlob> read = ResourceBlob::fromHex(tree_.key(node), hex);
    if (!read) return error(node, read.error().message);
    blob = std::move(*read);
    return success();
  }

  LogicalResult readResources(JsonNode node) {
    if (node == kNoNode) return success();
    return readWords(node, "an object of resources", [&](JsonNode at) -> LogicalResult {
      ResourceBlob blob;
      if (failed(readHex(at, blob))) return failure();
      if (Resources::of(context_).define(tree_.key(at), std::move(blob))) return success();
      return error(at, "resource '" + shortened(tree_.key(at)) +
                           "' has other bytes already, from another file in this context");
    });
  }

  LogicalResult readExternal(JsonNode node) {
    if (node == kNoNode) return success();
    std::vector<ExternalResources> sections;
    LogicalResult result = readWords(node, "an object of sections", [&](JsonNode section) {
      std::vector<ExternalResources::Entry>& entries =
          sections.emplace_back(ExternalResources{std::string(tree_.key(section)), {}}).entries;
      return readWords(section, "an object of resources",
                       [&](JsonNode at) { return readExternalEntry(at, entries); });
    });
    Resources::of(context_).setExternal(std::move(sections));
    return result;
  }

  LogicalResult readExternalEntry(JsonNode node, std::vector<ExternalResources::Entry>& entries) {
    ExternalResources::Entry& entry = entries.emplace_back();
    entry.key = tree_.key(node);
    if (tree_.kind(node) == JsonKind::Boolean) {
      entry.value = tree_.number(node) != 0;
      return success();
    }
    std::string_view text;
    if (failed(readString(node, "a boolean or a string", text))) return failure();
    ResourceBlob blob;
    bool isBlob = text.starts_with("0x");
    if (isBlob && failed(readHex(node, blob))) return failure();
    entry.value = isBlob ? blob.hex() : std::string(text);
    return success();
  }

  // -- The whole

  LogicalResult checkFormat(JsonNode format, JsonNode version) {
    std::string_view name;
    uint64_t number = 0;
    if (failed(require(0, format, "format")) || failed(require(0, version, "version")) ||
        failed(readString(format, "'airlite-ir'", name)))
      return failure();
    if (name != "airlite-ir")
      return error(format, "expected 'airlite-ir', found '" + shortened(name) + "'");
    if (failed(readNatural(version, "a version number", UINT64_MAX, number))) return failure();
    if (number == kJsonVersion) return success();
    return error(version, "not supported: version " + std::to_string(number) +
                              " of the JSON form; this airlite reads version " +
                              std::to_string(kJsonVersion));
  }

  OwningOp wrapped(OwningOp op) {
    OperationState state(context_, op->location(), "builtin.module");
    Block* body = Block::create(context_);
    state.addRegion().insert(body);
    Operation* module = Operation::create(context_, state);
    body->append(op.release());
    opLocations_.emplace_back(module, Location());
    return OwningOp(module);
  }

  static constexpr uint64_t kMaxId = (uint64_t(1) << 53) - 1;

  Context& context_;
  uint32_t source_;
  const JsonTree& tree_;
  const ParseLimits& limits_;
  unsigned errors_ = 0;
  unsigned depth_ = 0;
  bool gaveUp_ = false;
  std::unordered_map<uint64_t, Definition> values_;
  std::vector<Uses> uses_;
  std::vector<std::pair<Operation*, Location>> opLocations_;
  std::vector<std::pair<Value, Location>> argumentLocations_;
  std::unordered_map<std::string_view, Type> types_;
  std::unordered_map<std::string_view, Attribute> attributes_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

OwningOp parseJson(Context& context, std::string text, std::string name,
                   const ParseOptions& options) {
  uint32_t source = context.sources().add(std::move(name), std::move(text), options.firstLine);
  if (failed(text::checkInput(context, source, options.limits.maxBytes))) return OwningOp();
  JsonTree tree;
  size_t maxDepth = kLevelsPerOp * options.limits.maxNesting + kLevelsAround;
  if (failed(text::readJsonTree(context, source, maxDepth, tree))) return OwningOp();
  Resources::of(context).setExternal({});
  JsonReader reader(context, source, tree, options.limits);
  OwningOp module = reader.read();
  if (!module || (options.verify && failed(verify(*module)))) return OwningOp();
  reader.setFinalLocations();
  return module;
}

}  // namespace airlite
