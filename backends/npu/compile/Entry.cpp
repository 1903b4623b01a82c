#include "airlite/npu/compile/Entry.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <vector>

namespace airlite::npu {
namespace {

/// Functions with a body, in their order.
std::vector<Operation*> functionsOf(Operation& module) {
  std::vector<Operation*> found;
  for (Operation& op : module.region().front().ops())
    if (const auto function = dynCast<func::FuncOp>(&op); function && !function.isDeclaration())
      found.push_back(&op);
  return found;
}

/// Functions that `op` names, and those that they name.
void addNeeded(Operation& module, Operation& op, std::set<Operation*>& needed) {
  if (!needed.insert(&op).second) return;
  op.walk([&](Operation& inner) {
    forEachSymbolUse(inner, [&](SymbolRefAttr reference) {
      Operation* symbol = lookupSymbolIn(module, reference.root());
      if (symbol && airlite::isa<func::FuncOp>(symbol)) addNeeded(module, *symbol, needed);
    });
  });
}

}  // namespace

bool keepOnly(Operation& module, Operation& entry) {
  const auto isDesign = [](const Operation& op) { return op.is("aie.device"); };
  if (std::ranges::any_of(module.region().front().ops(), isDesign)) return false;
  std::set<Operation*> needed;
  addNeeded(module, entry, needed);
  for (Operation* function : functionsOf(module))
    if (!needed.contains(function)) function->erase();
  return true;
}

void fixScalars(Operation& entry, const std::map<unsigned, Attribute>& values) {
  const func::FuncOp function(&entry);
  Builder builder = Builder::atStart(function.entry());
  for (const auto& [position, value] : values | std::views::reverse) {
    function.argument(position).replaceAllUsesWith(builder.constant(entry.location(), value));
    function.eraseArgument(position);
  }
}

}  // namespace airlite::npu
