// What values are while a program is unfolded: numbers, tokens, buffers.
#pragma once

#include "../support/FlatMap.hpp"
#include "airlite/analysis/Unfolding.hpp"
#include "airlite/dialect/IndexValues.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace airlite::analysis {

struct Slot {
  bool isKnown = false;
  int64_t number = 0;       // sign-extended; of a token: what its affinity lock is called
  PointId point = kNone;    // when the token fires, the result of an execute is there
  uint32_t buffer = kNone;  // of a memref
};

/// Values of the iteration that is being unfolded. Numbers are computed when they are asked for.
class UnfoldValues {
 public:
  explicit UnfoldValues(const UnfoldOptions& options) : options_(options) {}

  Slot get(Value value) const {
    const Slot* slot = slots_.find(value.impl());
    return slot ? *slot : Slot();
  }
  void set(Value value, const Slot& slot) {
    slots_[value.impl()] = slot;
    ++epoch_;
  }
  void setNumber(Value value, int64_t number) { set(value, {true, number}); }

  /// Null when the program does not fix it.
  std::optional<int64_t> number(Value value) { return evaluate(value, false, 0); }
  /// The number, with assumptions where the program does not fix it. Null for what is not an integer.
  std::optional<int64_t> decide(Value value) { return evaluate(value, true, 0); }
  /// The environment of bounds and conditions.
  std::optional<int64_t> operator()(Value value) { return decide(value); }
  std::optional<int64_t> decide(const air::IndexEntry& entry) {
    return entry.value ? decide(entry.value) : std::optional(entry.constant);
  }
  std::optional<int64_t> number(const LinearSum& sum);
  bool isAssumed(Value value) const { return assumed_.find(value.impl()) != nullptr; }
  std::vector<Assumption> assumptions;

 private:
  struct Memo {
    uint64_t epoch = 0;
    bool isKnown = false;
    int64_t number = 0;
  };

  std::optional<int64_t> evaluate(Value value, bool assumes, unsigned depth);
  std::optional<int64_t> compute(Value value, bool assumes, unsigned depth);
  std::optional<int64_t> assume(Value value);

  const UnfoldOptions& options_;
  detail::FlatMap<const detail::ValueImpl*, Slot> slots_;
  detail::FlatMap<const detail::ValueImpl*, Memo> memos_;
  ElementOps elements_;
  detail::FlatMap<const detail::ValueImpl*, int64_t> assumed_;
  uint64_t epoch_ = 1;
};

}  // namespace airlite::analysis
