// Canonicalizations of the airrt dialect. An attribute on a wait (`air.segment_end`,
// `air.launch_end`) marks a place for later passes: such a wait is never dropped.
#include "AirrtInternal.hpp"

#include <algorithm>

namespace airlite::airrt {

// -- wait_all -----------------------------------------------------------------------------------

LogicalResult eraseUselessWait(Operation& op, Rewriter& rewriter) {
  bool useless = op.numResults() ? !op.hasResultUses() : op.numOperands() == 0;
  if (!useless || !op.attributes().empty()) return failure();
  rewriter.eraseOp(op);
  return success();
}

static void addOnce(std::vector<Value>& values, Value value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

LogicalResult flattenWaits(Operation& op, Rewriter& rewriter) {
  std::vector<Value> events;
  for (Value event : WaitAllOp(&op).events()) {
    WaitAllOp inner = dynCast<WaitAllOp>(event.definingOp());
    if (!inner) {
      addOnce(events, event);
      continue;
    }
    for (Value waited : inner.events())
      addOnce(events, waited);
  }
  if (events == op.operands().vec()) return failure();
  rewriter.modify(op, [&] { op.setOperands(events); });
  return success();
}

// -- alloc ----------------------------------------------------------------------------------------

LogicalResult eraseUnusedAlloc(Operation& op, Rewriter& rewriter) {
  Value memory = op.result();
  for (OpOperand& use : memory.uses())
    if (!use.owner()->is("airrt.dealloc")) return failure();
  while (memory.hasUses())
    rewriter.eraseOp(*memory.uses().begin()->owner());
  rewriter.eraseOp(op);
  return success();
}

// -- segment_load, herd_load --------------------------------------------------------------------

static bool isSameLoad(Operation& a, Operation& b) {
  return a.name() == b.name() && a.attributes() == b.attributes() &&
         a.operands().vec() == b.operands().vec() && a.resultTypes() == b.resultTypes();
}

/// Whether `op` may put something else where `load` puts its own: another segment takes the whole
/// device, another load of one herd gives it other parameters.
static bool mayReplace(Operation& op, Operation& load) {
  if (isa<SegmentLoadOp>(&op)) return true;
  if (isa<HerdLoadOp>(&op))
    return isa<HerdLoadOp>(&load) && LoadOp(&op).name() == LoadOp(&load).name();
  std::vector<EffectInstance> effects;
  return op.numRegions() != 0 || !effectsOf(op, effects);
}

LogicalResult reuseLoad(Operation& op, Rewriter& rewriter) {
  for (Operation* before = op.prev(); before; before = before->prev()) {
    if (isSameLoad(*before, op)) {
      rewriter.replaceOp(op, *before);
      return success();
    }
    if (mayReplace(*before, op)) return failure();
  }
  return failure();
}

}  // namespace airlite::airrt
