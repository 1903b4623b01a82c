// The names that values and blocks have in print: numbers, or what the ops suggest.
#pragma once

#include "../support/AddressMap.hpp"
#include "../support/FlatMap.hpp"
#include "airlite/ir/Context.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace airlite::text {

/// `text` with the characters that a `%name` cannot have replaced.
std::string sanitizedName(std::string_view text);

/// Names everything inside one top-level op. Numbering goes region by region: a region first names
/// all its own values, then the regions nested in it continue counting from there, each on its own, so
/// that siblings reuse names. A name is taken while an enclosing region has it.
class SsaNames {
 public:
  SsaNames() = default;
  /// `plain`: numbers only, different in the whole program (the generic form).
  /// Unless `trusted`, only ops that match their definitions are asked for suggestions.
  SsaNames(Operation& root, bool plain, bool trusted = true);

  /// `%x`, or `%x#1` for a result inside a group when `withNumber`.
  void append(std::string& out, Value value, bool withNumber = true) const;
  /// `%a, %b:2` before the ` = `.
  void appendResults(std::string& out, const Operation& op) const;
  void appendBlock(std::string& out, const Block* block) const;

 private:
  // What values_ says of a value: a number, kArgument + number, or kText + index into texts_; with
  // kGrouped, the value has a position in a group of several results.
  static constexpr uint32_t kText = 1u << 31;
  static constexpr uint32_t kArgument = 1u << 30;  // `%argN` where no other name can be in its way
  static constexpr uint32_t kGrouped = 1u << 29;
  static constexpr uint32_t kNumber = kGrouped - 1;
  bool isNamed(Value value) const { return values_.get(value.impl()) != 0; }
  uint32_t nameOf(Value value) const { return values_.get(value.impl()) - 1; }  // of a named one
  void setNameOf(Value value, uint32_t name) { values_.set(value.impl(), name + 1); }
  unsigned positionInGroup(Value value) const;

  struct Counters {
    unsigned value = 0, argument = 0, conflict = 0;
  };

  void nameRegion(Region& region);
  void nameNested(Operation& op);
  void nameBlock(Block& block);
  void nameArguments(Block& block);
  void nameResults(Operation& op);
  void suggestResults(Operation& op, std::vector<unsigned>& groups);
  void finishGroups(Operation& op, std::vector<unsigned>& groups);
  void suggestArguments(Region& region);
  void setName(Value value, std::string_view suggestion);
  void addText(std::string_view suggestion);
  bool isTaken(std::string_view name) const { return taken_.count(name) != 0; }

  bool plain_ = false;
  bool trusted_ = true;
  Counters next_;
  detail::AddressMap values_;                         // name + 1
  detail::AddressMap blocks_;                         // number + 1
  detail::FlatMap<const void*, unsigned> positions_;  // of grouped values
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> taken_;
  std::vector<std::string_view> takenInOrder_;  // to forget the names of a region that ends
};

}  // namespace airlite::text
