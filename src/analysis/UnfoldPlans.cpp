#include "UnfoldPlans.hpp"

#include "ChannelPlaces.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>

namespace airlite::analysis {

namespace {

bool isMemRefType(Type type) { return type.isa<MemRefType>() || type.isa<UnrankedMemRefType>(); }

/// A branch or loop that hands on tokens of outside, and may do nothing else.
bool handsOnTokens(Operation& op) {
  std::vector<Value> results = op.numRegions() ? op.resultValues() : std::vector<Value>();
  return std::any_of(results.begin(), results.end(),
                     [](Value result) { return air::isTokenType(result.type()); });
}

/// Ops that the order of processes can be seen in.
bool isEvent(Operation& op) {
  return air::isAsyncOp(op) || op.is("air.token.alloc") || op.is("gpu.barrier") ||
         handsOnTokens(op);
}

bool hasAllocation(Operation& op) {
  std::vector<EffectInstance> effects;
  if (op.numRegions() != 0 || !effectsOf(op, effects)) return false;
  return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
    return effect.effect == Effect::Allocate && effect.value && isMemRefType(effect.value.type());
  });
}

/// A result of an execute, or what a hierarchy op hands in.
bool mayBePending(Value value) {
  if (Operation* def = value.definingOp()) return isa<air::ExecuteOp>(def);
  return air::asHierarchy(value.argumentBlock()->parentOp()) != air::HierarchyOp();
}

}  // namespace

Plans::Plans(Operation& module) { markHolders(module); }

void Plans::markUp(Operation& op) {
  for (Operation* up = &op; up && !up->hasTrait(Trait::SymbolTable); up = up->parentOp())
    if (!holders_.insert(up, true).second) break;
}

void Plans::markHolders(Operation& module) {
  std::map<Operation*, std::vector<Operation*>> callers;
  std::map<Operation*, std::vector<Operation*>> uses;  // of each channel
  module.walk([&](Operation& op) {
    if (isEvent(op)) markUp(op);
    areNamed_ = areNamed_ || namesDestination(op);
    if (isa<func::CallOp>(&op))
      if (func::FuncOp callee = func::CallOp(&op).function()) callers[callee.op()].push_back(&op);
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
      if (air::ChannelOp channel = air::ChannelAccessOp(&op).channel())
        uses[channel.op()].push_back(&op);
  });
  // A call of what takes part takes part: again whenever a function has become one.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [callee, calls] : callers) {
      if (!isHolder(*callee) || calls.empty()) continue;
      for (Operation* call : calls)
        markUp(*call);
      calls.clear();
      changed = true;
    }
  }
  for (const auto& [channel, ops] : uses) {
    air::LaunchOp launch = ops.front()->parentOf<air::LaunchOp>();
    bool inside = launch && std::all_of(ops.begin(), ops.end(),
                                        [&](Operation* op) { return launch.op()->isAncestor(op); });
    if (inside) launchOf_[channel] = launch.op();
    for (Operation* op : ops)
      markChannelUses(*op, inside ? launch.op() : nullptr);
  }
}

void Plans::markChannelUses(Operation& use, Operation* launch) {
  for (Operation* up = &use; up && up != launch; up = up->parentOp())
    channelHolders_.insert(up, true);
}

const OpPlan& Plans::of(Operation& op) {
  if (OpPlan** known = plans_.find(&op)) return **known;
  storage_.push_back(make(op));
  plans_[&op] = &storage_.back();
  return storage_.back();
}

PlanKind Plans::kindOf(Operation& op) {
  if (isa<air::ExecuteOp>(&op)) return PlanKind::Execute;
  if (isa<air::WaitAllOp>(&op)) return PlanKind::WaitAll;
  if (isa<air::DmaMemcpyNdOp>(&op)) return PlanKind::Dma;
  if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) return PlanKind::Channel;
  if (air::asHierarchy(&op)) return PlanKind::Hierarchy;
  if (op.is("air.token.alloc")) return PlanKind::TokenAlloc;
  if (op.is("gpu.barrier")) return PlanKind::Barrier;
  if (op.is("arith.select") && air::isTokenType(op.result().type())) return PlanKind::TokenSelect;
  if (!isHolder(op)) {
    if (hasAllocation(op)) return PlanKind::Allocate;
    return isMemoryEffectFree(op) ? PlanKind::Nothing : PlanKind::Plain;
  }
  if (isa<func::CallOp>(&op)) return PlanKind::Call;
  if (isa<scf::ForOp>(&op)) return PlanKind::For;
  if (isa<affine::ForOp>(&op)) return PlanKind::AffineFor;
  if (isa<scf::ParallelOp>(&op)) return PlanKind::Parallel;
  if (isa<scf::ForallOp>(&op)) return PlanKind::Forall;
  if (isa<affine::ParallelOp>(&op)) return PlanKind::AffineParallel;
  if (isa<scf::WhileOp>(&op)) return PlanKind::While;
  if (op.is("scf.execute_region") || op.is("memref.alloca_scope")) return PlanKind::Region;
  if (isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op))
    return PlanKind::Branch;
  return PlanKind::Unknown;
}

OpPlan Plans::make(Operation& op) {
  OpPlan plan;
  plan.kind = kindOf(op);
  bool touches =
      plan.kind == PlanKind::Plain || plan.kind == PlanKind::Dma || plan.kind == PlanKind::Channel;
  if (touches) addAccesses(op, plan);
  if (touches || plan.kind == PlanKind::Nothing || plan.kind == PlanKind::Allocate)
    addPending(op, plan);
  if (plan.kind == PlanKind::Channel) addChannel(op, plan);
  plan.isAtomic = op.is("memref.atomic_rmw") || op.is("memref.generic_atomic_rmw");
  return plan;
}

void Plans::addAccesses(Operation& op, OpPlan& plan) {
  for (BufferAccess& access : reader_.all(op)) {
    if (access.buffer.kind == Buffer::Kind::Hidden) continue;
    // A call of code that is not here does something with a buffer that it gets: it reads it.
    bool isCall = isa<func::CallOp>(&op) && access.buffer.isKnown();
    if (isCall && !access.isCertain) {
      plan.maybes.push_back(access);
      access = {access.buffer, AccessKind::Read, std::nullopt};
    }
    bool isClear = access.isCertain && access.buffer.isKnown() && access.kind != AccessKind::Hold;
    if (isClear) {
      plan.accesses.push_back(std::move(access));
      continue;
    }
    ++plan.numUncertain;
    plan.maybes.push_back(std::move(access));
  }
}

const std::vector<BufferAccess>& Plans::writesOf(Operation& op) {
  auto [known, isNew] = writes_.try_emplace(&op);
  if (!isNew) return known->second;
  for (BufferAccess& access : reader_.all(op))
    if (access.kind == AccessKind::Write && access.buffer.kind != Buffer::Kind::Hidden)
      known->second.push_back(std::move(access));
  return known->second;
}

void Plans::addPending(Operation& op, OpPlan& plan) {
  auto add = [&](Operation& inner) {
    for (Value operand : inner.operands()) {
      if (!mayBePending(operand)) continue;
      Region* home = operand.parentRegion();
      bool isInner = home && home->parentOp() && op.isAncestor(home->parentOp());
      bool isNew =
          std::find(plan.pending.begin(), plan.pending.end(), operand) == plan.pending.end();
      if (!isInner && isNew) plan.pending.push_back(operand);
    }
  };
  add(op);
  for (Region& region : op.regions())
    region.walk(add);
}

void Plans::addChannel(Operation& op, OpPlan& plan) {
  plan.channel = air::ChannelAccessOp(&op).channel();
  plan.isPerLaunch = plan.channel && launchOf_.find(plan.channel.op());
  plan.isInOrder = air::hasFixedPlace(air::ChannelAccessOp(&op));
  plan.isForOneOfSeveral =
      plan.channel && isForOneOfSeveral(plan.channel, air::ChannelAccessOp(&op), areNamed_);
}

}  // namespace airlite::analysis
