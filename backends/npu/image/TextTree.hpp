// The text form of images: a tree of lines. One line is a name, values, attributes and perhaps an
// opening brace whose lines are its children:
//
//     write (0,2)+Core_Control Enable=1   # comments go to the end of the line
//     blockwrite (0,0)+DMA_BD0_0 {
//       DMA_BD0_0 Buffer_Length=64
//     }
#pragma once

#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airlite::npu {

struct TextNode {
  std::string name;
  std::vector<std::string> values;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<TextNode> children;
  std::string comment;
  uint64_t line = 0;  ///< where it was read

  TextNode& add(std::string key, std::string value) {
    attributes.emplace_back(std::move(key), std::move(value));
    return *this;
  }
  TextNode& add(std::string key, uint64_t value);
  /// Only when it is not what the reader takes for absent.
  TextNode& addUnless(uint64_t usual, std::string key, uint64_t value);
  TextNode& child(std::string childName) {
    return children.emplace_back(TextNode{std::move(childName)});
  }
};

std::string printTree(const TextNode& root);
/// Refusals have the line as their place.
Result<TextNode> parseTree(std::string_view text);

/// 0x1F, but small numbers in decimal.
std::string numberText(uint64_t value);
std::optional<uint64_t> numberOf(std::string_view text);
std::string hexText(ByteSpan bytes);
std::optional<ByteVector> bytesOfHex(std::string_view text);

/// Takes a node apart; the first thing that is wrong stays, with the line.
class NodeReader {
 public:
  NodeReader(const TextNode& node, std::optional<Error>& refusal)
      : node_(node), refusal_(refusal), taken_(node.attributes.size()) {}

  /// The attribute, or `usual` when there is none; refuses what is above `most`.
  uint64_t number(std::string_view key, uint64_t usual, uint64_t most = ~uint64_t(0));
  uint32_t word(std::string_view key, uint32_t usual = 0) {
    return uint32_t(number(key, usual, ~uint32_t(0)));
  }
  std::string text(std::string_view key, std::string_view usual = "");
  /// Hexadecimal bytes that must be as many as `out` has; unchanged when there is no such
  /// attribute.
  void bytes(std::string_view key, std::span<uint8_t> out);
  bool has(std::string_view key) const;
  /// Value number `index`, empty and a refusal when there is none.
  const std::string& value(size_t index);
  /// Each attribute nobody has taken yet.
  template <class F> void rest(F&& f) {
    for (size_t i = 0; i < taken_.size(); ++i)
      if (!taken_[i]) f(node_.attributes[i].first, node_.attributes[i].second), taken_[i] = true;
  }
  /// Refuses attributes that nobody has taken, by name, and values after the first `values`.
  void end(size_t values = 0);
  void refuse(std::string message);
  bool ok() const { return !refusal_; }

 private:
  const std::string* take(std::string_view key);

  const TextNode& node_;
  std::optional<Error>& refusal_;
  std::vector<bool> taken_;
};

/// Raw words and bytes as child lines, and back.
void addWords(TextNode& node, std::span<const uint32_t> words);
void addBytes(TextNode& node, ByteSpan bytes);
std::vector<uint32_t> takeWords(const TextNode& node, std::optional<Error>& refusal);
ByteVector takeBytes(const TextNode& node, std::optional<Error>& refusal);

}  // namespace airlite::npu
