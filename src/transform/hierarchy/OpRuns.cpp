#include "OpRuns.hpp"

#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite {

std::vector<std::vector<Operation*>> opRuns(Block& block, FunctionRef<bool(Operation&)> works) {
  std::vector<std::vector<Operation*>> runs;
  std::vector<Operation*> run;
  size_t used = 0;  // up to the last op that does something
  auto close = [&] {
    run.resize(used);
    if (used) runs.push_back(run);
    run.clear();
    used = 0;
  };
  for (Operation& op : block.ops()) {
    const bool does = works(op);
    if (does || (!run.empty() && isPure(op) && !op.hasTrait(Trait::Terminator)))
      run.push_back(&op);
    else
      close();
    if (does) used = run.size();
  }
  close();
  return runs;
}

bool isInRun(const Operation& op, std::span<Operation* const> run) {
  return std::ranges::any_of(run, [&](Operation* own) { return own->isAncestor(&op); });
}

bool isInRun(Value value, std::span<Operation* const> run) {
  return isInRun(value.isBlockArgument() ? *value.argumentBlock()->parentOp() : *value.definingOp(),
                 run);
}

}  // namespace airlite
