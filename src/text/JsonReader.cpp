// The JSON form of the IR, read: a tree first, then the operations; operands are set at the end,
// when every value is there.
#include "JsonInput.hpp"
#include "ParserState.hpp"
#include "PrinterState.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/Json.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace airlite {

using text::JsonInput;
using text::JsonKind;
using text::JsonNode;
using text::JsonTexts;
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

/// One class: ops, regions and blocks nest in each other, and all of them define and use values.
class JsonReader {
 public:
  JsonReader(Context& context, uint32_t source, const JsonTree& tree, const ParseLimits& limits)
      : context_(context), tree_(tree), in_(context, source, tree, limits), texts_(in_) {}

  OwningOp read() {
    std::array<JsonNode, 5> fields;
    if (failed(in_.readObject(0, kTopKeys, fields)) || failed(checkFormat(fields[0], fields[1])))
      return OwningOp();
    (void)text::readJsonResources(in_, fields[3]);
    (void)text::readJsonExternal(in_, fields[4]);
    if (failed(in_.require(0, fields[2], "module"))) return OwningOp();
    OwningOp top(readOp(fields[2]));
    checkOperands();
    if (in_.numErrors() || !top) return OwningOp();
    linkOperands();
    return top->is("builtin.module") ? std::move(top) : wrapped(std::move(top));
  }

  /// While the program is checked its places are those of the JSON text; then they become what the
  /// text says.
  void setFinalLocations() {
    for (auto& [op, location] : opLocations_)
      op->setLocation(location);
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

  // -- Values

  LogicalResult readId(JsonNode node, uint64_t& id) {
    return in_.readNatural(node, "the number of a value", kMaxId, id);
  }

  LogicalResult define(uint64_t id, Value value, JsonNode node) {
    auto [it, inserted] = values_.try_emplace(id, Definition{value, node});
    if (inserted) return success();
    return in_.error(node, "redefinition of value " + std::to_string(id))
               .note(in_.placeOf(it->second.node))
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
    LogicalResult result = in_.readObject(node, keys, fields);
    if (tree_.kind(node) != JsonKind::Object) return result;
    result |= in_.require(node, fields[0], "id");
    result |= in_.require(node, fields[1], "type");
    if (fields[0] != kNoNode) {
      value.hasId = succeeded(readId(fields[0], value.id));
      result |= success(value.hasId);
    }
    if (fields[1] != kNoNode) result |= texts_.readType(fields[1], value.type);
    result |= texts_.readLocation(fields[2], value.location);
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
      return in_.error(at, "use of undefined value " + std::to_string(id));
    };
    for (const Uses& uses : uses_)
      (void)in_.readArray(uses.list, "an array of value numbers", check);
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
    if (failed(in_.require(object, node, "op")) ||
        failed(in_.readString(node, "the name of an op", name)))
      return failure();
    def = context_.findOp(name);
    if (!def && context_.allowUnregistered() && text::isOpName(name)) def = &context_.opDef(name);
    if (def) return success();
    std::string dialect = shortened(name.substr(0, name.find('.')));
    std::string message =
        "unregistered operation '" + shortened(name) + "' found in dialect ('" + dialect + "')";
    if (!context_.hasDialect(dialect))
      message += " that does not allow unknown operations; --allow-unregistered keeps it";
    else
      message += didYouMean(name, context_.opNames());
    return in_.error(node, message);
  }

  LogicalResult readAttributes(JsonNode node, NamedAttrList& attributes) {
    if (node == kNoNode) return success();
    if (tree_.kind(node) != JsonKind::Object) return in_.expected(node, "an object of attributes");
    LogicalResult result = success();
    std::unordered_map<std::string_view, JsonNode> seen;
    for (JsonNode at = tree_.firstChild(node); at != kNoNode && !in_.full(); at = tree_.next(at)) {
      Attribute value;
      auto [first, isNew] = seen.try_emplace(tree_.key(at), at);
      if (!isNew) result |= in_.duplicateKey(at, first->second);
      if (tree_.key(at).empty())
        result |= LogicalResult(in_.error(at, "expected the name of an attribute, found ''"));
      result |= texts_.readAttribute(at, value);
      if (succeeded(result)) attributes.append(Identifier::get(context_, tree_.key(at)), value);
    }
    return result;
  }

  LogicalResult readResults(JsonNode node, std::vector<ValueText>& results) {
    if (node == kNoNode) return success();
    return in_.readArray(node, "an array of results",
                         [&](JsonNode at) { return readValue(at, false, results.emplace_back()); });
  }

  LogicalResult readOperands(JsonNode node, OperationState& state) {
    if (node == kNoNode) return success();
    if (tree_.kind(node) != JsonKind::Array) return in_.expected(node, "an array of value numbers");
    state.operands.resize(tree_.numChildren(node));
    return success();
  }

  LogicalResult readSuccessors(JsonNode node, std::span<Block* const> blocks,
                               OperationState& state) {
    if (node == kNoNode) return success();
    return in_.readArray(node, "an array of block numbers", [&](JsonNode at) -> LogicalResult {
      uint64_t index = 0;
      if (failed(in_.readNatural(at, "the number of a block", UINT32_MAX, index))) return failure();
      if (index >= blocks.size())
        return in_.error(at, "reference to block " + std::to_string(index) + " of a region with " +
                                 std::to_string(blocks.size()) + " blocks");
      state.successors.push_back(blocks[index]);
      return success();
    });
  }

  LogicalResult readRegions(JsonNode node, OperationState& state) {
    if (node == kNoNode) return success();
    return in_.readArray(node, "an array of regions",
                         [&](JsonNode at) { return readRegion(at, state.addRegion()); });
  }

  /// `blocks` are those of the region that the op is in. Null after an error.
  Operation* readOp(JsonNode node, std::span<Block* const> blocks = {}) {
    if (depth_ >= in_.limits.maxNesting) {
      in_.giveUp();
      in_.error(node,
                "nesting is deeper than the limit of " + std::to_string(in_.limits.maxNesting));
      return nullptr;
    }
    ++depth_;
    Operation* op = readOpInside(node, blocks);
    --depth_;
    return op;
  }

  Operation* readOpInside(JsonNode node, std::span<Block* const> blocks) {
    std::array<JsonNode, 7> fields;
    LogicalResult result = in_.readObject(node, kOpKeys, fields);
    if (tree_.kind(node) != JsonKind::Object) return nullptr;
    const OpDef* def = nullptr;
    result |= readName(node, fields[0], def);
    OperationState state(in_.placeOf(node), def ? *def : context_.opDef("builtin.module"));
    Location location;
    std::vector<ValueText> results;
    result |= texts_.readLocation(fields[1], location);
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
    for (const ValueText& text : results)
      state.resultTypes.push_back(text.type);
    Operation* op = Operation::create(context_, state);
    opLocations_.emplace_back(op, location);
    return op;
  }

  LogicalResult readRegion(JsonNode node, Region& region) {
    std::array<JsonNode, 1> fields;
    LogicalResult result = in_.readObject(node, kRegionKeys, fields);
    if (tree_.kind(node) != JsonKind::Object) return result;
    result |= in_.require(node, fields[0], "blocks");
    if (fields[0] == kNoNode) return result;
    std::vector<Block*> blocks;
    if (tree_.kind(fields[0]) == JsonKind::Array)
      for (uint64_t i = 0; i < tree_.numChildren(fields[0]); ++i) {
        blocks.push_back(Block::create(context_));
        region.insert(blocks.back());
      }
    size_t index = 0;
    result |= in_.readArray(fields[0], "an array of blocks",
                            [&](JsonNode at) { return readBlock(at, *blocks[index++], blocks); });
    return result;
  }

  LogicalResult readBlock(JsonNode node, Block& block, std::span<Block* const> blocks) {
    std::array<JsonNode, 2> fields;
    LogicalResult result = in_.readObject(node, kBlockKeys, fields);
    if (fields[0] != kNoNode)
      result |= in_.readArray(fields[0], "an array of block arguments",
                              [&](JsonNode at) { return readArgument(at, block); });
    if (fields[1] == kNoNode) return result;
    result |= in_.readArray(fields[1], "an array of operations", [&](JsonNode at) {
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
      value = block.addArgument(text.type, in_.placeOf(node));
      argumentLocations_.emplace_back(value, text.location);
    }
    if (text.hasId) result |= define(text.id, value, node);
    return result;
  }

  // -- The whole

  LogicalResult checkFormat(JsonNode format, JsonNode version) {
    std::string_view name;
    uint64_t number = 0;
    if (failed(in_.require(0, format, "format")) || failed(in_.require(0, version, "version")) ||
        failed(in_.readString(format, "'airlite-ir'", name)))
      return failure();
    if (name != "airlite-ir")
      return in_.error(format, "expected 'airlite-ir', found '" + shortened(name) + "'");
    if (failed(in_.readNatural(version, "a version number", UINT64_MAX, number))) return failure();
    if (number == kJsonVersion) return success();
    return in_.error(version, "not supported: version " + std::to_string(number) +
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
  const JsonTree& tree_;
  JsonInput in_;
  JsonTexts texts_;
  unsigned depth_ = 0;
  std::unordered_map<uint64_t, Definition> values_;
  std::vector<Uses> uses_;
  std::vector<std::pair<Operation*, Location>> opLocations_;
  std::vector<std::pair<Value, Location>> argumentLocations_;
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
