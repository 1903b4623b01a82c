// The pieces of the JSON form, read with their places: objects with known keys, strings, numbers,
// lists. Errors name the place in the text and the pointer into the tree.
#pragma once

#include "JsonTree.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/text/Parser.hpp"

#include <span>
#include <unordered_map>

namespace airlite::text {

class JsonInput {
 public:
  JsonInput(Context& context, uint32_t source, const JsonTree& tree, const ParseLimits& limits)
      : context(context), tree(tree), limits(limits), source_(source) {}

  Location placeOf(JsonNode node) const { return Location::inSource(source_, tree.offset(node)); }
  uint32_t source() const { return source_; }
  InFlightDiagnostic errorAt(Location where, JsonNode node, const std::string& message);
  InFlightDiagnostic error(JsonNode node, const std::string& message) {
    return errorAt(placeOf(node), node, message);
  }
  InFlightDiagnostic expected(JsonNode node, std::string_view what);
  unsigned numErrors() const { return errors_; }
  /// There are too many errors to continue.
  bool full() const { return gaveUp_ || errors_ >= limits.maxErrors; }
  void giveUp() { gaveUp_ = true; }

  LogicalResult require(JsonNode object, JsonNode field, std::string_view name);
  /// `fields[i]` becomes the value of `keys[i]`, or kNoNode. Members named `//...` are comments.
  LogicalResult readObject(JsonNode node, std::span<const std::string_view> keys,
                           std::span<JsonNode> fields);
  LogicalResult duplicateKey(JsonNode member, JsonNode first);
  LogicalResult readString(JsonNode node, std::string_view what, std::string_view& text);
  LogicalResult readNatural(JsonNode node, std::string_view what, uint64_t max, uint64_t& number);

  /// `each` for every element, as long as there are not too many errors.
  template <class Each> LogicalResult readArray(JsonNode node, std::string_view what, Each each) {
    if (tree.kind(node) != JsonKind::Array) return expected(node, what);
    LogicalResult result = success();
    for (JsonNode at = tree.firstChild(node); at != kNoNode && !full(); at = tree.next(at))
      result |= each(at);
    return result;
  }

  /// `each` for every member of an object; the keys are words, each there once.
  LogicalResult readWords(JsonNode node, std::string_view what,
                          FunctionRef<LogicalResult(JsonNode)> each);

  Context& context;
  const JsonTree& tree;
  const ParseLimits& limits;

 private:
  LogicalResult unknownKey(JsonNode member, std::span<const std::string_view> keys);
  LogicalResult setField(JsonNode& field, JsonNode member);

  uint32_t source_;
  unsigned errors_ = 0;
  bool gaveUp_ = false;
};

/// Types, attributes and locations: text inside strings, each parsed once.
class JsonTexts {
 public:
  explicit JsonTexts(JsonInput& in) : in_(in) {}

  LogicalResult readType(JsonNode node, Type& type);
  LogicalResult readAttribute(JsonNode node, Attribute& attribute);
  /// Absent: `location` stays.
  LogicalResult readLocation(JsonNode node, Location& location);

 private:
  template <class T> using Parse = T (*)(Context&, std::string_view);
  template <class T> using Known = std::unordered_map<std::string_view, T>;

  LogicalResult reportInString(JsonNode node, std::span<const Diagnostic> diagnostics);
  template <class T>
  LogicalResult readText(JsonNode node, std::string_view what, Parse<T> parse, Known<T>& known,
                         T& result);
  template <class T>
  LogicalResult readParsed(JsonNode node, std::string_view what, Parse<T> parse, Known<T>& known,
                           T& result);
  LogicalResult readPlace(JsonNode node, Location& location);

  JsonInput& in_;
  Known<Type> types_;
  Known<Attribute> attributes_;
  std::vector<Diagnostic> problems_;
};

// -- JsonResources.cpp

LogicalResult readJsonResources(JsonInput& in, JsonNode node);
LogicalResult readJsonExternal(JsonInput& in, JsonNode node);

}  // namespace airlite::text
