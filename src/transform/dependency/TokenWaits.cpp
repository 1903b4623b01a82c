// Making ops wait for more.
#include "TokenWaits.hpp"

#include "airlite/ir/Builder.hpp"
#include "transform/pingpong/PingPong.hpp"

namespace airlite::air {

namespace {

/// An initial token that is an empty join is replaced.
void addWaitToInit(Operation& op, OpOperand& init, Value token) {
  Operation* maker = init.get().definingOp();
  if (maker && pingpong::isJoin(*maker) && maker->numOperands() == 0) {
    init.set(token);
    if (!maker->hasResultUses()) maker->erase();
    return;
  }
  Value both[] = {token, init.get()};
  Type type = token.type();
  init.set(Builder::before(op)
               .create(op.location(), "air.wait_all", both, std::span(&type, 1))
               ->result());
}

OperandRange initsOf(Operation& op) {
  if (isa<scf::ForOp>(&op)) return scf::ForOp(&op).initArgs();
  if (isa<scf::ParallelOp>(&op)) return scf::ParallelOp(&op).initVals();
  return OperandRange();
}

}  // namespace

void addWait(Operation& op, Value token) {
  if (isAsyncOp(op)) {
    std::vector<Value> waits = AsyncOp(&op).dependencies().vec();
    waits.insert(waits.begin(), token);
    return AsyncOp(&op).setDependencies(waits);
  }
  OperandRange inits = initsOf(op);
  for (unsigned i = 0; i < inits.size(); ++i)
    if (isTokenType(inits[i].type())) addWaitToInit(op, inits.use(i), token);
  if (!inits.empty()) return;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        if (pingpong::hasTokenResult(inner)) addWait(inner, token);
}

}  // namespace airlite::air
