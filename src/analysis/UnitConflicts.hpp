// Whether two ops, each with everything inside, may change places: what passes ask that loosen the
// order of a schedule.
#pragma once

#include "airlite/analysis/Access.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::air {

/// Two ops conflict when they touch one element and one of the two writes it, or when both put to
/// (get from) one place of a channel, which keeps the order of its transfers. A call of a function
/// that is there, and what is not registered, conflicts with everything.
///
/// Keeps what it has found out about ops: use one for a program that does not change meanwhile.
class UnitConflicts {
 public:
  /// In one run of what is around both.
  bool conflict(Operation& a, Operation& b);
  /// For a later run of the body of `loop` against an earlier one.
  bool conflictAcross(Operation& later, Operation& earlier, Operation& loop);
  /// A transfer through a channel, or what cannot be looked into: it may wait for another op
  /// without a token that says so.
  bool mayWait(Operation& op);
  analysis::AccessReader& reader() { return reader_; }

 private:
  struct Place {
    std::string_view channel;
    bool isPut = false;
    std::vector<std::optional<int64_t>> indices;
  };
  struct Effects {
    std::vector<analysis::BufferAccess> accesses;
    std::vector<Place> places;
    bool isOpaque = false;
  };
  const Effects& of(Operation& op);
  static bool sharePlace(const Place& a, const Place& b);
  static bool sharePlace(const Effects& a, const Effects& b);

  analysis::AccessReader reader_;
  std::unordered_map<Operation*, Effects> effects_;
};

}  // namespace airlite::air
