#include "runner/CustomOps.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

namespace airlite::runner {
namespace {

bool callInstead(Operation& op, Operation& module, size_t number) {
  auto symbol = op.attrOf<SymbolRefAttr>("symbol");
  if (const auto own = op.attrOf<StringAttr>(kSymbolName); own && !symbol)
    symbol = SymbolRefAttr::get(op.context(), own.value());
  if (!symbol) return op.emitOpError() << "has no symbol: its latency is not known", false;
  if (op.numResults() != 0 || !air::AsyncOp(&op).dependencies().empty())
    return op.emitOpError()
               << "not supported by the model: tokens of its own; an air.execute around "
                  "it has them",
           false;
  const std::vector<Value> operands = op.operandGroup(1).vec();
  std::vector<Type> types;
  for (const Value operand : operands)
    types.push_back(operand.type());
  // Each has a declaration of its own: one symbol may stand for operands of several types.
  const std::string name = fmt::format("airlite_custom_{}", number);
  Builder top = Builder::before(module.region().front().front());
  func::FuncOp::create(top, op.location(), name, FunctionType::get(op.context(), types, {}), false);
  Builder builder = Builder::before(op);
  builder.create(op.location(), "func.call", operands, std::span<const Type>(),
                 std::vector{builder.named("callee", SymbolRefAttr::get(op.context(), name)),
                             builder.named(kCustomSymbol, symbol)});
  op.erase();
  return true;
}

}  // namespace

bool callCustomOps(Operation& module) {
  std::vector<Operation*> ops;
  module.walk([&](Operation& op) {
    if (op.is("air.custom")) ops.push_back(&op);
  });
  for (size_t i = 0; i < ops.size(); ++i)
    if (!callInstead(*ops[i], module, i)) return false;
  return true;
}

}  // namespace airlite::runner
