// Order between runs of ops that a loop starts without waiting for the run before.
#include "TransferPlan.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "transform/dependency/TokenResults.hpp"

#include <unordered_set>

namespace airlite::air {

namespace {

bool usesChannels(Operation& function) {
  return function.walkWith([](Operation& op) {
    bool isTransfer = isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op);
    bool isCall = op.is("func.call");
    return isTransfer || isCall ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

void addDependency(Operation& op, Value token) {
  std::vector<Value> tokens = AsyncOp(&op).dependencies().vec();
  tokens.push_back(token);
  AsyncOp(&op).setDependencies(tokens);
}

/// Only sequential loops between `op` and the hierarchy op or function around.
bool hasOnlyLoopsAround(Operation& op) {
  for (Operation* at = &op;; at = at->parentOp()) {
    Operation* around = at->parentOp();
    if (!around || !at->parentRegion()->hasOneBlock()) return false;
    if (asHierarchy(around) || around->hasTrait(Trait::Function)) return true;
    if (!isa<scf::ForOp>(around)) return false;
  }
}

}  // namespace

bool TransferPlanner::orderRuns() {
  collect();
  std::unordered_map<Operation*, bool> mayOrder;
  std::unordered_set<Operation*> done;
  bool changed = false;
  for (Operation* dma : dmas_) {
    std::optional<Transfer> transfer = consider(*dma);
    if (!transfer) continue;
    for (Operation* op : unordered(*transfer)) {
      Operation* function = op->parentOfName("func.func");
      if (!function || !hasOnlyLoopsAround(*op)) break;
      auto [known, isNew] = mayOrder.try_emplace(function, false);
      if (isNew) known->second = !usesChannels(*function);
      if (!known->second || !done.insert(op).second) continue;
      orderRuns(*op);
      changed = true;
    }
  }
  return changed;
}

/// Each loop around `op` carries a token that fires after all runs of it so far.
void TransferPlanner::orderRuns(Operation& op) {
  Operation* waiter = &op;  // of the body of the loop
  Value token = AsyncOp(&op).token();
  Type type = token.type();
  for (Operation* loop = op.parentOp(); isa<scf::ForOp>(loop); loop = loop->parentOp()) {
    Value carrier = order_.carrierOf(op, op, *loop);
    if (!carrier) {
      Value start = joinTokens(*loop, {}, type);
      loop = withToken(*loop, loop->numResults(), type, {&start, 1});
      Block& body = loop->region().front();
      Value carried = body.addArgument(type, loop->location());
      addOperand(body.back(), token);
      if (waiter == &op) {
        addDependency(op, carried);
      } else {
        unsigned init = 3 + token.index();
        Value both[] = {waiter->operand(init), carried};
        waiter->setOperand(init, joinTokens(*waiter, both, type));
      }
      carrier = loop->result(loop->numResults() - 1);
    }
    waiter = loop;
    token = carrier;
  }
}

}  // namespace airlite::air
