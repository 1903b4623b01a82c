// Follows what a transfer waits for, and what its other end waits for.
#include "TransferStart.hpp"

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/TokenReach.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

/// Runs to its end without waiting for another process: nothing inside but calculations and memory.
bool isComputation(Operation& op) {
  return op.walkWith([&](Operation& inner) {
    bool mayWait = (isAsyncOp(inner) && &inner != &op) || inner.is("func.call") ||
                   inner.is("func.call_indirect") || !inner.isRegistered() || asHierarchy(&inner);
    return mayWait ? WalkResult::Interrupt : WalkResult::Advance;
  }) != WalkResult::Interrupt;
}

/// Control continues past the op at once, or after a computation.
bool letsPass(Operation& op) {
  if ((isAsyncOp(op) && AsyncOp(&op).token()) || isAsyncParallel(op)) return true;
  return !isAsyncOp(op) && isComputation(op);
}

}  // namespace

bool TransferStart::isFreeOf(Operation& op, std::span<Operation* const> others) {
  others_ = {others.begin(), others.end()};
  done_.clear();
  open_.clear();
  auto partner = partner_.find(&op);
  return partner != partner_.end() && begins(op) && begins(*partner->second);
}

/// In straight-line code of functions, hierarchy ops and parallel loops, each of which begins.
bool TransferStart::begins(Operation& op) {
  if (others_.count(&op) || open_.count(&op)) return false;
  if (done_.count(&op)) return true;
  open_.insert(&op);
  bool result = true;
  for (Operation* at = &op; result; at = at->parentOp()) {
    if (isAsyncOp(*at)) result = areDone(AsyncOp(at).dependencies());
    result = result && mayPassTo(*at);
    Operation* around = at->parentOp();
    if (!around || around->hasTrait(Trait::Function)) break;
    const HierarchyOp home = asHierarchy(around);
    const bool isInstance =
        isa<scf::ParallelOp>(around) && areDone(scf::ParallelOp(around).initVals());
    result = result && (isInstance || (home && home.affinity().empty()));
  }
  open_.erase(&op);
  if (result) done_.insert(&op);
  return result;
}

/// Control comes to `op` at once from the start of its block, or after computations.
bool TransferStart::mayPassTo(Operation& op) {
  auto [known, isNew] = stops_.try_emplace(op.block(), nullptr);
  if (isNew)
    for (Operation& inner : op.block()->ops())
      if (!letsPass(inner)) {
        known->second = &inner;
        break;
      }
  return !known->second || known->second == &op || op.isBeforeInBlock(known->second);
}

bool TransferStart::areDone(OperandRange tokens) {
  return std::ranges::all_of(tokens.vec(), [&](Value token) { return isDone(token); });
}

bool TransferStart::isDone(Value token) {
  Operation* op = token.definingOp();
  if (!op) {
    HierarchyOp around = asHierarchy(token.argumentBlock()->parentOp());
    Value outside = around ? around.tiedOperand(token) : Value();
    return outside && isDone(outside);
  }
  if (partner_.count(op)) return isTransferDone(*op);
  if (isAsyncParallel(*op)) return areTransfersDone(*op);
  bool isComputing =
      isa<WaitAllOp>(op) || isa<DmaMemcpyNdOp>(op) || (isa<ExecuteOp>(op) && isComputation(*op));
  return isComputing && areDone(AsyncOp(op).dependencies());
}

bool TransferStart::isTransferDone(Operation& op) {
  auto partner = partner_.find(&op);
  return partner != partner_.end() && begins(op) && begins(*partner->second);
}

/// A parallel loop ends when all that its instances start is over.
bool TransferStart::areTransfersDone(Operation& loop) {
  return loop.walkWith([&](Operation& inner) {
    if (&inner == &loop) return WalkResult::Advance;
    const bool isOver = isChannelAccess(inner)
                            ? isTransferDone(inner)
                            : isa<WaitAllOp>(&inner) || !isAsyncOp(inner) ||
                                  (isa<ExecuteOp>(&inner) && isComputation(inner));
    const bool mayWait = inner.is("func.call") || isConditional(inner) || asHierarchy(&inner);
    return isOver && !mayWait ? WalkResult::Advance : WalkResult::Interrupt;
  }) != WalkResult::Interrupt;
}

}  // namespace airlite::air
