// Dependency lists, followed backwards.
#include "TokenReach.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::air {

namespace {

/// Tokens looked at per question.
constexpr size_t kMostTokens = 2048;
/// Conditionals and loops inside of each other, while one question is answered.
constexpr unsigned kDeepestReach = 6;

bool isToken(Value value) { return isTokenType(value.type()); }

void append(std::vector<Value>& list, OperandRange values) {
  for (Value value : values)
    if (isToken(value)) list.push_back(value);
}

}  // namespace

bool isAsyncParallel(Operation& op) {
  std::vector<Value> results = op.resultValues();
  return isa<scf::ParallelOp>(&op) && !results.empty() &&
         std::all_of(results.begin(), results.end(), isToken);
}

bool isConditional(const Operation& op) {
  return isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op);
}

bool TokenReach::reaches(std::vector<Value> tokens, FunctionRef<bool(Value)> isTarget,
                         unsigned depth) {
  std::unordered_set<Value> seen;
  while (!tokens.empty() && seen.size() < kMostTokens && depth < kDeepestReach) {
    Value token = tokens.back();
    tokens.pop_back();
    if (!seen.insert(token).second) continue;
    if (isTarget(token)) return true;
    Operation* maker = token.definingOp();
    if (maker && isConditional(*maker)) {
      if (inAllBranches(token, isTarget, depth + 1)) return true;
      continue;
    }
    addEarlier(token, tokens, depth + 1);
  }
  return false;
}

bool TokenReach::inAllBranches(Value result, FunctionRef<bool(Value)> isTarget, unsigned depth) {
  for (Region& region : result.definingOp()->regions()) {
    Operation* end = region.empty() ? nullptr : region.front().terminator();
    if (!end || result.index() >= end->numOperands()) return false;
    if (!reaches({end->operand(result.index())}, isTarget, depth)) return false;
  }
  return true;
}

void TokenReach::addEarlier(Value token, std::vector<Value>& work, unsigned depth) {
  Operation* maker = token.definingOp();
  if (maker && isAsyncOp(*maker)) return append(work, AsyncOp(maker).dependencies());
  if (maker && isAsyncParallel(*maker)) return append(work, scf::ParallelOp(maker).initVals());
  if (maker && isa<scf::ForOp>(maker)) return addInit(*maker, token.index(), work, depth);
  Operation* owner = token.isBlockArgument() ? token.argumentBlock()->parentOp() : nullptr;
  if (owner && isa<scf::ForOp>(owner) && token.index() > 0)
    return addInit(*owner, token.index() - 1, work, depth);
  if (HierarchyOp hierarchy = asHierarchy(owner)) {
    Value outside = hierarchy.tiedOperand(token);
    if (outside) work.push_back(outside);
  }
}

/// What a loop carries fires after what it began with, where each iteration keeps it so.
void TokenReach::addInit(Operation& op, unsigned position, std::vector<Value>& work,
                         unsigned depth) {
  scf::ForOp loop(&op);
  auto [known, isNew] = handsOn_.try_emplace({&loop.body(), position}, false);
  if (!known->second) {
    Value argument = loop.regionIterArg(position);
    // In a circle of arguments the answer is the false that stands there.
    if (isNew)
      handsOn_[{&loop.body(), position}] = reaches(
          {loop.yielded(position)}, [&](Value value) { return value == argument; }, depth);
  }
  if (handsOn_[{&loop.body(), position}]) work.push_back(loop.initArgs()[position]);
}

std::vector<Value> TokenReach::waitsOf(Operation& op, const Block& block) {
  std::vector<Value> waits;
  for (Operation* at = &op; at; at = at->parentOp()) {
    if (isAsyncOp(*at)) append(waits, AsyncOp(at).dependencies());
    if (isAsyncParallel(*at)) append(waits, scf::ParallelOp(at).initVals());
    if (at->block() == &block) break;
  }
  return waits;
}

}  // namespace airlite::air
