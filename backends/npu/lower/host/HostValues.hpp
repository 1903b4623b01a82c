// What values of a host function are while it is run symbolically: constants, or values of the
// runtime sequence.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>
#include <unordered_map>

namespace airlite::npu {

class HostValues {
 public:
  explicit HostValues(Builder& builder) : builder_(builder) {}

  void bind(Value value, aie::MaybeStatic known) { known_[value] = known; }
  /// Forgets what has been computed, not what is bound: variables have new values.
  void forget() { computed_.clear(); }
  /// What `value` is; ops without effects that it needs are made again where the builder stands.
  /// None for what a sequence cannot know, such as the contents of memory.
  std::optional<aie::MaybeStatic> find(Value value);
  std::optional<int64_t> constant(Value value);
  /// The environment of bounds and conditions.
  std::optional<int64_t> operator()(Value value) { return constant(value); }
  /// As a value of the sequence.
  Value materialize(aie::MaybeStatic number, Type type, Location location);

 private:
  std::optional<aie::MaybeStatic> compute(Operation& op, unsigned result);

  Builder& builder_;
  std::unordered_map<Value, aie::MaybeStatic> known_, computed_;
};

}  // namespace airlite::npu
