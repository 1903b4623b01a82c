// A loop body as units that wait for each other.
#include "PingPong.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/TokenReach.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::pingpong {

namespace {

bool isToken(Value value) { return air::isTokenType(value.type()); }

std::vector<Value> tokensOf(const std::vector<Value>& values) {
  std::vector<Value> tokens;
  std::copy_if(values.begin(), values.end(), std::back_inserter(tokens), isToken);
  return tokens;
}

/// Tokens that a loop carries, as its body sees them.
std::vector<Value> carriedTokens(scf::ForOp loop) { return tokensOf(loop.regionIterArgs()); }

}  // namespace

bool hasMark(Operation& op, std::string_view name) {
  Attribute mark = op.attr(name);
  auto flag = mark ? mark.dynCast<IntegerAttr>() : IntegerAttr();
  return mark && !(flag && flag.value() == 0);
}

bool hasTokenResult(Operation& op) {
  std::vector<Value> results = op.resultValues();
  return std::any_of(results.begin(), results.end(), isToken);
}

bool isDealloc(Operation& op) {
  Operation* only = onlyOp(op);
  return only && only->is("memref.dealloc");
}

bool runsAsyncOps(Operation& op) {
  WalkResult result = op.walkWith([&](Operation& inner) {
    bool isAsync = &inner != &op && air::isAsyncOp(inner) && air::AsyncOp(&inner).token();
    return isAsync ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

bool isJoin(const Operation& op) { return isa<air::WaitAllOp>(&op) && op.numResults() == 1; }

LoopBody::LoopBody(Operation& owner) : block_(owner.region().front()), order_(owner) {
  for (Operation& op : block_.ops())
    if (obstacle_.empty() && !op.hasTrait(Trait::Terminator)) add(op);
}

void LoopBody::add(Operation& op) {
  if (isJoin(op) || isPure(op)) return;
  if (!hasTokenResult(op)) {
    obstacle_ = "an op in the body blocks";
    return;
  }
  if (!isTied(op)) {
    obstacle_ = "what an inner op does may begin before its tokens allow it";
    return;
  }
  Unit unit{&op, endsOf(op), {}, false};
  if (unit.ends.empty()) {
    obstacle_ = "the tokens of an inner op do not cover all that it does";
    return;
  }
  Operation* only = onlyOp(op);
  unit.isAlloc = only && isa<memref::AllocOp>(only);
  addWaits(unit);
  unitOf_.emplace(&op, static_cast<unsigned>(units_.size()));
  units_.push_back(std::move(unit));
}

const Unit* LoopBody::unitOf(Value token) const {
  auto unit = unitOf_.find(token.definingOp());
  return unit == unitOf_.end() ? nullptr : &units_[unit->second];
}

std::vector<Value> LoopBody::leavesOf(Value token) const {
  std::vector<Value> leaves, open{token};
  std::unordered_set<Value> seen;
  while (!open.empty()) {
    Value next = open.back();
    open.pop_back();
    if (!isToken(next) || !seen.insert(next).second) continue;
    bool isLeaf = next.parentBlock() != &block_ || next.isBlockArgument() || unitOf(next);
    if (isLeaf) {
      leaves.push_back(next);
      continue;
    }
    std::vector<Value> waits = next.definingOp()->operands().vec();
    open.insert(open.end(), waits.rbegin(), waits.rend());
  }
  return leaves;
}

void LoopBody::addWaits(Unit& unit) {
  unit.op->walk([&](Operation& op) {
    for (Value operand : op.operands()) {
      if (!isToken(operand) || operand.parentBlock() != &block_) continue;
      for (Value leaf : leavesOf(operand))
        if (const Unit* before = unitOf(leaf))
          unit.before.push_back(static_cast<unsigned>(before - units_.data()));
    }
  });
  std::sort(unit.before.begin(), unit.before.end());
  unit.before.erase(std::unique(unit.before.begin(), unit.before.end()), unit.before.end());
}

// -- Beginning ------------------------------------------------------------------------------------

bool LoopBody::startsAfter(Operation& op, Value token) {
  auto isAfter = [&](Value wait) { return isToken(wait) && order_.isImplied(token, wait); };
  auto anyAfter = [&](OperandRange waits) {
    return std::any_of(waits.begin(), waits.end(), isAfter);
  };
  if (air::isAsyncOp(op)) return anyAfter(air::AsyncOp(&op).dependencies());
  if (isa<scf::ForOp>(&op)) return anyAfter(scf::ForOp(&op).initArgs());
  if (isa<scf::ParallelOp>(&op)) return anyAfter(scf::ParallelOp(&op).initVals());
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        if (!isPure(inner) && !inner.hasTrait(Trait::Terminator) && !startsAfter(inner, token))
          return false;
  return true;
}

/// What waits for more tokens, put into the lists or initial values of `op`, starts after them.
bool LoopBody::isTied(Operation& op) {
  if (air::isAsyncOp(op) || air::isAsyncParallel(op)) return true;
  if (isa<scf::ForOp>(&op)) {
    std::vector<Value> carried = carriedTokens(scf::ForOp(&op));
    return !carried.empty() && isTiedTo(scf::ForOp(&op).body(), carried);
  }
  if (!air::isConditional(op)) return false;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        if (!isPure(inner) && !inner.hasTrait(Trait::Terminator) && !isTied(inner)) return false;
  return true;
}

bool LoopBody::isTiedTo(Block& body, const std::vector<Value>& tokens) {
  for (Operation& op : body.ops()) {
    if (isPure(op) || isJoin(op) || op.hasTrait(Trait::Terminator)) continue;
    bool isAfter = std::any_of(tokens.begin(), tokens.end(),
                               [&](Value token) { return startsAfter(op, token); });
    if (!isAfter || !isTied(op)) return false;
  }
  return true;
}

// -- End ------------------------------------------------------------------------------------------

bool LoopBody::isChain(scf::ForOp loop, unsigned i) {
  return isToken(loop.yielded(i)) && order_.isImplied(loop.regionIterArg(i), loop.yielded(i));
}

const std::vector<Value>& LoopBody::endsOf(Operation& op) {
  auto known = ends_.find(&op);
  if (known == ends_.end()) known = ends_.emplace(&op, findEnds(op)).first;
  return known->second;
}

/// Tokens of `op` that cover all that it does, one where one is enough; none when they do not.
std::vector<Value> LoopBody::findEnds(Operation& op) {
  std::vector<Value> tokens = tokensOf(op.resultValues());
  if (air::isAsyncOp(op) || tokens.empty()) return tokens;
  for (Value token : tokens)
    if (isCovered(op, {&token, 1})) return {token};
  return isCovered(op, tokens) ? tokens : std::vector<Value>();
}

/// What is in the regions of `op` is over when these results have fired.
bool LoopBody::isCovered(Operation& op, std::span<const Value> results) {
  for (Region& region : op.regions()) {
    if (!region.hasOneBlock()) return false;
    std::vector<Value> fired;
    for (Value result : results) {
      // An end of an iteration comes after that of the one before only in a chain.
      if (isa<scf::ForOp>(&op) && !isChain(scf::ForOp(&op), result.index())) continue;
      fired.push_back(region.front().back().operand(result.index()));
    }
    auto isOver = [&](Value end) {
      return std::any_of(fired.begin(), fired.end(),
                         [&](Value token) { return order_.isImplied(end, token); });
    };
    for (Operation& inner : region.front().ops()) {
      if (isPure(inner) || isJoin(inner) || inner.hasTrait(Trait::Terminator)) continue;
      const std::vector<Value>& ends = endsOf(inner);
      if (ends.empty() || !std::all_of(ends.begin(), ends.end(), isOver)) return false;
    }
  }
  return true;
}

bool LoopBody::isOverBefore(const Unit& unit, Value token) {
  return std::all_of(unit.ends.begin(), unit.ends.end(),
                     [&](Value end) { return order_.isImplied(end, token); });
}

}  // namespace airlite::pingpong
