// See OwnRuns.hpp.
#include "OwnRuns.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/TokenReach.hpp"

#include <algorithm>

namespace airlite::air {
namespace {

/// The order of the runs of one op; interpreter.md says which have one.
bool hasOwnOrder(Operation& op) {
  return isChannelAccess(op) && AsyncOp(&op).token() && hasFixedPlace(ChannelAccessOp(&op));
}

class OwnRuns {
 public:
  explicit OwnRuns(scf::ForOp loop) : loop_(loop), order_(*loop) {}

  bool isSaid() {
    bool fine = true;
    loop_->walkWith([&](Operation& op) {
      // What is inside runs in a process of its own, once.
      const bool isProcess = asHierarchy(&op) || isa<ExecuteOp>(&op);
      if (isProcess || op.hasTrait(Trait::ParallelLoop)) return WalkResult::Skip;
      fine = fine && (!hasOwnOrder(op) || isSaidOf(op));
      return WalkResult::Advance;
    });
    return fine;
  }

 private:
  bool isSaidOf(Operation& op) {
    Value token = AsyncOp(&op).token();
    for (Operation* at = &op; token && isTokenType(token.type());) {
      if (isWaitedForIn(*at->block(), token)) return true;
      if (at->block() == &loop_.body()) return isCarried(op, token);
      const Operation* inner = at;
      at = at->parentOp();
      // The token of a loop covers its body.
      if (isa<scf::ForOp>(at))
        token = at->numResults() ? at->result(0) : Value();
      else
        token = handedOut(*inner->block()->terminator(), *at, token);
    }
    return false;
  }

  static bool isWaitedForIn(const Block& block, Value token) {
    return std::ranges::any_of(token.uses(), [&](OpOperand& use) {
      const Operation* user = use.owner();
      return isa<WaitAllOp>(user) && user->numResults() == 0 && user->block() == &block;
    });
  }

  /// `op` waits for a token that each round hands to the next one after that of `op`.
  bool isCarried(Operation& op, Value end) {
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i) {
      const Value before = loop_.regionIterArg(i), after = loop_.yielded(i);
      bool isWaitedFor = false;
      for (const Value token : AsyncOp(&op).dependencies())
        isWaitedFor |= order_.isImplied(before, token);
      if (isWaitedFor && order_.isImplied(end, after) && order_.isImplied(before, after))
        return true;
    }
    return false;
  }

  /// The result of the conditional `branches` that stands for `token` when this branch runs.
  Value handedOut(Operation& yield, Operation& branches, Value token) {
    if (!isConditional(branches)) return {};
    for (unsigned i = 0; i < yield.numOperands() && i < branches.numResults(); ++i)
      if (order_.isImplied(token, yield.operand(i))) return branches.result(i);
    return {};
  }

  scf::ForOp loop_;
  graph::TokenOrder order_;
};

}  // namespace

bool ordersRunsByTokens(scf::ForOp loop) { return OwnRuns(loop).isSaid(); }

}  // namespace airlite::air
