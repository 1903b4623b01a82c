// The op that ends the body of a launch or a segment.
#include "EndWaits.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "transform/dependency/TokenResults.hpp"

namespace airlite::air {

namespace {

std::vector<Value> openTokens(Block& block) {
  std::vector<Value> tokens;
  for (Operation& op : block.ops()) {
    bool isTransfer = isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op);
    for (Value result : op.resultValues())
      if (isTokenType(result.type()) && (isTransfer || !result.hasUses())) tokens.push_back(result);
  }
  return tokens;
}

Type tokenTypeIn(Operation& op) {
  Type type;
  op.walk([&](Operation& inner) {
    for (Value result : inner.resultValues())
      if (!type && isTokenType(result.type()) && !result.hasUses()) type = result.type();
  });
  return type;
}

}  // namespace

bool addEndWait(Block& block, std::string_view mark) {
  Operation* terminator = block.terminator();
  Operation* last = terminator ? terminator->prev() : block.empty() ? nullptr : &block.back();
  if (last && isa<WaitAllOp>(last) && last->hasAttr(mark)) return false;
  Builder builder(block.context(), {&block, terminator});
  Location location = block.parentOp()->location();
  Operation* wait = builder.create(location, "air.wait_all", openTokens(block), {});
  wait->setAttr(mark, builder.unitAttr());
  return true;
}

bool addSwitchTokens(Block& block) {
  std::vector<std::pair<Operation*, Type>> switches;
  for (Operation& op : block.ops())
    if (isa<scf::IndexSwitchOp>(&op) && op.numResults() == 0)
      if (Type type = tokenTypeIn(op)) switches.push_back({&op, type});
  for (auto [op, type] : switches) {
    for (Region& region : op->regions()) {
      Operation& yield = region.front().back();
      addOperand(yield, joinTokens(yield, openTokens(region.front()), type));
    }
    withToken(*op, 0, type);
  }
  return !switches.empty();
}

}  // namespace airlite::air
