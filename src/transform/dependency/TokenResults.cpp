// Ops again with one token more.
#include "TokenResults.hpp"

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::air {

Operation* withToken(Operation& op, unsigned at, Type tokenType,
                     std::span<const Value> moreOperands) {
  OperationState state(op.location(), op.def());
  state.addOperands(op.operands());
  state.addOperands(moreOperands);
  state.resultTypes = op.resultTypes();
  state.resultTypes.insert(state.resultTypes.begin() + at, tokenType);
  state.attributes = op.attributes();
  for (Region& region : op.regions())
    state.addRegion().takeBody(region);
  Operation* result = Builder::before(op).create(state);
  for (unsigned i = 0; i < op.numResults(); ++i)
    op.result(i).replaceAllUsesWith(result->result(i < at ? i : i + 1));
  op.erase();
  return result;
}

Value joinTokens(Operation& before, std::span<const Value> tokens, Type tokenType) {
  return Builder::before(before)
      .create(before.location(), "air.wait_all", tokens, std::span(&tokenType, 1))
      ->result();
}

void addMissingBranches(Operation& conditional) {
  bool isAffine = conditional.def().dialect == "affine";
  for (Region& region : conditional.regions())
    if (region.empty())
      Builder::atEnd(region.addBlock())
          .create(conditional.location(), isAffine ? "affine.yield" : "scf.yield",
                  std::span<const Value>(), {});
}

void addOperand(Operation& op, Value value) {
  std::vector<Value> values = op.operands().vec();
  values.push_back(value);
  op.setOperands(values);
}

}  // namespace airlite::air
