// Numbers that are tried for what a program leaves open.
#include "TriedNumbers.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace airlite::analysis {

namespace {

/// Uses that are followed from one value, and numbers that are tried for it.
constexpr unsigned kMostUses = 1000;
constexpr size_t kMostCompared = 24;
/// Rounds in which each value gets any of its numbers: conditions of several values may hold together only.
constexpr unsigned kMixedRounds = 4;

int64_t wrapped(uint64_t number) { return static_cast<int64_t>(number); }

/// One op between a value and a comparison: it computes with `constant`, which is its first operand or its second.
struct Step {
  Operation* op = nullptr;
  std::optional<int64_t> constant;
  bool isFirst = false;

  /// About what the other operand is where the result is `target`; `target` itself where that is not known.
  int64_t undone(int64_t target) const {
    if (!constant) return target;
    const uint64_t t = static_cast<uint64_t>(target), c = static_cast<uint64_t>(*constant);
    if (op->is("arith.addi")) return wrapped(t - c);
    if (op->is("arith.subi")) return wrapped(isFirst ? c - t : t + c);
    if (op->is("arith.muli") && *constant > 0) return target / *constant;
    if (isFirst) return target;
    if (op->is("arith.divsi") || op->is("arith.divui")) return wrapped(t * c);
    if (*constant < 0 || *constant > 62) return target;
    if (op->is("arith.shli")) return target >> *constant;
    if (op->is("arith.shrsi") || op->is("arith.shrui")) return wrapped(t << *constant);
    return target;
  }
};

/// Follows a value to the comparisons with constants.
class ComparisonSearch {
 public:
  explicit ComparisonSearch(Value value) : value_(value) { follow(value); }

  std::vector<int64_t> numbers() const { return {numbers_.begin(), numbers_.end()}; }

 private:
  void follow(Value value) {
    for (OpOperand& use : value.uses()) {
      if (numUses_ >= kMostUses || numbers_.size() >= kMostCompared) return;
      ++numUses_;
      followUse(value, use);
    }
  }

  void followUse(Value value, const OpOperand& use) {
    Operation& op = *use.owner();
    if (const air::HierarchyOp around = air::asHierarchy(&op)) return followInto(around, value);
    if (isa<arith::CmpIOp>(&op)) return add(op.operand(1 - use.index()));
    if (!op.name().starts_with("arith.") || op.numResults() != 1) return;
    if (numberWidth(op.result().type()) == 0) return;
    path_.push_back({&op, std::nullopt, use.index() == 1});
    if (op.numOperands() == 2 && use.index() < 2)
      path_.back().constant = constantIntOf(op.operand(1 - use.index()));
    follow(op.result());
    path_.pop_back();
  }

  void followInto(air::HierarchyOp around, Value value) {
    for (unsigned i = 0; i < around.numKernelOperands(); ++i)
      if (around.kernelOperands()[i] == value) follow(around.kernelArgument(i));
  }

  void add(Value other) {
    const std::optional<int64_t> constant = constantIntOf(other);
    if (!constant) return;
    for (const int64_t distance : {-1, 0, 1}) {
      int64_t number = wrapped(static_cast<uint64_t>(*constant) + static_cast<uint64_t>(distance));
      for (auto step = path_.rbegin(); step != path_.rend(); ++step)
        number = step->undone(number);
      if (fits(number)) numbers_.insert(number);
    }
  }

  /// An index below zero is one that the program is not made for.
  bool fits(int64_t number) const {
    const IntegerType integer = value_.type().dynCast<IntegerType>();
    if (!integer) return number >= 0;
    if (integer.width() >= 64) return true;
    const int64_t end = int64_t{1} << (integer.width() - 1);
    return number >= -end && number < end;
  }

  Value value_;
  std::vector<Step> path_;
  std::set<int64_t> numbers_;
  unsigned numUses_ = 0;
};

bool isBool(Value value) {
  const IntegerType integer = value.type().dynCast<IntegerType>();
  return integer && integer.width() == 1;
}

}  // namespace

std::vector<int64_t> comparedNumbers(Value value) {
  return isBool(value) ? std::vector<int64_t>() : ComparisonSearch(value).numbers();
}

void TriedNumbers::begin(unsigned round) {
  round_ = round;
  state_ = round;
}

uint64_t TriedNumbers::random() {
  state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
  return state_ >> 33;
}

int64_t TriedNumbers::operator()(Value value) {
  const auto [found, isNew] = compared_.try_emplace(value.impl());
  const std::vector<int64_t>& numbers = found->second;
  if (isNew) {
    found->second = comparedNumbers(value);
    mostCompared_ = std::max(mostCompared_, numbers.size());
    numCompared_ += numbers.empty() ? 0 : 1;
  }
  if (round_ < std::min(plainRounds_, 2u)) return round_ == 0 ? 1 : 0;
  const uint64_t any = random();
  if (isPlain() || numbers.empty()) return static_cast<int64_t>(isBool(value) ? any & 1 : any % 6);
  const size_t turn = round_ - plainRounds_;
  return numbers[(turn < mostCompared_ ? turn : any) % numbers.size()];
}

unsigned TriedNumbers::numRounds() const {
  if (mostCompared_ == 0) return plainRounds_;
  const unsigned mixed = numCompared_ > 1 ? kMixedRounds : 0;
  return plainRounds_ + static_cast<unsigned>(mostCompared_) + mixed;
}

}  // namespace airlite::analysis
