#include "Lower.hpp"

#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/transform/LinalgToLoops.hpp"
#include "airlite/transform/Lowering.hpp"

namespace airlite::gpu {
namespace {

Operation& outermost(Operation& op) {
  Operation* top = &op;
  while (top->parentOp())
    top = top->parentOp();
  return *top;
}

LogicalResult lower(Operation& root) {
  if (failed(linalg::convertLinalgToLoops(root))) return failure();
  if (failed(lowerAffine(root))) return failure();
  return convertScfToCf(root);
}

}  // namespace

OwningOp lowerForEmission(Operation& op) {
  OwningOp copy(outermost(op).clone());
  if (failed(lower(*copy)) || failed(verify(*copy))) return {};
  return copy;
}

std::vector<Operation*> membersOf(Operation& module, std::string_view name) {
  std::vector<Operation*> members;
  if (module.numRegions() == 0 || module.region().empty()) return members;
  for (Operation& op : module.region().front().ops())
    if (op.is(name)) members.push_back(&op);
  return members;
}

}  // namespace airlite::gpu
