// Pieces of the JSON form (see JsonInput.hpp).
#include "JsonInput.hpp"

#include "PrinterState.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>

namespace airlite::text {

namespace {

bool isComment(std::string_view key) { return key.starts_with("//"); }

}  // namespace

InFlightDiagnostic JsonInput::errorAt(Location where, JsonNode node, const std::string& message) {
  ++errors_;
  InFlightDiagnostic diagnostic = emitError(context, where);
  diagnostic << message << " (at " << tree.pointer(node) << ')';
  return diagnostic;
}

InFlightDiagnostic JsonInput::expected(JsonNode node, std::string_view what) {
  return error(
      node, "expected " + std::string(what) + ", found " + std::string(describe(tree.kind(node))));
}

LogicalResult JsonInput::require(JsonNode object, JsonNode field, std::string_view name) {
  if (field != kNoNode) return success();
  return error(object, "expected the key '" + std::string(name) + "' in this object");
}

LogicalResult JsonInput::unknownKey(JsonNode member, std::span<const std::string_view> keys) {
  std::string_view key = tree.key(member);
  Location where = Location::inSource(source_, tree.keyOffset(member));
  return errorAt(where, member, "unknown key '" + shortened(key) + "'" + didYouMean(key, keys));
}

LogicalResult JsonInput::readObject(JsonNode node, std::span<const std::string_view> keys,
                                    std::span<JsonNode> fields) {
  std::fill(fields.begin(), fields.end(), kNoNode);
  if (tree.kind(node) != JsonKind::Object) return expected(node, "an object");
  LogicalResult result = success();
  for (JsonNode at = tree.firstChild(node); at != kNoNode && !full(); at = tree.next(at)) {
    auto key = std::find(keys.begin(), keys.end(), tree.key(at));
    if (key != keys.end())
      result |= setField(fields[static_cast<size_t>(key - keys.begin())], at);
    else if (!isComment(tree.key(at)))
      result |= unknownKey(at, keys);
    else if (tree.kind(at) != JsonKind::String)
      result |= LogicalResult(expected(at, "a string as a comment"));
  }
  return result;
}

LogicalResult JsonInput::setField(JsonNode& field, JsonNode member) {
  if (field == kNoNode) {
    field = member;
    return success();
  }
  return duplicateKey(member, field);
}

LogicalResult JsonInput::duplicateKey(JsonNode member, JsonNode first) {
  Location where = Location::inSource(source_, tree.keyOffset(member));
  return errorAt(where, member, "duplicate key '" + shortened(tree.key(member)) + "'")
             .note(Location::inSource(source_, tree.keyOffset(first)))
         << "previously defined here";
}

LogicalResult JsonInput::readString(JsonNode node, std::string_view what, std::string_view& text) {
  if (tree.kind(node) != JsonKind::String) return expected(node, what);
  text = tree.string(node);
  return success();
}

LogicalResult JsonInput::readNatural(JsonNode node, std::string_view what, uint64_t max,
                                     uint64_t& number) {
  if (tree.kind(node) != JsonKind::Natural) return expected(node, what);
  number = tree.number(node);
  if (number <= max) return success();
  return error(node, "expected " + std::string(what) + " of at most " + std::to_string(max) +
                         ", found " + std::to_string(number));
}

LogicalResult JsonInput::readWords(JsonNode node, std::string_view what,
                                   FunctionRef<LogicalResult(JsonNode)> each) {
  if (tree.kind(node) != JsonKind::Object) return expected(node, what);
  LogicalResult result = success();
  std::unordered_map<std::string_view, JsonNode> seen;
  for (JsonNode at = tree.firstChild(node); at != kNoNode && !full(); at = tree.next(at)) {
    if (isComment(tree.key(at))) continue;
    auto [first, isNew] = seen.try_emplace(tree.key(at), at);
    if (!isNew)
      result |= duplicateKey(at, first->second);
    else if (!isBareWord(tree.key(at)))
      result |= LogicalResult(error(at, "expected a word as the key of a resource"));
    else
      result |= each(at);
  }
  return result;
}

}  // namespace airlite::text
