// Follows what a transfer waits for, and what its other end waits for.
#include "TransferStart.hpp"

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

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
  if (isAsyncOp(op) && AsyncOp(&op).token()) return true;
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

/// In straight-line code of functions and hierarchy ops, each of which begins.
bool TransferStart::begins(Operation& op) {
  if (others_.count(&op) || open_.count(&op)) return false;
  if (done_.count(&op)) return true;
  open_.insert(&op);
  bool result = true;
  for (Operation* at = &op; result; at = at->parentOp()) {
    if (isAsyncOp(*at)) result = areDone(AsyncOp(at).dependencies());
    for (Operation* before = at->prev(); before && result; before = before->prev())
      result = letsPass(*before);
    Operation* around = at->parentOp();
    if (!around || around->hasTrait(Trait::Function)) break;
    HierarchyOp home = asHierarchy(around);
    result = result && home && home.affinity().empty();
  }
  open_.erase(&op);
  if (result) done_.insert(&op);
  return result;
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
  if (auto partner = partner_.find(op); partner != partner_.end())
    return begins(*op) && begins(*partner->second);
  bool isComputing =
      isa<WaitAllOp>(op) || isa<DmaMemcpyNdOp>(op) || (isa<ExecuteOp>(op) && isComputation(*op));
  return isComputing && areDone(AsyncOp(op).dependencies());
}

}  // namespace airlite::air
