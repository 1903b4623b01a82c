#include "Walk.hpp"

#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::npu::progress {

namespace {

Operation* calleeOf(Operation& op) {
  auto name = op.is("func.call") ? op.attrOf<SymbolRefAttr>("callee") : SymbolRefAttr();
  Operation* callee = name ? lookupSymbol(&op, name) : nullptr;
  return callee && callee->numRegions() == 1 && !callee->region().empty() ? callee : nullptr;
}

bool isConditional(const Operation& op) { return op.is("scf.if") || op.is("scf.index_switch"); }

}  // namespace

Walk::Walk(Block& entry, IsOfInterest isOfInterest, const Parameters& parameters)
    : isOfInterest_(isOfInterest),
      parameters_(parameters),
      at_(entry.empty() ? nullptr : &entry.front()) {}

bool Walk::matters(Operation& op) {
  if (isOfInterest_(op)) return true;
  if (auto known = matters_.find(&op); known != matters_.end()) return known->second;
  matters_[&op] = false;  // what calls itself does not matter by that
  bool found = false;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        found = found || matters(inner);
  if (Operation* callee = calleeOf(op)) found = found || matters(*callee);
  return matters_[&op] = found;
}

Operation* Walk::next() {
  constexpr uint64_t kMaxIdleSteps = 1'000'000;
  uint64_t first = steps_;
  while (at_ && !obstacle_ && !isOfInterest_(*at_)) {
    if (steps_ - first > kMaxIdleSteps) stopAt(*at_);
    step();
  }
  return obstacle_ ? nullptr : at_;
}

void Walk::step() {
  ++steps_;
  Operation& op = *at_;
  if (op.hasTrait(Trait::Terminator)) return terminate(op);
  if (matters(op)) return enter(op);
  at_ = op.next();
}

void Walk::enter(Operation& op) {
  if (isa<scf::ForOp>(&op)) return enterLoop(op);
  if (isa<scf::WhileOp>(&op)) return enterWhile(op);
  if (Operation* callee = calleeOf(op)) return enterCall(op, *callee);
  enterBranch(op);
}

void Walk::enterLoop(Operation& op) {
  scf::ForOp loop(&op);
  auto lower = number(loop.lowerBound()), upper = number(loop.upperBound());
  auto step = number(loop.step());
  if (!lower || !upper || !step || *step <= 0) return stopAt(op);
  if (*lower >= *upper) {
    assign(op.resultValues(), loop.initArgs());
    at_ = op.next();
    return;
  }
  frames_.push_back({&op, *lower, *upper, *step});
  carried_[loop.inductionVar()] = *lower;
  go(loop.body(), loop.initArgs(), 1);
}

void Walk::enterWhile(Operation& op) {
  scf::WhileOp loop(&op);
  frames_.push_back({&op});
  go(loop.beforeBody(), loop.inits());
}

/// The end of the part of an scf.while that decides whether there is another round.
void Walk::endTest(Operation& op) {
  scf::WhileOp loop(frames_.back().op);
  const scf::ConditionOp test(&op);
  const auto goesOn = number(test.condition());
  if (!goesOn) return stopAt(op);
  if (!*goesOn) return leave(*loop, test.args());
  go(loop.afterBody(), test.args());
}

void Walk::enterBranch(Operation& op) {
  Region* taken = takenRegion(op, [&](Value value) { return number(value); });
  const bool isAnyWay =
      !taken && isConditional(op) && std::ranges::all_of(op.regions(), [&](Region& way) {
        return asksTheSame(op.region(0), way);
      });
  if (isAnyWay) taken = &op.region(0);
  if (!taken) return stopAt(op);
  if (taken->empty()) {
    at_ = op.next();
    return;
  }
  frames_.push_back({.op = &op, .isAnyWay = isAnyWay});
  at_ = &taken->front().front();
}

/// Ops at the top of `region` that matter.
std::vector<Operation*> Walk::asking(Region& region) {
  std::vector<Operation*> found;
  if (region.empty()) return found;
  for (Operation& op : region.front().ops())
    if (matters(op)) found.push_back(&op);
  return found;
}

bool Walk::asksTheSame(Region& first, Region& second) {
  const auto hasOneBlock = [](Region& region) { return region.empty() || region.hasOneBlock(); };
  if (&first == &second) return true;
  return hasOneBlock(first) && hasOneBlock(second) &&
         std::ranges::equal(asking(first), asking(second),
                            [&](Operation* a, Operation* b) { return asksTheSame(*a, *b); });
}

/// Numbers that both are computed from are the same ones, or constants.
bool Walk::asksTheSame(Operation& first, Operation& second) {
  const bool isPlain = isOfInterest_(first) || isa<scf::ForOp>(&first) || isConditional(first);
  if (!isPlain || first.name() != second.name() || first.attributes() != second.attributes() ||
      !std::ranges::equal(first.operands().vec(), second.operands().vec(), isSameNumber) ||
      first.numRegions() != second.numRegions())
    return false;
  for (unsigned i = 0; i < first.numRegions(); ++i)
    if (!asksTheSame(first.region(i), second.region(i))) return false;
  return true;
}

void Walk::enterCall(Operation& call, Operation& callee) {
  constexpr size_t kMaxDepth = 64;
  if (frames_.size() >= kMaxDepth) return stopAt(call);
  frames_.push_back({&call});
  go(callee.region().front(), call.operands());
}

void Walk::terminate(Operation& op) {
  if (op.is("scf.condition")) return endTest(op);
  if (op.is("scf.yield") || op.is("affine.yield")) return endRound(op);
  if (op.is("func.return") && !frames_.empty()) return leave(*frames_.back().op, op.operands());
  if (op.numSuccessors() == 0) {
    at_ = nullptr;
    return;
  }
  unsigned taken = 0;
  if (op.is("cf.cond_br")) {
    auto condition = number(op.operand(0));
    if (!condition) return stopAt(op);
    taken = *condition ? 0 : 1;
  } else if (op.numSuccessors() != 1) {
    return stopAt(op);
  }
  auto values = cf::successorOperands(op, taken);
  go(*op.successor(taken), values.value_or(OperandRange()));
}

void Walk::endRound(Operation& yield) {
  Frame& frame = frames_.back();
  if (auto again = dynCast<scf::WhileOp>(frame.op)) return go(again.beforeBody(), yield.operands());
  scf::ForOp loop = dynCast<scf::ForOp>(frame.op);
  if (!loop) return leave(*frame.op, yield.operands());
  frame.at += frame.step;
  if (frame.at >= frame.end) return leave(*frame.op, yield.operands());
  carried_[loop.inductionVar()] = frame.at;
  go(loop.body(), yield.operands(), 1);
}

void Walk::leave(Operation& op, OperandRange results) {
  if (frames_.back().isAnyWay)
    for (const Value result : op.resultValues())
      carried_[result] = std::nullopt;
  else
    assign(op.resultValues(), results);
  frames_.pop_back();
  at_ = op.next();
}

void Walk::go(Block& block, OperandRange values, unsigned firstArgument) {
  std::vector<Value> targets = block.arguments();
  targets.erase(targets.begin(), targets.begin() + firstArgument);
  assign(targets, values);
  at_ = &block.front();
}

void Walk::assign(const std::vector<Value>& targets, OperandRange values) {
  std::vector<std::optional<int64_t>> numbers;  // all before the first changes
  for (Value value : values)
    numbers.push_back(number(value));
  for (size_t i = 0; i < targets.size() && i < numbers.size(); ++i)
    carried_[targets[i]] = numbers[i];
}

std::optional<int64_t> Walk::parameterAt(Operation& load) {
  std::optional<int64_t> index = load.numOperands() == 2 ? number(load.operand(1)) : std::nullopt;
  if (!index) return std::nullopt;
  auto found = parameters_.find({load.operand(0).definingOp(), *index});
  return found == parameters_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int64_t> Walk::number(Value value) {
  constexpr unsigned kMaxOps = 10'000;  // a chain that uses each value twice doubles at each step
  unsigned budget = kMaxOps;
  return compute(value, budget);
}

std::optional<int64_t> Walk::compute(Value value, unsigned& budget) {
  if (budget == 0) return std::nullopt;
  --budget;
  if (auto known = carried_.find(value); known != carried_.end()) return known->second;
  Operation* op = value.definingOp();
  if (op && op->is("memref.load")) return parameterAt(*op);
  if (!numberWidth(value.type())) return std::nullopt;
  return computeNumber(
      value, [&](Value inner) { return number(inner); }, &elements_);
}

}  // namespace airlite::npu::progress
