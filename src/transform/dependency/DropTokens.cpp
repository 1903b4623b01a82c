// Removes asynchronous tokens. All uses go first, in one sweep; after that no order between ops
// matters, and results and arguments of token type can simply be left out.
#include "airlite/transform/DropTokens.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::air {
namespace {

bool isToken(Value value) { return air::isTokenType(value.type()); }

bool anyToken(std::span<const Type> types) {
  return std::any_of(types.begin(), types.end(), air::isTokenType);
}

std::vector<Value> withoutTokens(OperandRange values) {
  std::vector<Value> kept;
  for (Value value : values)
    if (!isToken(value)) kept.push_back(value);
  return kept;
}

bool hasTokenOperand(const Operation& op) {
  OperandRange operands = op.operands();
  return std::any_of(operands.begin(), operands.end(), isToken);
}

bool hasTokenResult(const Operation& op) { return anyToken(op.resultTypes()); }

// -- Uses ---------------------------------------------------------------------------------------

/// Group by group, so that the sizes of the groups stay right.
void dropTokenOperands(Operation& op) {
  if (!hasTokenOperand(op)) return;
  if (!op.hasTrait(Trait::AttrSizedOperandSegments))
    return op.setOperands(withoutTokens(op.operands()));
  for (unsigned group = 0; group < op.def().operands.size(); ++group)
    op.setOperandGroup(group, withoutTokens(op.operandGroup(group)));
}

/// Reductions of tokens: the operand goes in the sweep, the region that joins two goes here.
void dropTokenReductions(Operation& op) {
  if (!op.is("scf.reduce")) return;
  std::vector<unsigned> kept;
  for (unsigned i = 0; i < op.numRegions(); ++i)
    if (i >= op.numOperands() || !isToken(op.operand(i))) kept.push_back(i);
  if (kept.size() == op.numRegions()) return;
  OperationState state(op.location(), op.def());
  for (unsigned i : kept)
    state.operands.push_back(op.operand(i));
  for (size_t i = 0; i < kept.size(); ++i)
    state.addRegion();
  Operation* fresh = Builder::before(op).create(state);
  for (size_t i = 0; i < kept.size(); ++i)
    fresh->region(static_cast<unsigned>(i)).takeBody(op.region(kept[i]));
  op.erase();
}

void dropTokenArguments(Operation& op) {
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (unsigned i = block.numArguments(); i-- > 0;)
        if (isToken(block.argument(i))) block.eraseArgument(i);
}

// -- Results ------------------------------------------------------------------------------------

/// The same op without its token results.
void dropTokenResults(Operation& op) {
  OperationState state(op.location(), op.def());
  state.addOperands(op.operands());
  state.attributes = NamedAttrList(op.attributes());
  std::vector<Value> kept;
  for (Value result : op.resultValues())
    if (!isToken(result)) kept.push_back(result), state.resultTypes.push_back(result.type());
  for (unsigned i = 0; i < op.numRegions(); ++i)
    state.addRegion();
  Operation* fresh = Operation::create(op.context(), state);
  op.block()->insert(fresh, &op);
  for (unsigned i = 0; i < op.numRegions(); ++i)
    fresh->region(i).takeBody(op.region(i));
  for (unsigned i = 0; i < kept.size(); ++i)
    kept[i].replaceAllUsesWith(fresh->result(i));
  op.erase();
}

/// Ops that are nothing but tokens: joins, choices and constants of them.
bool onlyCarriesTokens(const Operation& op) {
  if (op.is("air.wait_all")) return true;
  if (op.numRegions() || op.hasTrait(Trait::Hierarchy) || op.numResults() == 0) return false;
  std::vector<Type> types = op.resultTypes();
  bool tokens = std::all_of(types.begin(), types.end(), air::isTokenType);
  return tokens && (op.hasTrait(Trait::Pure) || op.is("air.token.alloc"));
}

void inlineExecute(Operation& op) {
  Block& body = op.region().front();
  std::vector<Value> results = body.back().operands().vec();
  body.back().erase();
  unsigned first = op.numResults() - static_cast<unsigned>(results.size());
  for (unsigned i = 0; i < results.size(); ++i)
    op.result(first + i).replaceAllUsesWith(results[i]);
  Rewriter rewriter(op.context());
  rewriter.inlineBlockBefore(body, op, {});
  op.erase();
}

void dropResults(Operation& op) {
  if (onlyCarriesTokens(op)) return op.erase();
  if (op.is("air.execute")) return inlineExecute(op);
  if (hasTokenResult(op)) dropTokenResults(op);
}

// -- What cannot go -----------------------------------------------------------------------------

LogicalResult checkSignature(Operation& op) {
  auto type = op.attrOf<TypeAttr>("function_type");
  if (!op.hasTrait(Trait::Function) || !type) return success();
  FunctionType function = type.value().dynCast<FunctionType>();
  if (!function || (!anyToken(function.inputs()) && !anyToken(function.results())))
    return success();
  return op.emitOpError() << "not supported: an async token in the signature of a function";
}

bool involvesTokens(Operation& op) {
  if (op.is("air.wait_all") || op.is("air.execute")) return true;
  return hasTokenOperand(op) || hasTokenResult(op);
}

}  // namespace

LogicalResult dropTokens(Operation& root, bool& changed) {
  LogicalResult result = success();
  bool any = false;
  root.walk([&](Operation& op) {
    result |= checkSignature(op);
    any = any || involvesTokens(op);
  });
  if (failed(result) || !any) return result;
  changed = true;
  root.walk([](Operation& op) { dropTokenReductions(op); });
  root.walk([](Operation& op) { dropTokenOperands(op); });
  root.walk([](Operation& op) { dropTokenArguments(op); });
  root.walk([](Operation& op) { dropResults(op); });
  return success();
}

}  // namespace airlite::air
