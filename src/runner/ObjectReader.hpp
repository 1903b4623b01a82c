// Reads objects of JSON files with places: each member by its name, what is wrong where it stands.
// Private to runner/.
#pragma once

#include "airlite/ir/Context.hpp"
#include "text/JsonTree.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace airlite::runner {

/// A member that an object may have, and what reads it.
struct Member {
  std::string_view name;
  std::function<void(text::JsonNode)> read;
};

class ObjectReader {
 public:
  ObjectReader(Context& context, std::string fileName, std::string text);

  /// The whole file. False after errors.
  bool readFile(std::span<const Member> members);
  /// What `node` has to be, an object. Members that are not listed are errors with a proposal, those
  /// named `//...` comments.
  void readObject(text::JsonNode node, std::span<const Member> members);
  void readString(text::JsonNode node, std::string& value);
  /// Not negative.
  void readCount(text::JsonNode node, uint64_t& value);
  /// Above 0.
  void readRate(text::JsonNode node, double& value);
  void fail(text::JsonNode node, const std::string& message);
  bool isBad() const { return isBad_; }
  const text::JsonTree& tree() const { return tree_; }

 private:
  void failAt(uint32_t offset, const std::string& message);

  Context& context_;
  uint32_t source_;
  text::JsonTree tree_;
  bool isBad_ = false;
};

}  // namespace airlite::runner
