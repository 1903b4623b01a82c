// air-hoist-alloc-in-for-pattern: one buffer for all iterations of a loop.
//
// Matches, directly in an scf.for, an air.execute that holds nothing but a memref.alloc with
// `hoist_alloc`, and the air.execute with the dealloc of that buffer. The first goes in front of
// the loop, the second after it; `hoist_alloc` is removed. What waited for them waits for what
// they waited for; the loop starts after the allocation where a token is carried from it through
// the iterations, else the allocation's users still wait for it. The dealloc waits for all tokens
// of the loop, and what comes after the loop waits for the dealloc where it did so before.
//
// Declines, with a remark:
//  - a size that is computed in the loop; no dealloc directly in the loop, or several
//  - a buffer that is passed on to where it cannot be followed, such as the next iteration
//  - iterations that may overlap: a use must end before a token fires that the loop carries and for
//    which the uses in the next iteration wait. They need a buffer each.
#include "PingPong.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferUses.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>

namespace airlite {

namespace {

using air::addOnce;
using air::BufferUses;
using air::isInside;
using air::onlyOp;
using air::replaceWaits;
using pingpong::isDealloc;
using Values = std::vector<Value>;

/// The allocation of an execute that asks to be hoisted; null when there is none.
Operation* hoistableAlloc(Operation& op) {
  Operation* alloc = onlyOp(op);
  if (!alloc || !isa<memref::AllocOp>(alloc)) return nullptr;
  return pingpong::hasMark(*alloc, pingpong::kHoist) ? alloc : nullptr;
}

// -- Order of the iterations ----------------------------------------------------------------------

/// What is known of when an op runs: each of `starts` has fired before, each of `ends` fires after.
/// A blocking op is over before the next one is issued.
struct Span {
  Values starts, ends;
  bool isBlocking = false;
};

/// A call of a function with something asynchronous inside, which may be under way when it returns.
bool mayLeaveWork(Operation& op) {
  if (!isa<func::CallOp>(&op)) return op.is("func.call_indirect");
  func::FuncOp callee = func::CallOp(&op).function();
  if (!callee) return true;
  WalkResult result = callee->walkWith([](Operation& inner) {
    bool leaves = (air::isAsyncOp(inner) && air::AsyncOp(&inner).token()) ||
                  isa<func::CallOp>(&inner) || inner.is("func.call_indirect");
    return leaves ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

class IterationOrder {
 public:
  explicit IterationOrder(scf::ForOp loop) : loop_(loop), order_(*loop) {}

  /// Each op ends before any of them starts in the next iteration.
  bool separates(const std::vector<Operation*>& ops) {
    std::vector<Span> spans;
    for (Operation* op : ops)
      spans.push_back(spanInLoop(*op));
    for (const Span& first : spans)
      for (const Span& second : spans)
        if (!first.isBlocking && !isCarried(first, second)) return false;
    return true;
  }

  bool isImplied(Value earlier, Value later) { return order_.isImplied(earlier, later); }
  /// A token that the loop carries, and that fires in each iteration after that of the one before.
  bool isChain(scf::ForOp loop, unsigned i) {
    return air::isTokenType(loop.regionIterArg(i).type()) &&
           isImplied(loop.regionIterArg(i), loop.yielded(i));
  }

 private:
  bool isCarried(const Span& first, const Span& second) {
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
      if (fireAfter(first.ends, loop_.yielded(i)) && startAfter(loop_.regionIterArg(i), second))
        return true;
    return false;
  }

  /// `token` fires after one of `ends`.
  bool fireAfter(const Values& ends, Value token) {
    if (!air::isTokenType(token.type())) return false;
    return std::any_of(ends.begin(), ends.end(), [&](Value end) { return isImplied(end, token); });
  }
  bool startAfter(Value token, const Span& span) {
    return std::any_of(span.starts.begin(), span.starts.end(),
                       [&](Value start) { return isImplied(token, start); });
  }

  /// Of the op directly in the loop in which `op` is.
  Span spanInLoop(Operation& op) {
    Span span = spanOf(op);
    for (Operation* at = &op; at->parentOp() != loop_.op(); at = at->parentOp())
      span = around(*at->parentOp(), *at, span);
    return span;
  }

  static Span spanOf(Operation& op) {
    if (!air::isAsyncOp(op)) return {{}, {}, !mayLeaveWork(op)};
    air::AsyncOp async(&op);
    Span span{async.dependencies().vec(), {}, !async.token()};
    if (async.token()) span.ends.push_back(async.token());
    return span;
  }

  /// Of `op`, where that of something in its region with `inner` is known.
  Span around(Operation& op, Operation& inner, const Span& span) {
    if (air::isAsyncOp(op)) return spanOf(op);
    Span result{{}, {}, span.isBlocking};
    for (Value start : span.starts)
      if (!isInside(start, op)) result.starts.push_back(start);
    if (isa<scf::ForOp>(&op)) addLoop(scf::ForOp(&op), span, result);
    if (isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op)) addBranch(op, inner, span, result);
    return result;
  }

  void addLoop(scf::ForOp loop, const Span& span, Span& result) {
    for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
      if (!isChain(loop, i)) continue;
      if (startAfter(loop.regionIterArg(i), span)) result.starts.push_back(loop.initArgs()[i]);
      if (fireAfter(span.ends, loop.yielded(i))) result.ends.push_back(loop->result(i));
    }
  }

  void addBranch(Operation& branch, Operation& inner, const Span& span, Span& result) {
    Operation& yield = inner.block()->back();
    for (unsigned i = 0; i < branch.numResults(); ++i)
      if (fireAfter(span.ends, yield.operand(i))) result.ends.push_back(branch.result(i));
  }

  scf::ForOp loop_;
  graph::TokenOrder order_;
};

// -- Moving ---------------------------------------------------------------------------------------

class Hoister {
 public:
  Hoister(scf::ForOp loop, Operation& execute) : loop_(loop), execute_(execute) {}

  /// Empty when the buffer was hoisted, else why not.
  std::string_view run() {
    Operation& alloc = *hoistableAlloc(execute_);
    for (Value size : alloc.operands())
      if (isInside(size, *loop_)) return "its size is computed in the loop";
    BufferUses uses(alloc.result());
    if (uses.escapes) return "the buffer is passed on to where it cannot be followed";
    if (uses.deallocs.size() != 1) return "the buffer has no dealloc, or several";
    dealloc_ = uses.deallocs.front()->parentOp();
    if (dealloc_->parentOp() != loop_.op() || onlyOp(*dealloc_) != uses.deallocs.front())
      return "its dealloc is not in an execute of its own directly in the loop";
    IterationOrder order(loop_);
    if (!order.separates(uses.accesses)) return "iterations that use the buffer may overlap";
    alloc.removeAttr(pingpong::kHoist);
    hoist(order);
    return {};
  }

 private:
  void hoist(IterationOrder& order) {
    std::optional<unsigned> chain = chainOf(order);
    std::vector<unsigned> freedBy = resultsAfterDealloc(order);
    moveAlloc(chain);
    moveDealloc(chain);
    if (Value token = air::AsyncOp(dealloc_).token())
      for (unsigned result : freedBy)
        replaceWaits(loop_->result(result), {loop_->result(result), token},
                     [](Operation& user) { return !isDealloc(user); });
  }

  /// A carried token for which the allocation waits.
  std::optional<unsigned> chainOf(IterationOrder& order) {
    Value token = air::AsyncOp(&execute_).token();
    for (unsigned i = 0; token && i < loop_.numIterArgs(); ++i)
      if (order.isChain(loop_, i) && order.isImplied(loop_.regionIterArg(i), token)) return i;
    return std::nullopt;
  }

  /// Results of the loop that fire after the dealloc.
  std::vector<unsigned> resultsAfterDealloc(IterationOrder& order) {
    std::vector<unsigned> results;
    Value token = air::AsyncOp(dealloc_).token();
    for (unsigned i = 0; token && i < loop_.numIterArgs(); ++i)
      if (air::isTokenType(loop_.yielded(i).type()) && order.isImplied(token, loop_.yielded(i)))
        results.push_back(i);
    return results;
  }

  void moveAlloc(std::optional<unsigned> chain) {
    air::AsyncOp async(&execute_);
    Values inside = async.dependencies().vec(), outside = air::outsideOf(inside, loop_);
    if (Value token = async.token()) {
      if (!chain) addOnce(inside, token);
      replaceWaits(token, inside, [](Operation&) { return true; });
    }
    if (chain) addOnce(outside, loop_.initArgs()[*chain]);
    execute_.moveBefore(loop_.op());
    async.setDependencies(outside);
    if (chain) loop_->setOperand(3 + *chain, async.token());
  }

  void moveDealloc(std::optional<unsigned> chain) {
    air::AsyncOp async(dealloc_);
    Values inside = async.dependencies().vec(), waits;
    if (Value token = async.token()) replaceWaits(token, inside, [](Operation&) { return true; });
    for (Value wait : inside)
      if (!isInside(wait, *loop_)) addOnce(waits, wait);
    for (Value result : loop_->resultValues())
      if (air::isTokenType(result.type())) addOnce(waits, result);
    Value allocated = air::AsyncOp(&execute_).token();
    if (allocated && !chain) addOnce(waits, allocated);
    dealloc_->moveAfter(loop_.op());
    async.setDependencies(waits);
  }

  scf::ForOp loop_;
  Operation& execute_;
  Operation* dealloc_ = nullptr;
};

class HoistAllocInFor : public Pass {
 public:
  HoistAllocInFor() : Pass("air-hoist-alloc-in-for-pattern", "Moves marked buffers out of loops") {
    anchor("builtin.module");
    example("airlite-opt --air-hoist-alloc-in-for-pattern in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    return changedIf(pingpong::hoistAllocs(module, context));
  }
};

}  // namespace

bool pingpong::hoistAllocs(Operation& root, PassContext& context) {
  // The last of a loop first: each goes directly in front of the loop (its dealloc after), and
  // what comes first in an iteration then is what the loop waits for.
  std::vector<Operation*> executes;
  root.walk([&](Operation& op) {
    if (hoistableAlloc(op) && isa<scf::ForOp>(op.parentOp())) executes.push_back(&op);
  });
  std::reverse(executes.begin(), executes.end());
  bool changed = false;
  for (Operation* execute : executes) {
    std::string_view obstacle = Hoister(scf::ForOp(execute->parentOp()), *execute).run();
    if (!obstacle.empty()) context.remark(*execute, obstacle);
    changed |= obstacle.empty();
  }
  return changed;
}

void registerHoistAllocInFor(PassRegistry& registry) { registry.add<HoistAllocInFor>(); }

}  // namespace airlite
