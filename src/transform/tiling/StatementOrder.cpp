#include "StatementOrder.hpp"

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace airlite::tiling {

namespace {

using analysis::LoopIndex;

/// What the value of a statement, and its conditions, are computed of.
class Computed {
 public:
  Computed(const LoopStatements& nest, const Statement& statement)
      : nest_(nest), statement_(statement) {
    for (Value value : {statement.value, statement.choice, statement.other})
      if (value) visit(value);
    for (const StatementCondition& condition : statement.conditions)
      visit(condition.condition);
    // The element that stays where a condition fails.
    if (!statement.conditions.empty())
      reads_.push_back({statement.to, SIZE_MAX, statement.loops.size()});
  }

  const std::vector<StatementRead>& reads() const { return reads_; }

 private:
  void visit(Value value) {
    if (!seen_.insert(value).second) return;
    if (const StatementRead* read = nest_.readOf(value, statement_)) return reads_.push_back(*read);
    Operation* op = value.definingOp();
    if (!op) return;
    if (isa<scf::IfOp>(op)) {
      const scf::IfOp branch(op);
      for (const scf::YieldOp& yield : {branch.thenYield(), branch.elseYield()})
        visit(yield.values()[value.index()]);
    }
    for (Value operand : op->operands())
      visit(operand);
  }

  const LoopStatements& nest_;
  const Statement& statement_;
  std::unordered_set<Value> seen_;
  std::vector<StatementRead> reads_;
};

}  // namespace

std::vector<StatementRead> readsOf(const LoopStatements& nest, const Statement& statement) {
  return Computed(nest, statement).reads();
}

namespace {

/// Whether statements may run for all rounds of their loops, one after the other, and which of them are one op.
class OrderFinder {
 public:
  explicit OrderFinder(const LoopStatements& nest) : nest_(nest) {
    for (const Statement& statement : nest.statements)
      reads_.push_back(readsOf(nest, statement));
  }

  StatementOrder run() {
    const std::string_view why = check();
    return {std::move(groups_), why};
  }

 private:
  /// Why not; empty: they may.
  std::string_view check() {
    for (size_t i = 0; i < nest_.statements.size(); ++i)
      if (std::string_view why = checkStatement(i); !why.empty()) return why;
    makeGroups();
    for (size_t first = 0; first < nest_.statements.size(); ++first)
      for (size_t second = first + 1; second < nest_.statements.size(); ++second)
        if (!mayBeApart(first, second)) return "a round uses what another round stores";
    return {};
  }

  const Statement& at(size_t i) const { return nest_.statements[i]; }

  std::string_view checkStatement(size_t i) const {
    const Statement& statement = at(i);
    const bool reduces = statement.reduces();
    bool readsOwn = false;
    for (const StatementRead& read : reads_[i]) {
      if (read.place.memory != statement.to.memory) continue;
      // What was there before the loops that reduce is no sum so far.
      const bool isEarlier = reduces && read.numLoops < statement.loops.size();
      if (!(read.place == statement.to) || isEarlier)
        return "a round uses what another round stores";
      readsOwn = true;
    }
    if (reduces && !readsOwn) return "several rounds store one element";
    return {};
  }

  /// Statements that store the same element of other memories, and read only what these held before, join.
  void makeGroups() {
    for (size_t i = 0; i < nest_.statements.size(); ++i) {
      numbers_.push_back(groups_.size());
      if (!groups_.empty() && joins(i)) {
        --numbers_.back();
        groups_.back().push_back(&at(i));
      } else {
        groups_.push_back({&at(i)});
      }
    }
  }

  bool joins(size_t i) const {
    const Statement& statement = at(i);
    const StatementGroup& group = groups_.back();
    const size_t first = i - group.size();
    for (size_t other = first; other < i; ++other) {
      const Statement& before = at(other);
      if (before.loops != statement.loops || before.to.index != statement.to.index) return false;
      if (before.to.memory == statement.to.memory) return false;
      if (!before.conditions.empty() || !statement.conditions.empty()) return false;
      for (const StatementRead& read : reads_[i])
        if (read.place.memory == before.to.memory &&
            (read.after > other || !(read.place == before.to)))
          return false;
      // What the later ones store, earlier ones read before.
      for (const StatementRead& read : reads_[other])
        if (read.place.memory == statement.to.memory && !(read.place == statement.to)) return false;
    }
    // Ops that share no operand are better apart.
    return std::ranges::any_of(reads_[i], [&](const StatementRead& read) {
      if (isOf(group, read.place.memory)) return true;
      return std::any_of(reads_.begin() + static_cast<ptrdiff_t>(first),
                         reads_.begin() + static_cast<ptrdiff_t>(i), [&](const auto& others) {
                           return std::ranges::any_of(others, [&](const StatementRead& other) {
                             return other.place == read.place;
                           });
                         });
    });
  }

  static bool isOf(const StatementGroup& group, size_t memory) {
    return std::ranges::any_of(
        group, [&](const Statement* statement) { return statement->to.memory == memory; });
  }

  /// All rounds of the first may run before those of the second.
  bool mayBeApart(size_t first, size_t second) const {
    if (numbers_[first] == numbers_[second]) return true;
    const Statement &a = at(first), &b = at(second);
    if (a.to.memory == b.to.memory && !touchInOneRound(a, b, a.to, b.to)) return false;
    for (const StatementRead& read : reads_[second]) {
      if (read.place.memory != a.to.memory) continue;
      // What was there before.
      if (read.after <= first && !areOthers(a.to, read.place)) return false;
      if (!touchInOneRound(a, b, a.to, read.place)) return false;
    }
    for (const StatementRead& read : reads_[first])
      if (read.place.memory == b.to.memory && !touchInOneRound(a, b, read.place, b.to))
        return false;
    return true;
  }

  /// Values of an index: least, most, and what they differ by.
  struct Range {
    int64_t least, most, step;
  };
  Range rangeOf(const LoopIndex& index) const {
    Range range{index.constant, index.constant, 0};
    for (size_t loop = 0; loop < index.factors.size(); ++loop) {
      const int64_t way = index.factors[loop] * (nest_.loops[loop].count - 1);
      (way < 0 ? range.least : range.most) += way;
      range.step = std::gcd(range.step, index.factors[loop]);
    }
    return range;
  }

  /// No element is both.
  bool areOthers(const StatementPlace& one, const StatementPlace& other) const {
    for (size_t i = 0; i < one.index.size(); ++i) {
      const Range a = rangeOf(one.index[i]), b = rangeOf(other.index[i]);
      if (a.most < b.least || b.most < a.least) return true;
      const int64_t step = std::gcd(a.step, b.step);
      if (step && (a.least - b.least) % step) return true;
    }
    return false;
  }

  /// The two touch one element only in the same round of each loop that is around both.
  bool touchInOneRound(const Statement& a, const Statement& b, const StatementPlace& one,
                       const StatementPlace& other) const {
    if (areOthers(one, other)) return true;
    for (size_t i = 0; i < std::min(a.loops.size(), b.loops.size()); ++i) {
      const size_t loop = a.loops[i];
      if (loop != b.loops[i]) break;
      if (!tells(one, other, loop)) return false;
    }
    return true;
  }

  /// Some index of both places is the same, and its value tells the round.
  bool tells(const StatementPlace& one, const StatementPlace& other, size_t loop) const {
    for (size_t i = 0; i < one.index.size(); ++i) {
      const LoopIndex& index = one.index[i];
      if (index == other.index[i] && LoopStatements::factor(index, loop) && hasTurns(index))
        return true;
    }
    return false;
  }

  /// Each loop takes longer steps than all rounds of those with shorter ones: no two rounds have the same value.
  bool hasTurns(const LoopIndex& index) const {
    std::vector<std::pair<int64_t, int64_t>> steps;  // and the rounds
    for (size_t loop = 0; loop < index.factors.size(); ++loop)
      if (index.factors[loop])
        steps.emplace_back(std::abs(index.factors[loop]), nest_.loops[loop].count);
    std::ranges::sort(steps);
    int64_t way = 0;
    for (const auto& [step, count] : steps) {
      if (step <= way) return false;
      way += step * (count - 1);
    }
    return true;
  }

  const LoopStatements& nest_;
  std::vector<std::vector<StatementRead>> reads_;  ///< of each statement
  std::vector<StatementGroup> groups_;
  std::vector<size_t> numbers_;  ///< of the group of each statement
};

}  // namespace

StatementOrder orderStatements(const LoopStatements& nest) { return OrderFinder(nest).run(); }

}  // namespace airlite::tiling
