// air-split-decided-rounds: rounds of a loop that transfer different things become loops of their own.
//
// Matches scf.for with constant bounds
// - outside of herds, with scf.if or scf.index_switch around puts, gets or DMAs, whose condition the counter decides: every
//   other round (`i % 2`), the first ones (`i < 2`). A descriptor has no condition, so nothing could follow such a loop.
// - in herds, with puts or gets whose place changes from round to round (`c[(id + i) % 4]`): each place has a route of its own.
//
// Produces, whichever is less, copies of the body for the rounds of one period, or a copy of the loop for each run of rounds
// that are alike. The condition is a constant in each copy, for canonicalize. No two rounds are alike where places change.
//
// Declines, with a remark: asynchronous transfers that are in order only since they are one op, more than
// kMostCopies copies, and copies of more than kMaxOps ops.
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/dependency/OwnRuns.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite {

namespace {

constexpr int64_t kMostRounds = 4096;
constexpr size_t kMostCopies = 16;
/// More than any device has descriptors for. Loops in loops are copied with what has been copied in them.
constexpr int64_t kMaxOps = 1 << 16;

bool isMove(const Operation& op) {
  return air::isChannelAccess(op) || isa<air::DmaMemcpyNdOp>(&op);
}

bool movesData(Operation& op) {
  return op.walkWith([](Operation& inner) {
    if (air::asHierarchy(&inner)) return WalkResult::Skip;
    return isMove(inner) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

/// Whether a value is computed from what `body` gets for each round.
class ChangesByRound {
 public:
  explicit ChangesByRound(const Block& body) : body_(body) {}
  bool operator()(Value value) {
    if (value.isBlockArgument()) return value.argumentBlock() == &body_;
    if (!seen_.insert(value).second) return false;
    const auto operands = value.definingOp()->operands();
    return std::ranges::any_of(operands, [&](Value operand) { return (*this)(operand); });
  }

 private:
  const Block& body_;
  std::unordered_set<Value> seen_;
};

/// What is known in one round.
class AtRound {
 public:
  AtRound(Value counter, int64_t number) { known_[counter] = number; }
  std::optional<int64_t> operator()(Value value) {
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    known_[value] = std::nullopt;
    return known_[value] = computeNumber(value, *this);
  }

 private:
  std::unordered_map<Value, std::optional<int64_t>> known_;
};

class DecidedLoop {
 public:
  explicit DecidedLoop(scf::ForOp loop) : loop_(loop) {}

  /// In each round its number decides a conditional, or places of a core.
  bool isOne() {
    const auto count = loop_.tripCount(), first = constantIntOf(loop_.lowerBound()),
               step = constantIntOf(loop_.step());
    if (!loop_.inductionVar().type().isIndex()) return false;
    if (!count || !first || !step || *count < 2 || *count > kMostRounds) return false;
    first_ = *first, step_ = *step;
    if (int64_t all; __builtin_mul_overflow(*count, step_, &all)) return false;
    if (loop_->parentOf<air::HerdOp>()) return choosesPlaces() && countRounds(*count);
    collect(*loop_.op(), conditionals_);
    for (int64_t round = 0; round < *count && !conditionals_.empty(); ++round) {
      AtRound at(loop_.inductionVar(), first_ + round * step_);
      Decisions& here = rounds_.emplace_back();
      for (Operation* conditional : conditionals_)
        here.push_back(wayOf(*conditional, at(conditional->operand(0))));
    }
    for (size_t i = 0; i < conditionals_.size(); ++i)
      if (std::ranges::all_of(rounds_, [&](const Decisions& here) { return here[i].has_value(); }))
        return true;
    return false;
  }

  std::string_view obstacle() {
    if (!air::ordersRunsByTokens(loop_))
      return "stays: what is asynchronous in it is in order since it is one op";
    const size_t copies = std::min(period(), runs().size());
    if (copies > kMostCopies) return "stays: its rounds differ too often";
    if (static_cast<int64_t>(copies) > kMaxOps / air::countOps(*loop_.op()))
      return "stays: its copies would be too many operations";
    return {};
  }

  void split() {
    std::vector<Value> results = period() <= runs().size() ? splitByPeriod() : splitByRuns();
    Rewriter(loop_->context()).replaceOp(*loop_.op(), results);
  }

 private:
  using Decisions = std::vector<std::optional<int64_t>>;

  bool choosesPlaces() {
    return loop_->walkWith([&](Operation& op) {
      if (!air::isChannelAccess(op)) return WalkResult::Advance;
      const bool changes =
          std::ranges::any_of(air::ChannelAccessOp(&op).indices(), ChangesByRound(loop_.body()));
      return changes ? WalkResult::Interrupt : WalkResult::Advance;
    }) == WalkResult::Interrupt;
  }

  /// Each is another one.
  bool countRounds(int64_t count) {
    for (int64_t round = 0; round < count; ++round)
      rounds_.push_back({round});
    return true;
  }

  /// In the order of the program.
  static void collect(Operation& root, std::vector<Operation*>& conditionals) {
    root.walkWith([&](Operation& op) {
      if (air::asHierarchy(&op)) return WalkResult::Skip;
      const bool isConditional = op.is("scf.if") || op.is("scf.index_switch");
      if (isConditional && movesData(op) && !constantIntOf(op.operand(0)))
        conditionals.push_back(&op);
      return WalkResult::Advance;
    });
  }

  /// What is no case of a switch is the same for it: the first number that is none stands for all.
  static std::optional<int64_t> wayOf(Operation& conditional, std::optional<int64_t> number) {
    const auto choice = dynCast<scf::IndexSwitchOp>(&conditional);
    const auto isCase = [&](int64_t n) { return std::ranges::count(choice.cases(), n) > 0; };
    if (!choice || !number || isCase(*number)) return number;
    int64_t other = 0;
    while (isCase(other))
      ++other;
    return other;
  }

  /// Rounds that far apart decide the same.
  size_t period() const {
    for (size_t length = 1; length < rounds_.size(); ++length)
      if (rounds_.size() % length == 0 && std::equal(rounds_.begin() + static_cast<int64_t>(length),
                                                     rounds_.end(), rounds_.begin()))
        return length;
    return rounds_.size();
  }

  /// Where other decisions begin.
  std::vector<size_t> runs() const {
    std::vector<size_t> starts;
    for (size_t round = 0; round < rounds_.size(); ++round)
      if (round == 0 || rounds_[round] != rounds_[round - 1]) starts.push_back(round);
    return starts;
  }

  /// The conditionals of a copy have constants.
  static void decide(const std::vector<Operation*>& conditionals, const Decisions& decisions) {
    for (size_t i = 0; i < conditionals.size(); ++i) {
      if (!decisions[i]) continue;
      const Type type = conditionals[i]->operand(0).type();
      Builder builder = Builder::before(*conditionals[i]);
      conditionals[i]->setOperand(
          0, builder.constant(conditionals[i]->location(), IntegerAttr::get(type, *decisions[i])));
    }
  }

  /// The loop with a copy of its body for each round of a period.
  std::vector<Value> splitByPeriod() {
    const Location location = loop_->location();
    Builder builder = Builder::before(*loop_.op());
    const auto copies = static_cast<int64_t>(period());
    const std::vector<Value> inits = loop_.initArgs().vec();
    const scf::ForOp made =
        scf::ForOp::create(builder, location, loop_.lowerBound(), loop_.upperBound(),
                           builder.constantIndex(location, copies * step_), inits);
    Builder inside =
        inits.empty() ? Builder::before(made.body().back()) : Builder::atEnd(made.body());
    std::vector<Value> carried = made.regionIterArgs();
    for (int64_t copy = 0; copy < copies; ++copy)
      addBody(inside, counterOf(inside, made, copy * step_), rounds_[static_cast<size_t>(copy)],
              carried);
    if (!inits.empty()) scf::YieldOp::create(inside, location, carried);
    return resultsOf(*made.op());
  }

  static std::vector<Value> resultsOf(Operation& op) {
    std::vector<Value> results;
    for (unsigned i = 0; i < op.numResults(); ++i)
      results.push_back(op.result(i));
    return results;
  }

  static Value counterOf(Builder& builder, scf::ForOp loop, int64_t offset) {
    if (offset == 0) return loop.inductionVar();
    const AffineExpr sum = AffineExpr::dim(builder.context(), 0) + offset;
    return affine::ApplyOp::create(
               builder, loop->location(),
               {AffineMap::get(builder.context(), 1, 0, std::span(&sum, 1)), {loop.inductionVar()}})
        ->result();
  }

  void addBody(Builder& builder, Value counter, const Decisions& decisions,
               std::vector<Value>& carried) {
    IRMapping mapping;
    mapping.map(loop_.inductionVar(), counter);
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
      mapping.map(loop_.regionIterArg(i), carried[i]);
    std::vector<Operation*> conditionals;
    for (Operation& op : loop_.body().ops())
      if (&op != loop_.yield().op()) collect(*builder.clone(op, mapping), conditionals);
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
      carried[i] = mapping.lookupOr(loop_.yielded(i));
    decide(conditionals, decisions);
  }

  /// One loop after the other.
  std::vector<Value> splitByRuns() {
    const Location location = loop_->location();
    Builder builder = Builder::before(*loop_.op());
    std::vector<Value> carried = loop_.initArgs().vec();
    std::vector<size_t> starts = runs();
    starts.push_back(rounds_.size());
    for (size_t i = 0; i + 1 < starts.size(); ++i) {
      const auto bound = [&](size_t round) {
        return builder.constantIndex(location, first_ + static_cast<int64_t>(round) * step_);
      };
      const Value lower = bound(starts[i]), upper = bound(starts[i + 1]);
      Operation* copy = builder.clone(*loop_.op());
      copy->setOperand(0, lower);
      copy->setOperand(1, upper);
      for (unsigned j = 0; j < carried.size(); ++j)
        copy->setOperand(3 + j, carried[j]);
      std::vector<Operation*> conditionals;
      collect(*copy, conditionals);
      decide(conditionals, rounds_[starts[i]]);
      carried = resultsOf(*copy);
    }
    return carried;
  }

  scf::ForOp loop_;
  int64_t first_ = 0, step_ = 1;
  std::vector<Operation*> conditionals_;
  std::vector<Decisions> rounds_;
};

class SplitDecidedRounds : public Pass {
 public:
  SplitDecidedRounds()
      : Pass("air-split-decided-rounds",
             "Gives rounds that transfer different things their own loops") {
    anchor("func.func");
    example("airlite-opt --air-split-decided-rounds in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<scf::ForOp> loops;  // inner ones first
    function.walk([&](Operation& op) {
      if (isa<scf::ForOp>(&op)) loops.push_back(scf::ForOp(&op));
    });
    bool changed = false;
    for (const scf::ForOp loop : loops) {
      DecidedLoop decided(loop);
      if (!decided.isOne()) continue;
      if (const std::string_view why = decided.obstacle(); !why.empty()) {
        context.remark(*loop.op(), why);
        continue;
      }
      decided.split();
      changed = true;
    }
    if (changed)
      for (const CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                         CountedEffect::Dma, CountedEffect::Store})
        context.declareEffectChange(effect, "rounds of loops are written out");
    return changedIf(changed);
  }
};

}  // namespace

void registerSplitDecidedRounds(PassRegistry& registry) { registry.add<SplitDecidedRounds>(); }

}  // namespace airlite
