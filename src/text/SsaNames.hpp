// The names that values and blocks have in print: numbers, or what the ops suggest.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "../support/FlatMap.hpp"
#include "airlite/ir/Context.hpp"

namespace airlite::text {

/// `text` with the characters that a `%name` cannot have replaced.
std::string sanitizedName(std::string_view text);

/// Names everything inside one top-level op. Numbering goes region by region: a region first names
/// all its own values, then the regions nested in it go on counting from there, each on its own, so
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
  struct Name {
    uint32_t id = 0;          // number, kArgument + number, or kText + index into texts_
    int32_t inGroup = kAlone;  // position in a group of several results
  };
  static constexpr uint32_t kText = 1u << 31;
  static constexpr uint32_t kArgument = 1u << 30;  // `%argN` where no other name can be in its way
  static constexpr int32_t kAlone = -1;

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
  detail::FlatMap<const void*, Name> values_;
  detail::FlatMap<const void*, unsigned> blocks_;
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> taken_;
  std::vector<std::string_view> takenInOrder_;  // to forget the names of a region that ends
};

}  // namespace airlite::text
