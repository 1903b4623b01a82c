// Lanes of the cores of a GPU program (see Lanes.hpp).
#include "airlite/dialect/Lanes.hpp"

#include <set>

namespace airlite::air {

static bool tellsLanesApart(Operation& herd, std::set<Operation*>& seen) {
  bool found = false;
  herd.walk([&](Operation& inner) { found = found || inner.is("gpu.lane_id"); });
  if (found || !seen.insert(&herd).second) return found;
  for (Value operand : HierarchyOp(&herd).kernelOperands()) {
    bool isMemRef = operand.type().isa<MemRefType>();
    if (!isMemRef || memoryLevel(operand.type()) != MemoryLevel::L1) continue;
    for (OpOperand& use : operand.uses())
      if (isa<HerdOp>(use.owner()) && tellsLanesApart(*use.owner(), seen)) return true;
  }
  return false;
}

bool runsOncePerLane(HerdOp herd) {
  std::set<Operation*> seen;
  return tellsLanesApart(*herd.op(), seen);
}

std::optional<int64_t> waveSizeOf(Operation& op) {
  constexpr int64_t kMost = 64;
  for (Operation* up = &op; up; up = up->parentOp())
    if (auto size = up->attrOf<IntegerAttr>("airlite.wave_size"))
      return size.value() > 0 && size.value() <= kMost ? std::optional(size.value()) : std::nullopt;
  return std::nullopt;
}

}  // namespace airlite::air
