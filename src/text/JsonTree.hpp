// A JSON text as a flat tree that knows where everything stands, which the JSON library's own
// values do not. Only JsonTree.cpp sees that library.
#pragma once

#include "airlite/ir/Context.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::text {

enum class JsonKind : uint8_t { Null, Boolean, Natural, OtherNumber, String, Array, Object };

/// `a string`, as messages name it.
std::string_view describe(JsonKind kind);

/// Handle of a node; the root is 0, and kNoNode says that there is none.
using JsonNode = uint32_t;
inline constexpr JsonNode kNoNode = UINT32_MAX;

class JsonTree {
 public:
  JsonKind kind(JsonNode node) const { return nodes_[node].kind; }
  /// Byte of the text where the node starts.
  uint32_t offset(JsonNode node) const { return nodes_[node].offset; }
  JsonNode firstChild(JsonNode node) const { return nodes_[node].value ? node + 1 : kNoNode; }
  JsonNode next(JsonNode node) const { return nodes_[node].next; }
  uint64_t numChildren(JsonNode node) const { return nodes_[node].value; }
  uint64_t number(JsonNode node) const { return nodes_[node].value; }
  std::string_view string(JsonNode node) const { return at(strings_[nodes_[node].value]); }
  /// Of the member of an object, and where the key stands.
  std::string_view key(JsonNode node) const { return at(strings_[nodes_[node].key]); }
  uint32_t keyOffset(JsonNode node) const { return strings_[nodes_[node].key].offset; }
  /// `/module/regions/0`: the JSON pointer of a node. Takes time; for messages.
  std::string pointer(JsonNode node) const;

 private:
  friend class JsonTreeBuilder;
  struct Text {
    uint32_t start;
    uint32_t size;
    uint32_t offset;  // of the opening quote in the JSON text
  };
  struct Node {
    uint64_t value;  // number, index into strings_, or number of children
    uint32_t offset;
    uint32_t next = kNoNode;
    uint32_t key = kNoNode;
    JsonKind kind;
  };
  std::string_view at(const Text& text) const {
    return std::string_view(pool_).substr(text.start, text.size);
  }

  std::vector<Node> nodes_;
  std::vector<Text> strings_;
  std::string pool_;
};

/// At most this many bytes of `text`, whole characters, with `...` where it was cut.
std::string shortened(std::string_view text, size_t limit = 60);

/// Where byte `decoded` of the string that starts (with its quote) at `offset` of `json` stands.
uint32_t offsetInString(std::string_view json, uint32_t offset, size_t decoded);

/// Reads the text of `source`, whose nesting may be `maxDepth` levels deep.
LogicalResult readJsonTree(Context& context, uint32_t source, size_t maxDepth, JsonTree& tree);

}  // namespace airlite::text
