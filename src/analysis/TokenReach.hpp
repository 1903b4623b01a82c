// Which tokens have fired before others, asked of a program while it is being rewritten.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <map>
#include <vector>

namespace airlite::air {

/// A parallel loop whose results are all tokens: it covers its bodies, and starts after its inits.
bool isAsyncParallel(Operation& op);
/// scf.if, affine.if, scf.index_switch.
bool isConditional(const Operation& op);

/// Follows dependency lists backwards. Unlike graph::TokenOrder, which is made for a program that
/// stays as it is, this looks each time; it gives up after a fixed number of tokens. What it says
/// holds in every run; tokens that are added later only make more of it true.
class TokenReach {
 public:
  /// One of the tokens for which `isTarget` holds has fired when all of `tokens` have.
  bool reaches(std::vector<Value> tokens, FunctionRef<bool(Value)> isTarget, unsigned depth = 0);
  /// What has fired when `op` begins, as far as `op` and the ops around it up to one of `block`
  /// say.
  static std::vector<Value> waitsOf(Operation& op, const Block& block);

 private:
  void addEarlier(Value token, std::vector<Value>& work, unsigned depth);
  void addInit(Operation& loop, unsigned position, std::vector<Value>& work, unsigned depth);
  bool inAllBranches(Value result, FunctionRef<bool(Value)> isTarget, unsigned depth);

  /// Whether each iteration hands on a token that fires after the one that it got.
  std::map<std::pair<const Block*, unsigned>, bool> handsOn_;
};

}  // namespace airlite::air
