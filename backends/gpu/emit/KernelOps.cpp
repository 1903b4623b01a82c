// What only kernels have: ids, barriers, LDS and private buffers.
#include "FunctionEmitter.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MemoryModelRelaxationAnnotations.h>

#include <algorithm>

namespace airlite::gpu {
namespace {

using llvm::Intrinsic::ID;

constexpr int64_t kBufferAlignment = 16;
constexpr int64_t kMaxPrivateBytes = int64_t(1) << 30;  // far above what any device gives

// -- Ids -----------------------------------------------------------------------------------------

llvm::Value* callId(FunctionEmitter& e, ID id) {
  return e.builder.CreateZExt(e.builder.CreateIntrinsic(id, {}, {}), e.builder.getInt64Ty());
}

/// Of the kernel; empty in functions that kernels call and without a known_block_size.
std::optional<std::uint32_t> blockSize(FunctionEmitter& e, unsigned dim) {
  if (!e.kernel || !e.kernel->block) return std::nullopt;
  return (*e.kernel->block)[dim];
}

llvm::Value* threadId(FunctionEmitter& e, unsigned dim) {
  constexpr ID kIds[] = {llvm::Intrinsic::amdgcn_workitem_id_x,
                         llvm::Intrinsic::amdgcn_workitem_id_y,
                         llvm::Intrinsic::amdgcn_workitem_id_z};
  return blockSize(e, dim) == 1 ? e.i64(0) : callId(e, kIds[dim]);
}

llvm::Value* blockId(FunctionEmitter& e, unsigned dim) {
  constexpr ID kIds[] = {llvm::Intrinsic::amdgcn_workgroup_id_x,
                         llvm::Intrinsic::amdgcn_workgroup_id_y,
                         llvm::Intrinsic::amdgcn_workgroup_id_z};
  return callId(e, kIds[dim]);
}

unsigned dimOf(Operation& op) { return static_cast<unsigned>(IndexOp(&op).dimension()); }

LogicalResult emitThreadId(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, threadId(e, dimOf(op)));
}

LogicalResult emitBlockId(FunctionEmitter& e, Operation& op) {
  return e.setResult(op, blockId(e, dimOf(op)));
}

LogicalResult needsBlockSize(Operation& op) {
  return unsupported(op, std::string(op.name()) + " outside of a kernel with a known_block_size");
}

LogicalResult emitBlockDim(FunctionEmitter& e, Operation& op) {
  const auto size = blockSize(e, dimOf(op));
  return size ? e.setResult(op, e.i64(*size)) : needsBlockSize(op);
}

LogicalResult emitGlobalId(FunctionEmitter& e, Operation& op) {
  const auto dim = dimOf(op);
  const auto size = blockSize(e, dim);
  if (!size) return needsBlockSize(op);
  auto* start = e.builder.CreateMul(blockId(e, dim), e.i64(*size));
  return e.setResult(op, e.builder.CreateAdd(start, threadId(e, dim)));
}

LogicalResult emitGridDim(FunctionEmitter& e, Operation& op) {
  if (!e.kernel) return unsupported(op, "gpu.grid_dim outside of a kernel");
  const auto first = static_cast<unsigned>(e.function.arg_size()) - 3;
  auto* size = e.function.getArg(first + dimOf(op));
  return e.setResult(op, e.builder.CreateZExt(size, e.builder.getInt64Ty()));
}

llvm::Value* laneNumber(FunctionEmitter& e) {
  auto& b = e.builder;
  auto* all = b.getInt32(~0u);
  llvm::Value* lane = b.CreateIntrinsic(llvm::Intrinsic::amdgcn_mbcnt_lo, {}, {all, b.getInt32(0)});
  if (e.kernel->waveSize == 64)
    lane = b.CreateIntrinsic(llvm::Intrinsic::amdgcn_mbcnt_hi, {}, {all, lane});
  return b.CreateZExt(lane, b.getInt64Ty());
}

LogicalResult emitLaneId(FunctionEmitter& e, Operation& op) {
  if (!e.kernel) return unsupported(op, "gpu.lane_id outside of a kernel");
  return e.setResult(op, laneNumber(e));
}

LogicalResult emitSubgroupSize(FunctionEmitter& e, Operation& op) {
  if (!e.kernel) return unsupported(op, "gpu.subgroup_size outside of a kernel");
  return e.setResult(op, e.i64(e.kernel->waveSize));
}

LogicalResult emitSubgroupId(FunctionEmitter& e, Operation& op) {
  if (!blockSize(e, 0)) return needsBlockSize(op);
  auto& b = e.builder;
  llvm::Value* linear = threadId(e, 2);
  for (unsigned dim : {1u, 0u})
    linear = b.CreateAdd(b.CreateMul(linear, e.i64(*blockSize(e, dim))), threadId(e, dim));
  return e.setResult(op, b.CreateUDiv(linear, e.i64(e.kernel->waveSize)));
}

LogicalResult emitNumSubgroups(FunctionEmitter& e, Operation& op) {
  if (!blockSize(e, 0)) return needsBlockSize(op);
  const auto& block = *e.kernel->block;
  const auto items = block[0] * block[1] * block[2];
  const auto wave = e.kernel->waveSize;
  return e.setResult(op, e.i64((items + wave - 1) / wave));
}

// -- Other lanes ---------------------------------------------------------------------------------

/// The lane that a shuffle reads.
llvm::Value* sourceLane(FunctionEmitter& e, std::string_view mode, llvm::Value* lane,
                        llvm::Value* offset) {
  if (mode == "xor") return e.builder.CreateXor(lane, offset);
  if (mode == "idx") return offset;
  return mode == "up" ? e.builder.CreateSub(lane, offset) : e.builder.CreateAdd(lane, offset);
}

/// Control words of DPP and ds_swizzle for lanes whose numbers differ by `mask`; both read the registers
/// of other lanes without an address for each, the first as an operand of the op that uses it. Rows of
/// DPP have 16 lanes. Source: AMD's ISA documents (CDNA3, section "Data parallel primitives").
struct Exchange {
  enum Kind { Dpp, Swizzle, Permute } kind = Permute;
  unsigned control = 0;
};

Exchange exchangeOf(std::uint64_t mask) {
  constexpr unsigned kHalfMirror = 0x141, kMirror = 0x140, kRotateBy8 = 0x128;
  const auto quad = [](unsigned x) {
    unsigned control = 0;
    for (unsigned lane = 0; lane < 4; ++lane)
      control |= (lane ^ x) << (2 * lane);
    return control;
  };
  if (mask < 4) return {Exchange::Dpp, quad(static_cast<unsigned>(mask))};
  if (mask == 7) return {Exchange::Dpp, kHalfMirror};
  if (mask == 8) return {Exchange::Dpp, kRotateBy8};
  if (mask == 15) return {Exchange::Dpp, kMirror};
  if (mask < 32) return {Exchange::Swizzle, static_cast<unsigned>(mask) << 10 | 0x1f};
  return {};
}

/// A word of the lane that `from` (four times its number) or, where it is known, `exchange` says.
llvm::Value* wordFrom(FunctionEmitter& e, Exchange exchange, llvm::Value* from, llvm::Value* word) {
  auto& b = e.builder;
  auto* i32 = b.getInt32Ty();
  if (exchange.kind == Exchange::Dpp)
    return b.CreateIntrinsic(llvm::Intrinsic::amdgcn_update_dpp, {i32},
                             {llvm::PoisonValue::get(i32), word, b.getInt32(exchange.control),
                              b.getInt32(0xf), b.getInt32(0xf), b.getInt1(true)});
  if (exchange.kind == Exchange::Swizzle)
    return b.CreateIntrinsic(llvm::Intrinsic::amdgcn_ds_swizzle, {},
                             {word, b.getInt32(exchange.control)});
  return b.CreateIntrinsic(llvm::Intrinsic::amdgcn_ds_bpermute, {}, {from, word});
}

/// Words of 32 bits from another lane.
llvm::Value* permute(FunctionEmitter& e, Exchange exchange, llvm::Value* from, llvm::Value* value) {
  auto& b = e.builder;
  auto* type = value->getType();
  const auto words = type->getPrimitiveSizeInBits().getFixedValue() / 32;
  auto* vector = llvm::FixedVectorType::get(b.getInt32Ty(), static_cast<unsigned>(words));
  auto* all = b.CreateBitCast(value, vector);
  for (std::uint64_t i = 0; i < words; ++i) {
    auto* word = wordFrom(e, exchange, from, b.CreateExtractElement(all, i));
    all = b.CreateInsertElement(all, word, i);
  }
  return b.CreateBitCast(all, type);
}

LogicalResult emitLaneShuffle(FunctionEmitter& e, Operation& op) {
  const ShuffleOp shuffle(&op);
  auto& b = e.builder;
  const auto* width = llvm::dyn_cast<llvm::ConstantInt>(e.get(shuffle.width()));
  if (!e.kernel || !width || width->getZExtValue() != e.kernel->waveSize)
    return unsupported(op, "gpu.shuffle among other lanes than those of the whole wave");
  // Devices with waves of 32 permute within 32 lanes.
  if (e.kernel->waveSize == 64) e.kernel->devices &= amdgpu::kGfx90a | amdgpu::kGfx942;
  auto* offset = e.get(shuffle.offset());
  auto* lane = b.CreateTrunc(laneNumber(e), b.getInt32Ty());
  auto* from = sourceLane(e, shuffle.mode(), lane, offset);
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(offset);
  const Exchange exchange =
      mask && shuffle.mode() == "xor" ? exchangeOf(mask->getZExtValue()) : Exchange{};
  e.set(op.result(0), permute(e, exchange, b.CreateShl(from, 2), e.get(shuffle.value())));
  e.set(op.result(1), b.CreateICmpULT(from, b.getInt32(e.kernel->waveSize)));
  return success();
}

// -- Memory --------------------------------------------------------------------------------------

LogicalResult emitBarrier(FunctionEmitter& e, Operation& op) {
  const auto workgroup = e.owner.context().getOrInsertSyncScopeID("workgroup");
  const auto fence = [&](llvm::AtomicOrdering order) {
    auto* made = e.builder.CreateFence(order, workgroup);
    // Loads of other memory may stay on their way.
    if (!isLdsBarrier(op)) return;
    const auto local = llvm::MMRAMetadata::getTagMD(e.owner.context(), "amdgpu-as", "local");
    made->setMetadata(llvm::LLVMContext::MD_mmra, local);
  };
  fence(llvm::AtomicOrdering::Release);
  e.builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_barrier, {}, {});
  fence(llvm::AtomicOrdering::Acquire);
  return success();
}

/// A wave runs in step and sees its own accesses in their order: all that is needed is that the compiler keeps it.
LogicalResult emitWaveBarrier(FunctionEmitter& e, Operation&) {
  const auto wave = e.owner.context().getOrInsertSyncScopeID("wavefront");
  e.builder.CreateFence(llvm::AtomicOrdering::Release, wave);
  e.builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_wave_barrier, {}, {});
  e.builder.CreateFence(llvm::AtomicOrdering::Acquire, wave);
  return success();
}

LogicalResult emitScheduleBarrier(FunctionEmitter& e, Operation&) {
  e.builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_sched_barrier, {}, {e.builder.getInt32(0)});
  return success();
}

LogicalResult emitAlloc(FunctionEmitter& e, Operation& op) {
  return emitBuffer(e, op, op.result(0));
}

/// LDS and private memory end with the kernel.
LogicalResult emitDealloc(FunctionEmitter& e, Operation& op) {
  const auto type = op.operand(0).type().dynCast<MemRefType>();
  if (type && e.owner.addressSpace(type) != 1u) return success();
  return unsupported(op, "memref.dealloc in memory space 0 in a kernel");
}

}  // namespace

/// Bytes of a buffer with a static shape; saturated.
static int64_t bufferBytes(FunctionEmitter& e, MemRefType type) {
  const auto element = type.elementType();
  const auto vector = element.dynCast<VectorType>();
  int64_t bytes = e.owner.alignmentOf(element) * (vector ? vector.numElements() : 1);
  return __builtin_mul_overflow(bytes, type.numElements(), &bytes) ? INT64_MAX : bytes;
}

/// Far too large is refused here, at the op; what only the whole kernel shows is found later.
static LogicalResult checkSize(Operation& op, int64_t bytes, bool isLds) {
  const int64_t limit = isLds ? amdgpu::kMaxLdsBytes : kMaxPrivateBytes;
  if (bytes <= limit) return success();
  return op.emitError() << "a buffer of " << bytes << " bytes does not fit; a "
                        << (isLds ? "workgroup has " : "work-item may have ") << limit;
}

LogicalResult emitBuffer(FunctionEmitter& e, Operation& op, Value buffer) {
  const auto type = buffer.type().cast<MemRefType>();
  const auto why = e.owner.obstacle(type);
  if (!why.empty()) return unsupported(op, why);
  const auto space = *e.owner.addressSpace(type);
  if (space == 1) return unsupported(op, "a buffer of a kernel in memory space 0");
  if (!type.hasStaticShape() || !type.hasIdentityLayout())
    return unsupported(op, "a buffer of a kernel with a layout or a size not known before it runs");
  const auto bytes = bufferBytes(e, type);
  if (failed(checkSize(op, bytes, space == 3))) return failure();
  auto* number = e.owner.inMemory(elementTypeOrSelf(type.elementType()));
  const auto count = bytes / e.owner.alignmentOf(type.elementType());
  auto* array = llvm::ArrayType::get(number, static_cast<uint64_t>(count));
  const auto wanted = op.attrOf<IntegerAttr>("alignment");
  const llvm::Align align(
      static_cast<uint64_t>(std::max(wanted ? wanted.value() : 0, kBufferAlignment)));
  llvm::Value* base =
      space == 3 ? e.owner.addLds(array, align.value()) : e.entryAlloca(array, align);
  e.setMemref(buffer, e.rowMajor(base, staticSizes(e, type)));
  return success();
}

void addKernelOps(EmitTable& table) {
  table["gpu.thread_id"] = emitThreadId;
  table["gpu.block_id"] = emitBlockId;
  table["gpu.block_dim"] = emitBlockDim;
  table["gpu.grid_dim"] = emitGridDim;
  table["gpu.global_id"] = emitGlobalId;
  table["gpu.lane_id"] = emitLaneId;
  table["gpu.subgroup_size"] = emitSubgroupSize;
  table["gpu.subgroup_id"] = emitSubgroupId;
  table["gpu.num_subgroups"] = emitNumSubgroups;
  table["gpu.shuffle"] = emitLaneShuffle;
  table["gpu.barrier"] = emitBarrier;
  table["gpu.schedule_barrier"] = emitScheduleBarrier;
  table["gpu.wave_barrier"] = emitWaveBarrier;
  table["memref.alloc"] = emitAlloc;
  table["memref.alloca"] = emitAlloc;
  table["memref.dealloc"] = emitDealloc;
}

}  // namespace airlite::gpu
