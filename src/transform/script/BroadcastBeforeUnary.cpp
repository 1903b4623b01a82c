// transform.air.broadcast_before_unary: op(broadcast(x)) for broadcast(op(x)).
//
// Matches a vector.broadcast of what an elementwise op of one operand makes of a scalar or of a
// vector with one element, where nothing else uses that. The op then works on the whole vector,
// which a vector unit does as fast, and which it has for functions that it lacks for scalars. Each
// element is computed as before. With a name only ops of that name are taken.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isOneElement(Type type) {
  if (type.isIntOrIndexOrFloat()) return true;
  auto vector = type.dynCast<VectorType>();
  return vector && std::ranges::all_of(vector.shape(), [](int64_t size) { return size == 1; });
}

/// The op whose only user the broadcast is; null when it cannot change places with it.
Operation* unaryBefore(vector::BroadcastOp broadcast, std::string_view name) {
  Operation* op = broadcast.source().definingOp();
  if (!op || op->numOperands() != 1 || op->numResults() != 1 || op->numRegions() > 0)
    return nullptr;
  bool isElementwise = op->hasTrait(Trait::Elementwise) && op->hasTrait(Trait::Pure);
  bool isWanted = name.empty() || op->is(name);
  bool isPlain = isOneElement(op->operand(0).type()) && isOneElement(op->result().type());
  return isElementwise && isWanted && isPlain && op->result().hasOneUse() ? op : nullptr;
}

Value broadcastTo(Builder& builder, Location location, Value value, VectorType like) {
  Type type = VectorType::get(value.context(), like.shape(), elementTypeOrSelf(value.type()));
  return builder.create(location, "vector.broadcast", {value}, {type})->result();
}

}  // namespace

void broadcastBeforeUnary(Operation& root, std::string_view name,
                          std::unordered_set<Operation*>& erased) {
  std::vector<Operation*> broadcasts;
  root.walk([&](Operation& op) {
    if (isa<vector::BroadcastOp>(&op)) broadcasts.push_back(&op);
  });
  for (Operation* op : broadcasts) {
    // A chain of such ops changes places one by one.
    while (Operation* unary = unaryBefore(vector::BroadcastOp(op), name)) {
      Builder builder = Builder::before(*op);
      auto type = op->result().type().cast<VectorType>();
      Value wide = broadcastTo(builder, op->location(), unary->operand(0), type);
      OperationState state(unary->location(), unary->def());
      state.operands = {wide};
      state.resultTypes = {type};
      state.attributes = unary->attributes();
      op->result().replaceAllUsesWith(builder.create(state)->result());
      erased.insert({op, unary});
      op->erase();
      unary->erase();
      op = wide.definingOp();
    }
  }
}

}  // namespace airlite
