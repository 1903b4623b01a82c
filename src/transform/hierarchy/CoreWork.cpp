#include "CoreWork.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/ParallelBounds.hpp"

namespace airlite {

bool isL1(Type type) {
  return type.isa<MemRefType>() && air::memoryLevel(type) == air::MemoryLevel::L1;
}

bool isL3(Type type) {
  return type.isa<MemRefType>() && air::memoryLevel(type) == air::MemoryLevel::L3;
}

bool isAccess(const Operation& op) {
  return isa<memref::LoadOp>(&op) || isa<memref::StoreOp>(&op) || op.is("affine.load") ||
         op.is("affine.store");
}

bool isControl(const Operation& op) {
  return isParallelLoop(op) || op.is("scf.for") || op.is("scf.if") || op.is("scf.while") ||
         op.is("affine.for") || op.is("affine.if") || op.is("scf.index_switch");
}

namespace {

/// Buffers of L1, copies to and from them, linalg ops on nothing but L1.
bool isLocalWork(Operation& op) {
  if (op.is("memref.alloc")) return isL1(op.result().type());
  if (op.is("memref.dealloc")) return isL1(op.operand(0).type());
  if (op.is("memref.copy")) return isL1(op.operand(0).type()) || isL1(op.operand(1).type());
  if (op.is("linalg.yield") || op.parentOp()->name().starts_with("linalg.")) return true;
  return linalg::asStructured(&op) &&
         std::ranges::none_of(op.operands(), [](Value operand) { return isL3(operand.type()); });
}

}  // namespace

bool isCoreOp(Operation& op) {
  return isAccess(op) || isControl(op) || isPure(op) || arith::dividesIntegers(op) ||
         op.hasTrait(Trait::Terminator);
}

bool isForCore(Operation& root) {
  return !anyInside(root, [](Operation& op) { return !isCoreOp(op) && !isLocalWork(op); });
}

bool isWhole(Value buffer) {
  const auto type = buffer.type().cast<MemRefType>();
  if (!type.hasStaticShape() || !type.hasIdentityLayout()) return false;
  if (type.elementType().isIndex() || type.elementType().bitWidth() == 0 ||
      type.elementType().bitWidth() % 8)
    return false;
  Operation* made = buffer.definingOp();
  return !made || isa<memref::AllocOp>(made) || isa<memref::AllocaOp>(made) ||
         made->is("memref.get_global");
}

bool hasOtherUses(Value buffer, Operation& op) {
  return anyInside(op, [&](Operation& inner) {
    return !isAccess(inner) &&
           std::ranges::any_of(inner.operands(), [&](Value operand) { return operand == buffer; });
  });
}

}  // namespace airlite
