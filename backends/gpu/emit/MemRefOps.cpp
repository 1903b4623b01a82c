// memref: buffers and accesses. Views stand in ViewOps.cpp.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::gpu {
namespace {

llvm::Value* addressOf(FunctionEmitter& e, Value memref, OperandRange indices) {
  const auto& parts = e.memref(memref);
  const auto element = memref.type().cast<MemRefType>().elementType();
  return e.elementAddress(element, parts, e.linearIndex(parts, e.getAll(indices)));
}

LogicalResult emitLoad(FunctionEmitter& e, Operation& op) {
  const memref::LoadOp load(&op);
  return e.setResult(op, e.load(op.result().type(), addressOf(e, load.memref(), load.indices())));
}

LogicalResult emitStore(FunctionEmitter& e, Operation& op) {
  const memref::StoreOp store(&op);
  e.store(store.value().type(), e.get(store.value()),
          addressOf(e, store.memref(), store.indices()));
  return success();
}

LogicalResult emitCopy(FunctionEmitter& e, Operation& op) {
  const memref::CopyOp copy(&op);
  const auto type = copy.source().type().dynCast<MemRefType>();
  if (!type || !copy.target().type().isa<MemRefType>())
    return unsupported(op, "a copy of unranked memrefs");
  copyElements(e, type.elementType(), e.memref(copy.source()), e.memref(copy.target()));
  return success();
}

// -- Atomics -------------------------------------------------------------------------------------

std::optional<llvm::AtomicRMWInst::BinOp> atomicOperation(memref::AtomicKind kind) {
  using K = memref::AtomicKind;
  using A = llvm::AtomicRMWInst;
  switch (kind) {
    case K::AddF: return A::FAdd;
    case K::AddI: return A::Add;
    case K::Assign: return A::Xchg;
    case K::MaxS: return A::Max;
    case K::MaxU: return A::UMax;
    case K::MinS: return A::Min;
    case K::MinU: return A::UMin;
    case K::OrI: return A::Or;
    case K::AndI: return A::And;
    case K::MaxNumF: return A::FMax;
    case K::MinNumF: return A::FMin;
    default: return std::nullopt;
  }
}

LogicalResult emitAtomic(FunctionEmitter& e, Operation& op) {
  const memref::AtomicRmwOp atomic(&op);
  const auto kind = atomicOperation(atomic.kind());
  const auto type = op.result().type();
  const auto bits = type.bitWidth();
  if (!kind) return unsupported(op, "this kind of memref.atomic_rmw");
  if (bits != 32 && bits != 64) return unsupported(op, "memref.atomic_rmw of " + type.str());
  auto* address = addressOf(e, atomic.memref(), atomic.indices());
  return e.setResult(
      op, e.builder.CreateAtomicRMW(*kind, address, e.get(atomic.value()),
                                    llvm::MaybeAlign(bits / 8), llvm::AtomicOrdering::Monotonic));
}

// -- Questions -----------------------------------------------------------------------------------

LogicalResult emitDim(FunctionEmitter& e, Operation& op) {
  const memref::DimOp dim(&op);
  if (!dim.source().type().isa<MemRefType>()) return unsupported(op, "memref.dim of this type");
  const auto& sizes = e.memref(dim.source()).sizes;
  auto* index = e.get(dim.index());
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const auto at = number->getValue().getLimitedValue();
    if (at < sizes.size()) return e.setResult(op, sizes[at]);
    return e.setResult(op, llvm::PoisonValue::get(e.builder.getInt64Ty()));
  }
  llvm::Value* chosen = llvm::PoisonValue::get(e.builder.getInt64Ty());
  for (size_t i = sizes.size(); i-- > 0;) {
    auto* isThis = e.builder.CreateICmpEQ(index, e.i64(static_cast<int64_t>(i)));
    chosen = i + 1 == sizes.size() ? sizes[i] : e.builder.CreateSelect(isThis, sizes[i], chosen);
  }
  return e.setResult(op, chosen);
}

LogicalResult emitRank(FunctionEmitter& e, Operation& op) {
  const auto type = op.operand(0).type().dynCast<MemRefType>();
  if (!type) return unsupported(op, "memref.rank of this type");
  return e.setResult(op, e.i64(type.rank()));
}

LogicalResult emitPointer(FunctionEmitter& e, Operation& op) {
  if (!op.operand(0).type().isa<MemRefType>())
    return unsupported(op, "memref.extract_aligned_pointer_as_index of this type");
  auto* base = e.memref(op.operand(0)).base;
  return e.setResult(op, e.builder.CreatePtrToInt(base, e.builder.getInt64Ty()));
}

LogicalResult emitGetGlobal(FunctionEmitter& e, Operation& op) {
  Operation* global = lookupSymbol(&op, op.attrOf<SymbolRefAttr>("name"));
  if (!global || !global->is("memref.global"))
    return op.emitError() << "expected a memref.global called " << op.attr("name");
  const auto type = op.result().type().cast<MemRefType>();
  if (!type.hasStaticShape() || !type.hasIdentityLayout())
    return unsupported(op, "a memref.global with a layout");
  auto* variable = e.owner.globalFor(*global, op);
  if (!variable) return failure();
  e.setMemref(op.result(), e.rowMajor(variable, staticSizes(e, type)));
  return success();
}

/// A hint without meaning for the values.
LogicalResult emitNothing(FunctionEmitter&, Operation&) { return success(); }

}  // namespace

LlvmValues staticSizes(FunctionEmitter& e, MemRefType type) {
  LlvmValues sizes;
  for (int64_t size : type.shape())
    sizes.push_back(e.i64(size));
  return sizes;
}

void copyElements(FunctionEmitter& e, Type element, const MemRefParts& from,
                  const MemRefParts& to) {
  e.loopNest(from.sizes, [&](llvm::ArrayRef<llvm::Value*> indices) {
    auto* value = e.load(element, e.elementAddress(element, from, e.linearIndex(from, indices)));
    e.store(element, value, e.elementAddress(element, to, e.linearIndex(to, indices)));
  });
}

void addMemRefOps(EmitTable& table) {
  table["memref.load"] = emitLoad;
  table["memref.store"] = emitStore;
  table["memref.copy"] = emitCopy;
  table["memref.atomic_rmw"] = emitAtomic;
  table["memref.dim"] = emitDim;
  table["memref.rank"] = emitRank;
  table["memref.extract_aligned_pointer_as_index"] = emitPointer;
  table["memref.get_global"] = emitGetGlobal;
  table["memref.prefetch"] = emitNothing;
}

}  // namespace airlite::gpu
