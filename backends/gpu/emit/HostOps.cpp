// What only host functions have: buffers from the heap and launches. The hooks are defined in
// HostProgram.cpp.
#include "FunctionEmitter.hpp"
#include "HostHooks.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"

namespace airlite::gpu {
namespace {

constexpr uint64_t kMaxStackBuffer = 4096;
constexpr int64_t kHostAlignment = 64;

llvm::FunctionCallee hook(FunctionEmitter& e, const char* name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Type*> params) {
  auto* type = llvm::FunctionType::get(result, params, false);
  return e.owner.module().getOrInsertFunction(name, type);
}

/// An array in the entry block that holds the values.
llvm::Value* spill(FunctionEmitter& e, llvm::Type* type, llvm::ArrayRef<llvm::Value*> values) {
  auto* array = llvm::ArrayType::get(type, values.size());
  auto* slot = e.entryAlloca(array, llvm::Align(8));
  for (unsigned i = 0; i < values.size(); ++i)
    e.builder.CreateStore(values[i], e.builder.CreateConstInBoundsGEP2_64(array, slot, 0, i));
  return slot;
}

// -- Buffers -------------------------------------------------------------------------------------

int64_t elementBytes(FunctionEmitter& e, Type element) {
  const auto vector = element.dynCast<VectorType>();
  return e.owner.alignmentOf(element) * (vector ? vector.numElements() : 1);
}

LlvmValues bufferSizes(FunctionEmitter& e, MemRefType type, OperandRange dynamic) {
  auto sizes = staticSizes(e, type);
  unsigned next = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (type.isDynamicDim(i)) sizes[i] = e.get(dynamic[next++]);
  return sizes;
}

llvm::Value* allocate(FunctionEmitter& e, MemRefType type, const LlvmValues& sizes,
                      int64_t alignment, bool isScoped) {
  auto& b = e.builder;
  auto* i64 = b.getInt64Ty();
  const auto callee =
      hook(e, kAllocHook, b.getPtrTy(), {b.getPtrTy(), b.getPtrTy(), i64, i64, i64, i64});
  auto* list = spill(e, i64, sizes);
  return b.CreateCall(
      callee, {e.runContext, list, e.i64(static_cast<int64_t>(sizes.size())),
               e.i64(elementBytes(e, type.elementType())), e.i64(alignment), e.i64(isScoped)});
}

LogicalResult emitHeapBuffer(FunctionEmitter& e, Operation& op, OperandRange dynamic,
                             bool isScoped) {
  const auto type = op.result(0).type().cast<MemRefType>();
  if (!type.hasIdentityLayout()) return unsupported(op, "an allocation with a layout");
  auto sizes = bufferSizes(e, type, dynamic);
  const auto wanted = op.attrOf<IntegerAttr>("alignment");
  const auto alignment = std::max(wanted ? wanted.value() : 0, kHostAlignment);
  auto* base = allocate(e, type, sizes, alignment, isScoped);
  e.setMemref(op.result(0), e.rowMajor(base, std::move(sizes)));
  return success();
}

LogicalResult emitHostAlloc(FunctionEmitter& e, Operation& op) {
  return emitHeapBuffer(e, op, memref::AllocOp(&op).dynamicSizes(), false);
}

/// Small buffers of known size live on the stack, the others until the run ends.
LogicalResult emitAlloca(FunctionEmitter& e, Operation& op) {
  const memref::AllocaOp stack(&op);
  const auto type = stack.type();
  if (!type.hasStaticShape() || !type.hasIdentityLayout())
    return emitHeapBuffer(e, op, stack.dynamicSizes(), true);
  const auto bytes = static_cast<uint64_t>(elementBytes(e, type.elementType()));
  const auto count = static_cast<uint64_t>(type.numElements());
  if (count > kMaxStackBuffer || count * bytes > kMaxStackBuffer)
    return emitHeapBuffer(e, op, stack.dynamicSizes(), true);
  auto* array = llvm::ArrayType::get(e.builder.getInt8Ty(), count * bytes);
  auto* base = e.entryAlloca(array, llvm::Align(kHostAlignment));
  e.setMemref(op.result(), e.rowMajor(base, staticSizes(e, type)));
  return success();
}

void release(FunctionEmitter& e, Value memref) {
  auto& b = e.builder;
  const auto callee = hook(e, kFreeHook, b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()});
  b.CreateCall(callee, {e.runContext, e.memref(memref).base});
}

LogicalResult emitHostDealloc(FunctionEmitter& e, Operation& op) {
  if (!op.operand(0).type().isa<MemRefType>()) return unsupported(op, "an unranked memref");
  release(e, op.operand(0));
  return success();
}

// -- The device's memory is the host's -----------------------------------------------------------

LogicalResult emitGpuAlloc(FunctionEmitter& e, Operation& op) {
  return emitHeapBuffer(e, op, op.operandGroup("dynamicSizes"), false);
}

LogicalResult emitGpuDealloc(FunctionEmitter& e, Operation& op) {
  const Value buffer = op.operandGroup("memref")[0];
  if (!buffer.type().isa<MemRefType>()) return unsupported(op, "an unranked memref");
  release(e, buffer);
  return success();
}

LogicalResult emitGpuMemcpy(FunctionEmitter& e, Operation& op) {
  const Value to = op.operandGroup("dst")[0], from = op.operandGroup("src")[0];
  if (!to.type().isa<MemRefType>() || !from.type().isa<MemRefType>())
    return unsupported(op, "a copy of unranked memrefs");
  copyElements(e, elementTypeOrSelf(from.type()), e.memref(from), e.memref(to));
  return success();
}

/// Everything has completed before the next op: nothing to wait for.
LogicalResult emitGpuWait(FunctionEmitter&, Operation&) { return success(); }

// -- Launches ------------------------------------------------------------------------------------

/// Index sizes arrive as they are, i32 ones sign-extended.
LlvmValues launchSizes(FunctionEmitter& e, LaunchFuncOp launch) {
  LlvmValues sizes;
  constexpr Dimension kDims[] = {Dimension::X, Dimension::Y, Dimension::Z};
  for (auto dim : kDims)
    sizes.push_back(e.get(launch.gridSize(dim)));
  for (auto dim : kDims)
    sizes.push_back(e.get(launch.blockSize(dim)));
  for (auto*& size : sizes)
    size = e.builder.CreateSExtOrTrunc(size, e.builder.getInt64Ty());
  return sizes;
}

LlvmValues launchArguments(FunctionEmitter& e, LaunchFuncOp launch) {
  LlvmValues slots;
  for (Value value : launch.kernelOperands()) {
    const auto first = slots.size();
    e.flatten(value, slots);
    if (value.type().isInteger()) slots[first] = e.toMemory(value.type(), slots[first]);
  }
  return slots;
}

EmittedLaunch describeLaunch(LaunchFuncOp launch) {
  const auto kernel = launch.kernel();
  EmittedLaunch site{std::string(kernel.root()), std::string(kernel.leaf()), {}};
  for (Value value : launch.kernelOperands())
    for (const auto& slot : layoutOfArgument(value.type()).slots)
      site.argBytes.push_back(slot.size);
  return site;
}

LogicalResult emitLaunch(FunctionEmitter& e, Operation& op) {
  const LaunchFuncOp launch(&op);
  for (Value value : launch.kernelOperands())
    if (layoutOfArgument(value.type()).slots.empty())
      return unsupported(op, "a kernel argument of type " + value.type().str());
  auto& b = e.builder;
  LlvmValues pointers;
  for (auto* argument : launchArguments(e, launch))
    pointers.push_back(spill(e, argument->getType(), argument));
  const auto callee = hook(e, kLaunchHook, b.getVoidTy(),
                           {b.getPtrTy(), b.getInt64Ty(), b.getPtrTy(), b.getPtrTy()});
  const auto number = static_cast<int64_t>(e.owner.launches.size());
  e.owner.launches.push_back(describeLaunch(launch));
  b.CreateCall(callee,
               {e.runContext, e.i64(number), spill(e, b.getInt64Ty(), launchSizes(e, launch)),
                spill(e, b.getPtrTy(), pointers)});
  return success();
}

LogicalResult emitAssert(FunctionEmitter& e, Operation& op) {
  auto& b = e.builder;
  const auto text = op.attrOf<StringAttr>("msg").value();
  const auto callee = hook(e, kFailHook, b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()});
  e.when(b.CreateNot(e.get(op.operand(0))), [&] {
    b.CreateCall(callee, {e.runContext, b.CreateGlobalString({text.data(), text.size()})});
  });
  return success();
}

}  // namespace

void addHostOps(EmitTable& table) {
  table["memref.alloc"] = emitHostAlloc;
  table["memref.alloca"] = emitAlloca;
  table["memref.dealloc"] = emitHostDealloc;
  table["gpu.alloc"] = emitGpuAlloc;
  table["gpu.dealloc"] = emitGpuDealloc;
  table["gpu.memcpy"] = emitGpuMemcpy;
  table["gpu.wait"] = emitGpuWait;
  table["gpu.launch_func"] = emitLaunch;
  table["cf.assert"] = emitAssert;
}

}  // namespace airlite::gpu
