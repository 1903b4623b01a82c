#include "LateStores.hpp"

#include "Queries.hpp"
#include "airlite/ir/OpDef.hpp"

#include <utility>

namespace airlite::npu::codegen {

bool isSum(Value value) {
  std::optional<RegClass> found = classOf(value.type());
  return found == RegClass::Accumulator || found == RegClass::HalfAccumulator;
}

Value loadedAs(Operation& load) {
  Value row = load.result();
  Operation* user = onlyUser(row);
  bool changes = user && (user->is("arith.extsi") || user->is("vector.shape_cast"));
  if (changes && isLoadedTwice(load)) return user->result();
  return changes && !isSum(row) && isSum(user->result()) ? user->result() : row;
}

bool isLoadedTwice(Operation& load) {
  Operation* user = load.is("vector.load") ? onlyUser(load.result()) : nullptr;
  return user && user->is("vector.shape_cast") &&
         classOf(user->result().type()) == RegClass::VectorPair;
}

Value storedFrom(Operation& store) {
  Value row = store.operand(0);
  Operation* maker = row.definingOp();
  bool changes = maker && (maker->is("arith.trunci") || maker->is("vector.shape_cast"));
  return changes && onlyUser(row) == &store && !isSum(row) && isSum(maker->operand(0))
             ? maker->operand(0)
             : row;
}

bool isInStore(Operation& op) {
  Operation* user = onlyUser(op.result());
  return user && user->is("vector.store") && storedFrom(*user) != op.result();
}

bool LateStores::leaveToStore(Operation& op, const AccessForms& stores, std::vector<Operand> sums) {
  Operation* user = onlyUser(op.result());
  if (!user || !user->is("vector.store") || user->operand(0) != op.result()) return false;
  sums_[op.result()] = {&stores, std::move(sums)};
  return true;
}

const LateStores::Sums* LateStores::find(Value vector) const {
  auto found = sums_.find(vector);
  return found == sums_.end() ? nullptr : &found->second;
}

}  // namespace airlite::npu::codegen
