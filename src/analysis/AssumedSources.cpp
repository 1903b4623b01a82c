// Follows values back to what they are computed from, through loops and branches.
#include "AssumedSources.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

void addAll(OperandRange values, std::vector<Value>& to) {
  for (Value value : values)
    to.push_back(value);
}

/// What the regions of `op` end with.
void addTerminators(Operation& op, std::vector<Value>& to) {
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      if (!block.empty()) addAll(block.back().operands(), to);
}

/// What an argument may stand for: operands of branches to its block, of the op around it, and what
/// its regions hand on.
void addOrigins(Value argument, std::vector<Value>& to) {
  Block& block = *argument.argumentBlock();
  Operation& owner = *block.parentOp();
  if (air::HierarchyOp hierarchy = air::asHierarchy(&owner)) {
    if (Value outside = hierarchy.tiedOperand(argument)) to.push_back(outside);
    return;
  }
  if (isa<func::FuncOp>(&owner) && &owner.region(0).front() == &block) return;
  addAll(owner.operands(), to);
  addTerminators(owner, to);
}

}  // namespace

const std::set<const detail::ValueImpl*>& AssumedSources::sourcesOf(Value value) {
  auto [known, isNew] = sources_.try_emplace(value.impl());
  if (!isNew) return known->second;
  std::vector<Value> open{value};
  while (!open.empty()) {
    Value next = open.back();
    open.pop_back();
    if (!known->second.insert(next.impl()).second) continue;
    if (next.isBlockArgument()) {
      addOrigins(next, open);
    } else {
      addAll(next.definingOp()->operands(), open);
      addTerminators(*next.definingOp(), open);
    }
  }
  return known->second;
}

bool AssumedSources::isAssumed(Value value, const UnfoldValues& values, bool ofArguments) {
  if (values.assumptions.empty()) return false;
  const std::set<const detail::ValueImpl*>& sources = sourcesOf(value);
  return std::any_of(values.assumptions.begin(), values.assumptions.end(),
                     [&](const Assumption& assumption) {
                       const bool counts = ofArguments || !assumption.value.isBlockArgument();
                       return counts && sources.contains(assumption.value.impl());
                     });
}

bool AssumedSources::isAssumedIn(Value value, Operation& around, const UnfoldValues& values) {
  if (values.assumptions.empty()) return false;
  const std::set<const detail::ValueImpl*>& sources = sourcesOf(value);
  for (const Assumption& assumption : values.assumptions) {
    if (!sources.contains(assumption.value.impl())) continue;
    Operation* def = assumption.value.definingOp();
    if (def && def != &around && around.isAncestor(def)) return true;
  }
  return false;
}

}  // namespace airlite::analysis
