// Whether ops of a program come one after the other, by control and by tokens.
#pragma once

#include "TokenReach.hpp"

namespace airlite::air {

/// What tells whether one op comes after another one.
class RunOrder {
 public:
  explicit RunOrder(TokenReach& reach) : reach_(reach) {}

  /// Whether `first` and `second`, of which neither is inside of the other, never run side by side:
  /// in the order in which they stand, and over the runs of sequential loops around both, within
  /// one instance of the parallel loop or hierarchy op around.
  bool areApart(Operation& first, Operation& second);
  /// One run of `op` after the other, within one run of the hierarchy op or function around it.
  bool isSequential(Operation& op);
  /// The result of the loop for a token that it carries and that makes each run of `later` wait for
  /// the runs of `earlier` before; null when there is none.
  Value carrierOf(Operation& later, Operation& earlier, Operation& loop);
  /// Control gets to the end of `block`, or to `before` in it, only when `op`, which is inside and
  /// stands before it, is done.
  static bool blocks(Operation& op, const Block& block, Operation* before = nullptr);
  /// `token` fires after what `op` does, if it runs.
  bool covers(Value token, Operation& op);

 private:
  TokenReach& reach_;
};

/// The op of `block` that `op` is or is inside of; null where there is none.
Operation* ancestorIn(const Block& block, Operation& op);
/// The op of the block of `first` that is or holds `op`, where it comes after `first`; else null.
Operation* laterInBlock(Operation& first, Operation& op);
/// The innermost block that both are inside of; null when they are in no common op.
Block* commonBlock(Operation& first, Operation& second);

}  // namespace airlite::air
