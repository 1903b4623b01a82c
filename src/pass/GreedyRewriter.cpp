// The greedy driver: a worklist of operations, popped until nothing changes.
#include "airlite/pass/GreedyRewriter.hpp"

#include "../support/AddressMap.hpp"
#include "ConstantPool.hpp"
#include "RegionSimplifier.hpp"
#include "airlite/ir/RewriteMemo.hpp"

#include <algorithm>

namespace airlite {

namespace {

/// Operations to visit; each is on one of two lists at most. Removal in O(1).
class Worklist {
 public:
  /// Replaces what is on the lists; the last one is popped first.
  void assign(std::vector<Operation*> ops) {
    clear();
    ops_ = std::move(ops);
    for (size_t i = 0; i < ops_.size(); ++i)
      place_.set(ops_[i], static_cast<uint32_t>(i + 1));
  }
  void push(Operation& op) {
    uint32_t place = place_.get(&op);
    if (place && !(place & kLate)) return;
    if (place) remove(op);
    ops_.push_back(&op);
    place_.set(&op, static_cast<uint32_t>(ops_.size()));
  }
  /// To be visited when nothing else is left, the first one first.
  void pushLate(Operation& op) {
    if (place_.get(&op)) return;
    late_.push_back(&op);
    place_.set(&op, kLate | static_cast<uint32_t>(late_.size()));
  }
  Operation* pop() {
    while (!ops_.empty()) {
      Operation* op = ops_.back();
      ops_.pop_back();
      if (op) return taken(op);
    }
    return nullptr;
  }
  Operation* popLate() {
    while (nextLate_ < late_.size())
      if (Operation* op = late_[nextLate_++]) return taken(op);
    late_.clear();
    nextLate_ = 0;
    return nullptr;
  }
  void remove(Operation& op) {
    uint32_t place = place_.get(&op);
    if (place == 0) return;
    (place & kLate ? late_ : ops_)[(place & ~kLate) - 1] = nullptr;
    place_.set(&op, 0);
  }
  void clear() {
    while (pop() || popLate())
      continue;
  }

 private:
  static constexpr uint32_t kLate = 1u << 31;

  Operation* taken(Operation* op) {
    place_.set(op, 0);
    return op;
  }

  std::vector<Operation*> ops_, late_;
  size_t nextLate_ = 0;       // in late_
  detail::AddressMap place_;  // from 1, in ops_, or with kLate in late_
};

/// A round ends here, however much there is to do: values that go round in circles, which graph
/// regions allow, would be rewritten for ever.
constexpr uint64_t kRewritesPerRound = 10'000, kRewritesPerOp = 20;

/// One class: a listener, whose answer to every change is an entry of the worklist.
class GreedyDriver : public RememberingListener {
 public:
  using PatternsOf = FunctionRef<void(Operation&, std::vector<const RewritePattern*>&)>;

  GreedyDriver(Operation& scope, const GreedyOptions& options, PatternsOf patternsOf)
      : scope_(&scope),
        options_(options),
        patternsOf_(patternsOf),
        rewriter_(scope.context(), this) {}

  GreedyOutcome run() {
    GreedyOutcome outcome;
    constantsMoved_ = false;
    for (unsigned i = 0; i < options_.maxIterations && !isSpent(); ++i) {
      bool again = runOnce();
      outcome.changed |= again || constantsMoved_;
      if (!again) return outcome;
    }
    outcome.converged = false;
    return outcome;
  }

  /// Function by function: what is isolated settles for itself, and what is looked at stays near.
  /// Then what is around; if that changes, all of it.
  GreedyOutcome runByParts() {
    Operation& whole = *scope_;
    std::vector<Operation*> parts = partsOf(whole);
    if (parts.empty()) return run();
    GreedyOutcome outcome;
    for (Operation* part : parts) {
      scope_ = part;
      outcome = both(outcome, run());
    }
    scope_ = &whole;
    isInsideDone_ = true;
    GreedyOutcome around = run();
    isInsideDone_ = false;
    outcome = both(outcome, around);
    return around.changed ? both(outcome, run()) : outcome;
  }

  void inserted(Operation& op) override { touch(op); }
  void modified(Operation& op) override { touch(op); }
  void replaced(Operation& op) override {
    noteChange();
    for (unsigned i = 0; i < op.numResults(); ++i)
      for (OpOperand& use : op.result(i).uses())
        worklist_.push(*use.owner());
  }
  void erased(Operation& op) override {
    noteChange();
    op.walk([&](Operation& inner) { leave(inner, op); });
  }

 private:
  static GreedyOutcome both(GreedyOutcome a, GreedyOutcome b) {
    return {a.changed || b.changed, a.converged && b.converged};
  }

  static bool isPart(Operation& op) {
    return op.numRegions() && op.hasTrait(Trait::IsolatedFromAbove);
  }
  static std::vector<Operation*> partsOf(Operation& whole) {
    std::vector<Operation*> parts;
    if (whole.numRegions() != 1 || !whole.region().hasOneBlock()) return parts;
    for (Operation& op : whole.region().front().ops())
      if (isPart(op)) parts.push_back(&op);
    return parts;
  }

  void noteChange() {
    changed_ = true;
    ++epoch_;
    forget();
  }
  void touch(Operation& op) {
    noteChange();
    worklist_.push(op);
  }

  /// `op` goes away with `erased`, the op at or above it. What defines its operands may be dead
  /// now, unless it goes away too.
  void leave(Operation& op, Operation& erased) {
    worklist_.remove(op);
    constants_.forget(op);
    for (Value operand : op.operands()) {
      Operation* def = operand ? operand.definingOp() : nullptr;
      if (def && !erased.isAncestor(def)) worklist_.push(*def);
    }
  }

  /// Whether there may be more to do. Constants that were merged or moved before the round are no
  /// reason for another: all ops have been looked at since.
  bool runOnce() {
    changed_ = false;
    constants_.clear();
    fillWorklist();
    while (visitNext())
      if (isSpent() || rewrites_ >= roundLimit_) return changed_;
    if (options_.simplifyRegions) simplifyAll();
    return changed_;
  }

  /// False when there is none left. What is dear is tried when the rest is done.
  bool visitNext() {
    Operation* op = worklist_.pop();
    bool isLate = !op;
    if (isLate) op = worklist_.popLate();
    if (!op) return false;
    // Looked at since the last change of all: it would stay as it is again.
    detail::AddressMap& visited = isLate ? visitedLate_ : visited_;
    if (visited.get(op) == epoch_) return true;
    uint32_t before = epoch_;
    if (isLate)
      applyPatterns(*op, true);
    else
      visit(*op);
    if (before != epoch_) return true;
    visited.set(op, epoch_);
    if (!isLate && hasLatePatterns(*op)) worklist_.pushLate(*op);
    return true;
  }

  bool hasLatePatterns(Operation& op) {
    candidates_.clear();
    patternsOf_(op, candidates_);
    return std::any_of(candidates_.begin(), candidates_.end(),
                       [](const RewritePattern* pattern) { return pattern->isLate; });
  }

  bool isSpent() const { return rewrites_ >= options_.maxRewrites; }

  /// All ops to visit, in one walk: on large programs each further one costs memory traffic.
  struct Ops {
    std::vector<Operation*> all;
    std::vector<Operation*> withRegions;
    std::vector<size_t> constants;  // positions in `all`
  };

  Ops collectOps() {
    Ops ops;
    auto collect = [&](Operation& op) {
      if (&op == scope_) return;
      if (op.numRegions()) ops.withRegions.push_back(&op);
      if (op.hasTrait(Trait::ConstantLike)) ops.constants.push_back(ops.all.size());
      ops.all.push_back(&op);
    };
    walkScope(collect, options_.topDown ? WalkOrder::PreOrder : WalkOrder::PostOrder);
    return ops;
  }

  /// All ops to look at, without those inside of what is done.
  void walkScope(FunctionRef<void(Operation&)> visit, WalkOrder order) {
    if (!isInsideDone_) return scope_->walk(visit, order);
    for (Operation& op : scope_->region().front().ops()) {
      if (isPart(op))
        visit(op);
      else
        op.walk(visit, order);
    }
  }

  /// What is erased inside of an op has been looked at before it.
  bool eraseUnreachable(const std::vector<Operation*>& ops) {
    std::vector<Operation*> withBlocks;
    auto keep = [&](Operation* op) {
      auto regions = op->regions();
      bool several = std::any_of(regions.begin(), regions.end(), [](const Region& region) {
        return !region.empty() && !region.hasOneBlock();
      });
      if (several) withBlocks.push_back(op);
    };
    std::for_each(ops.begin(), ops.end(), keep);
    if (options_.topDown) std::reverse(withBlocks.begin(), withBlocks.end());
    keep(scope_);
    bool erased = false;
    for (Operation* op : withBlocks)
      erased |= eraseUnreachableBlocks(*op, rewriter_);
    return erased;
  }

  /// Constants that are merged into others are not visited.
  void adoptConstants(Ops& ops) {
    for (size_t at : ops.constants)
      if (!constants_.adopt(*ops.all[at], rewriter_)) ops.all[at] = nullptr;
    std::erase(ops.all, nullptr);
  }

  void fillWorklist() {
    Ops ops = collectOps();
    if (options_.simplifyRegions && eraseUnreachable(ops.withRegions)) ops = collectOps();
    roundLimit_ = rewrites_ + kRewritesPerRound + kRewritesPerOp * ops.all.size();
    bool erased = changed_;
    if (options_.fold) adoptConstants(ops);
    constantsMoved_ |= changed_;
    changed_ = erased;
    if (options_.topDown) std::reverse(ops.all.begin(), ops.all.end());
    worklist_.assign(std::move(ops.all));
  }

  /// Post-order: what simplifying an op erases has been visited before it.
  void simplifyAll() {
    std::vector<Operation*> withRegions;
    walkScope(
        [&](Operation& op) {
          if (op.numRegions()) withRegions.push_back(&op);
        },
        WalkOrder::PostOrder);
    for (Operation* op : withRegions)
      if (airlite::simplifyRegions(*op, rewriter_)) noteChange();
    worklist_.clear();
  }

  void visit(Operation& op) {
    if (options_.fold && isTriviallyDead(op)) {
      rewriter_.eraseOp(op);
      return;
    }
    if (options_.fold && fold(op)) return;
    applyPatterns(op, false);
  }

  void applyPatterns(Operation& op, bool late) {
    candidates_.clear();
    patternsOf_(op, candidates_);
    for (const RewritePattern* pattern : candidates_) {
      if (pattern->isLate != late) continue;
      rewriter_.setBefore(op);
      if (failed(pattern->apply(op, rewriter_))) continue;
      ++rewrites_;
      changed_ = true;
      ++epoch_;
      endChange();
      return;
    }
  }

  bool fold(Operation& op) {
    if (op.hasTrait(Trait::ConstantLike)) return false;
    std::vector<FoldResult>& results = folded_;
    if (failed(foldOp(op, results))) return false;
    ++rewrites_;
    if (results.empty()) {
      modified(op);
      return true;
    }
    std::vector<Value> values;
    for (unsigned i = 0; i < results.size(); ++i) {
      Value value = results[i].value;
      if (!value) value = materialize(op, results[i].attribute, op.result(i).type());
      if (!value) return false;
      values.push_back(value);
    }
    rewriter_.replaceOp(op, values);
    return true;
  }

  /// The constant stands where the op was; the next round takes it to the start of its region. So
  /// constants that follow each other stay in order.
  Value materialize(Operation& op, Attribute value, Type type) {
    Operation* made = scope_->context().materializeConstant(value, type, op.location());
    if (!made) return Value();
    rewriter_.setBefore(op);
    return rewriter_.insert(made)->result();
  }

  Operation* scope_;
  bool isInsideDone_ = false;  // of the isolated ops directly in scope_
  const GreedyOptions& options_;
  PatternsOf patternsOf_;
  Rewriter rewriter_;
  ConstantPool constants_;
  Worklist worklist_;
  std::vector<const RewritePattern*> candidates_;
  std::vector<FoldResult> folded_;
  // Epoch in which an op was looked at last, and stayed as it is.
  detail::AddressMap visited_, visitedLate_;
  uint32_t epoch_ = 1;    // counts changes
  bool changed_ = false;  // in this round
  bool constantsMoved_ = false;
  uint64_t rewrites_ = 0;
  uint64_t roundLimit_ = 0;
};

}  // namespace

GreedyOutcome applyCanonicalization(Operation& scope, const GreedyOptions& options) {
  auto patternsOf = [](Operation& op, std::vector<const RewritePattern*>& out) {
    for (const RewritePattern& pattern : op.def().patterns)
      out.push_back(&pattern);
  };
  return GreedyDriver(scope, options, patternsOf).runByParts();
}

GreedyOutcome applyPatterns(Operation& scope, std::span<const RootedPattern> patterns,
                            const GreedyOptions& options) {
  auto patternsOf = [&](Operation& op, std::vector<const RewritePattern*>& out) {
    for (const RootedPattern& pattern : patterns)
      if (pattern.root.empty() || op.is(pattern.root)) out.push_back(&pattern.pattern);
  };
  return GreedyDriver(scope, options, patternsOf).run();
}

}  // namespace airlite
