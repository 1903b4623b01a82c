// The roots of legalization, see CoreScope.hpp.
#include "CoreScope.hpp"

namespace airlite::npu {

namespace {

bool isDefinition(Operation& op) { return op.is("func.func") && !op.region().empty(); }

void addRootsOf(Operation& table, bool withFunctions, std::vector<CoreRoot>& roots) {
  for (Operation& op : table.region().front().ops())
    if (op.is("aie.core") || (withFunctions && isDefinition(op))) roots.push_back({&op, &table});
}

}  // namespace

std::vector<CoreRoot> coreRoots(Operation& module, bool functions) {
  std::vector<CoreRoot> roots;
  for (Operation& op : module.region().front().ops())
    if (op.is("aie.device")) addRootsOf(op, true, roots);
  if (functions) addRootsOf(module, true, roots);
  return roots;
}

std::vector<Operation*> opsInside(Operation& root) {
  std::vector<Operation*> ops;
  root.walk(
      [&](Operation& op) {
        if (&op != &root) ops.push_back(&op);
      },
      WalkOrder::PreOrder);
  return ops;
}

bool isInnermost(Operation& loop) {
  for (Operation* op : opsInside(loop))
    if (op->numRegions() != 0) return false;
  return true;
}

}  // namespace airlite::npu
