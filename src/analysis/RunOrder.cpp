// Whether ops of a program come one after the other, by control and by tokens.
#include "RunOrder.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::air {

// -- Order ----------------------------------------------------------------------------------------

namespace {

/// An op of the same block, before `limit` if there is one, blocks until `token` has fired.
bool isAwaited(Operation& op, Value token, Operation* limit) {
  for (OpOperand& use : token.uses()) {
    Operation& user = *use.owner();
    bool blocks = isAsyncOp(user) && !AsyncOp(&user).token();
    if (blocks && user.block() == op.block() && (!limit || user.isBeforeInBlock(limit)))
      return true;
  }
  return false;
}

}  // namespace

Operation* ancestorIn(const Block& block, Operation& op) {
  Operation* at = &op;
  while (at && at->block() != &block)
    at = at->parentOp();
  return at;
}

Operation* laterInBlock(Operation& first, Operation& op) {
  Operation* around = ancestorIn(*first.block(), op);
  return around && first.isBeforeInBlock(around) ? around : nullptr;
}

Block* commonBlock(Operation& first, Operation& second) {
  Block* block = first.block();
  while (block && !ancestorIn(*block, second))
    block = block->parentOp() ? block->parentOp()->block() : nullptr;
  return block;
}

bool RunOrder::blocks(Operation& op, const Block& block, Operation* before) {
  for (Operation* at = &op;; at = at->parentOp()) {
    bool isLast = at->block() == &block;
    Value token = isAsyncOp(*at) ? AsyncOp(at).token() : Value();
    bool runsOn = token && !isAwaited(*at, token, isLast ? before : nullptr);
    if (runsOn || isAsyncParallel(*at)) return false;
    if (isLast) return true;
  }
}

bool RunOrder::covers(Value token, Operation& op) {
  Operation* def = token.definingOp();
  if (!def || !isTokenType(token.type())) return false;
  if (def == &op) return true;
  if (!def->isProperAncestor(&op)) return false;
  if (!isConditional(*def))
    return def->hasTrait(Trait::LoopLike) || asHierarchy(def) || isa<ExecuteOp>(def);
  for (Region& region : def->regions()) {
    bool isInside = false;
    for (Region* at = op.parentRegion(); at && !isInside; at = at->parentRegion())
      isInside = at == &region;
    if (!isInside) continue;
    Operation* end = region.front().terminator();
    return end && token.index() < end->numOperands() &&
           reach_.reaches({end->operand(token.index())},
                          [&](Value value) { return covers(value, op); });
  }
  return false;
}

Value RunOrder::carrierOf(Operation& later, Operation& earlier, Operation& loopOp) {
  scf::ForOp loop(&loopOp);
  for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
    Value argument = loop.regionIterArg(i);
    if (!isTokenType(argument.type())) continue;
    bool waits = reach_.reaches(TokenReach::waitsOf(later, loop.body()),
                                [&](Value value) { return value == argument; });
    if (waits &&
        reach_.reaches({loop.yielded(i)}, [&](Value value) { return covers(value, earlier); }))
      return loop->result(i);
  }
  return Value();
}

bool RunOrder::isSequential(Operation& op) {
  bool runsOn = !blocks(op, *op.block());
  for (Operation* at = &op;; at = at->parentOp()) {
    if (!at->parentRegion() || !at->parentRegion()->hasOneBlock()) return false;
    Operation* around = at->parentOp();
    if (!around || asHierarchy(around) || around->hasTrait(Trait::Function)) return true;
    if (isConditional(*around)) continue;
    if (around->is("affine.for") && !runsOn) continue;
    if (!isa<scf::ForOp>(around)) return false;
    if (runsOn && !carrierOf(op, op, *around)) return false;
  }
}

bool RunOrder::areApart(Operation& first, Operation& second) {
  Block* block = commonBlock(first, second);
  if (!block) return false;
  Operation *a = ancestorIn(*block, first), *b = ancestorIn(*block, second);
  bool inOrder = a != b && a->isBeforeInBlock(b);
  Operation &early = inOrder ? first : second, &late = inOrder ? second : first;
  auto isDone = [&](Value value) { return covers(value, early); };
  if (a == b) return false;  // different branches or blocks of one op
  if (!blocks(early, *block, inOrder ? b : a) &&
      !reach_.reaches(TokenReach::waitsOf(late, *block), isDone))
    return false;
  for (Operation* around = block->parentOp(); around; around = around->parentOp()) {
    if (around->hasTrait(Trait::ParallelLoop) || around->hasTrait(Trait::Function)) return true;
    if (isConditional(*around)) continue;
    scf::ForOp loop = dynCast<scf::ForOp>(around);
    if (!loop) return false;
    if (!blocks(late, loop.body()) && !carrierOf(early, late, *around)) return false;
  }
  return false;
}

}  // namespace airlite::air
