// Rewrites of ops with regions that several dialects need.
#include "RegionRewrites.hpp"

namespace airlite {

void replaceByRegion(Rewriter& rewriter, Operation& op, Region& region,
                     std::span<const Value> values) {
  Operation* terminator = &region.front().back();
  rewriter.inlineBlockBefore(region.front(), op, values);
  // Taken only now: an operand may have been a block argument.
  std::vector<Value> results = terminator->operands().vec();
  rewriter.replaceOp(op, results);
  rewriter.eraseOp(*terminator);
}

Operation* recreate(Rewriter& rewriter, Operation& op, std::span<const Value> operands,
                    std::span<const Type> resultTypes) {
  OperationState state(op.location(), op.def());
  state.addOperands(operands);
  state.addTypes(resultTypes);
  state.attributes = NamedAttrList(op.attributes());
  for (unsigned i = 0; i < op.numRegions(); ++i)
    state.addRegion();
  rewriter.setBefore(op);
  Operation* other = rewriter.create(state);
  for (unsigned i = 0; i < op.numRegions(); ++i)
    other->region(i).takeBody(op.region(i));
  return other;
}

void replaceKept(Rewriter& rewriter, Operation& op, Operation& other, const std::vector<bool>& kept,
                 std::span<const Value> others) {
  std::vector<Value> results;
  unsigned next = 0;
  for (unsigned i = 0; i < op.numResults(); ++i)
    results.push_back(kept[i] ? other.result(next++) : others[i]);
  rewriter.replaceOp(op, results);
}

}  // namespace airlite
