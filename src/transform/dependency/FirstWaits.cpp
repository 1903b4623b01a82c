// Where a program waits first for what is asynchronous in it (see DependencyNodes.hpp).
#include "DependencyNodes.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air::dependency {

namespace {

/// What comes after it may know, by what it has got from others, how far they are: also ops of this
/// program that nothing waits for.
bool maySynchronize(Operation& op) {
  if (isAsyncOp(op) && AsyncOp(&op).token()) return false;
  return isChannelAccess(op) || asHierarchy(&op) || isa<WaitAllOp>(&op) || isSync(op) ||
         op.is("func.call");
}

}  // namespace

FirstWaits::FirstWaits(Operation& function) {
  unsigned position = 0;
  function.walk(
      [&](Operation& op) {
        if (maySynchronize(op)) syncs_.push_back(position);
        spans_[&op] = {position++, 0};
      },
      WalkOrder::PreOrder);
  function.walk([&](Operation& op) {
    Span& span = spans_[&op];
    span.end = std::max(span.end, span.start);
    if (Operation* parent = op.parentOp(); &op != &function)
      spans_[parent].end = std::max(spans_[parent].end, span.end);
  });
  function.walk([&](Operation& op) { add(op); });
  for (bool changes = true; changes;) {
    changes = false;
    // What a token flows into comes later mostly: one round for each level of loops.
    for (auto flow = flows_.rbegin(); flow != flows_.rend(); ++flow) {
      const Waits later = waits_[flow->second];
      Waits& waits = waits_[flow->first];
      Waits both = {std::min(waits.control, later.control), std::min(waits.other, later.other)};
      changes |= both != waits;
      waits = both;
    }
  }
}

void FirstWaits::flow(Value from, Value to) { flows_.push_back({from, to}); }

/// Loops and conditionals hand tokens on, and are done when all in them is. What the next run of a loop
/// waits for says nothing about this one.
void FirstWaits::flowOut(Operation& terminator) {
  Operation& around = *terminator.parentOp();
  for (unsigned i = 0; i < terminator.numOperands() && i < around.numResults(); ++i) {
    if (!isTokenType(terminator.operand(i).type())) continue;
    flow(terminator.operand(i), around.result(i));
    if (isa<scf::ForOp>(&around))
      flow(terminator.operand(i), around.region().front().argument(i + 1));
  }
}

void FirstWaits::add(Operation& op) {
  Value token = isAsyncOp(op) ? AsyncOp(&op).token() : Value();
  if (token) asynchronous_.insert(&op);
  Operation* around = token ? op.parentOp() : nullptr;
  for (; around && !asHierarchy(around) && !around->hasTrait(Trait::Function);
       around = around->parentOp())
    for (Value result : around->resultValues())
      if (isTokenType(result.type())) flow(token, result);
  if (op.hasTrait(Trait::Terminator)) return flowOut(op);
  bool isFor = isa<scf::ForOp>(&op), isLoop = isFor || isa<scf::ParallelOp>(&op);
  unsigned firstInit = op.numOperands() - (isLoop ? op.numResults() : 0);
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    Value operand = op.operand(i);
    if (!isTokenType(operand.type())) continue;
    if (token) {
      flow(operand, token);
    } else if (isLoop && i >= firstInit) {
      if (isFor) flow(operand, op.region().front().argument(i - firstInit + 1));
      flow(operand, op.result(i - firstInit));
    } else {
      Waits& waits = waits_[operand];
      unsigned& first = isa<WaitAllOp>(&op) ? waits.control : waits.other;
      first = std::min(first, spans_.at(&op).start);
    }
  }
}

FirstWaits::Waits FirstWaits::waitsOf(Operation& op) const {
  auto found = waits_.find(AsyncOp(&op).token());
  return found == waits_.end() ? Waits() : found->second;
}

bool FirstWaits::isBeside(Operation& first, Operation& second) const {
  if (!wasAsync(first)) return false;
  Waits waits = waitsOf(first);
  Span span = spans_.at(&second);
  if (waits.other <= span.end) return false;
  auto sync = std::upper_bound(syncs_.begin(), syncs_.end(), spans_.at(&first).end);
  return sync == syncs_.end() || span.start <= *sync;
}

bool FirstWaits::isAwaitedIn(Operation& around, Operation& first, Operation& second) const {
  if (!wasAsync(first)) return false;
  unsigned wait = waitsOf(first).control;
  return wait > spans_.at(&around).start && wait < spans_.at(&second).start;
}

}  // namespace airlite::air::dependency
