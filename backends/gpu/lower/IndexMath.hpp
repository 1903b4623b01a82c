// Index arithmetic that folds what is known while it builds.
#pragma once

#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>

namespace airlite::gpu {

/// A constant, or a value of index type.
struct Index {
  int64_t constant = 0;
  Value value;

  Index() = default;
  Index(int64_t c) : constant(c) {}  // NOLINT: both are what index arithmetic is made of
  Index(Value v);                    // NOLINT
  bool isConstant() const { return !value; }
  bool is(int64_t c) const { return !value && constant == c; }
};

class IndexMath {
 public:
  IndexMath(Builder& builder, Location location) : builder_(builder), location_(location) {}
  Builder& builder() const { return builder_; }
  Location location() const { return location_; }

  Value value(Index index) const;
  Index add(Index a, Index b) const;
  Index mul(Index a, Index b) const;
  /// Of values that are not negative.
  Index div(Index a, Index b) const;
  Index rem(Index a, Index b) const;
  Value compare(arith::CmpIPredicate predicate, Index a, Index b) const;

 private:
  Value binary(std::string_view name, Index a, Index b) const;
  Builder& builder_;
  Location location_;
};

/// A number that divides `value` at run time, as large as can be told; 0 for zero itself.
int64_t knownDivisor(Value value);
int64_t knownDivisor(Index index);

}  // namespace airlite::gpu
