#include "HostRewrite.hpp"

#include "../target/Float8.hpp"
#include "ItemContext.hpp"
#include "airlite/device/GpuMatrix.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

#include <array>
#include <optional>

namespace airlite::gpu {
namespace {

using llvm::Value;

/// One class: each intrinsic is a few lines, and all of them number their sites.
class Rewriter {
 public:
  Rewriter(llvm::Function& function, unsigned waveSize, std::vector<std::string>& sites)
      : function_(function), waveSize_(waveSize), sites_(sites), builder_(function.getContext()) {}

  Result<void> run() {
    std::vector<llvm::Instruction*> all;
    for (auto& instruction : llvm::instructions(function_))
      all.push_back(&instruction);
    for (auto* instruction : all)
      if (auto done = rewrite(*instruction); !done) return done;
    return {};
  }

 private:
  Result<void> rewrite(llvm::Instruction& instruction) {
    builder_.SetInsertPoint(&instruction);
    if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) return rewriteFence(*fence);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return rewriteCall(*call);
    auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
    if (!cast || cast->getSrcTy() != cast->getDestTy()) return {};
    return replace(*cast, cast->getOperand(0));
  }

  /// Fences inside a workgroup order nothing here: its work-items share one OS thread and switch
  /// only in barriers. Wider ones stay, for workgroups on other threads.
  Result<void> rewriteFence(llvm::FenceInst& fence) {
    llvm::SmallVector<llvm::StringRef, 16> names;
    fence.getContext().getSyncScopeNames(names);
    const auto scope = names[fence.getSyncScopeID()];
    if (scope.starts_with("agent") || scope.empty() || scope == "one-as")
      fence.setSyncScopeID(llvm::SyncScope::System);
    else
      fence.eraseFromParent();
    return {};
  }

  Result<void> rewriteCall(llvm::CallBase& call) {
    if (call.isInlineAsm()) return unsupported("inline assembly");
    auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
    if (!callee) return unsupported("an indirect call");
    if (callee->getName() == ldsPlaceholder) return replace(call, ldsAddress(call));
    if (!callee->isIntrinsic()) return unsupported("the call of '" + callee->getName().str() + "'");
    if (callee->getName().starts_with("llvm.amdgcn.")) return rewriteAmdgcn(call, *callee);
    const auto id = callee->getIntrinsicID();
    if (id == llvm::Intrinsic::fma && isHalf(call)) return widenFma(call);
    const bool isExtreme = id == llvm::Intrinsic::maximum || id == llvm::Intrinsic::minimum;
    if (isExtreme && isHalf(call)) return compareBits(call, id == llvm::Intrinsic::maximum);
    if (callee->getFunctionType() != call.getFunctionType()) redeclare(call, *callee);
    return {};
  }

  Result<void> rewriteAmdgcn(llvm::CallBase& call, const llvm::Function& callee) {
    for (const auto& row : amdgpu::kMatrixInstructions)
      if (!row.intrinsic.empty() && callee.getName() == llvm::StringRef(row.intrinsic))
        return replaceMatrix(call, row);
    switch (callee.getIntrinsicID()) {
      case llvm::Intrinsic::amdgcn_workitem_id_x: return replace(call, itemId(0));
      case llvm::Intrinsic::amdgcn_workitem_id_y: return replace(call, itemId(1));
      case llvm::Intrinsic::amdgcn_workitem_id_z: return replace(call, itemId(2));
      case llvm::Intrinsic::amdgcn_workgroup_id_x: return replace(call, groupId(0));
      case llvm::Intrinsic::amdgcn_workgroup_id_y: return replace(call, groupId(1));
      case llvm::Intrinsic::amdgcn_workgroup_id_z: return replace(call, groupId(2));
      case llvm::Intrinsic::amdgcn_mbcnt_lo: return replace(call, countBelow(call, 0));
      case llvm::Intrinsic::amdgcn_mbcnt_hi: return replace(call, countBelow(call, 1));
      case llvm::Intrinsic::amdgcn_wavefrontsize:
        return replace(call, builder_.getInt32(waveSize_));
      case llvm::Intrinsic::amdgcn_s_barrier: return replaceBarrier(call, barrierSymbol, "barrier");
      case llvm::Intrinsic::amdgcn_wave_barrier:
        return replaceBarrier(call, waveBarrierSymbol, "barrier of a wave");
      case llvm::Intrinsic::amdgcn_ds_bpermute:
        return replacePermute(call, call.getArgOperand(0), call.getArgOperand(1));
      case llvm::Intrinsic::amdgcn_ds_swizzle: return replaceSwizzle(call);
      case llvm::Intrinsic::amdgcn_update_dpp: return replaceDpp(call);
      case llvm::Intrinsic::amdgcn_cvt_pk_f32_fp8:
      case llvm::Intrinsic::amdgcn_cvt_pk_f32_bf8: {
        Value* made = float8CallOnHost(builder_, call);
        return made ? replace(call, made)
                    : unsupported("a conversion of eight bits of no known format");
      }
      case llvm::Intrinsic::amdgcn_sched_barrier:
      case llvm::Intrinsic::amdgcn_sched_group_barrier:
      case llvm::Intrinsic::amdgcn_iglp_opt:
      case llvm::Intrinsic::amdgcn_s_setprio: return erase(call);  // hints without meaning
      default: return unsupported("the intrinsic '" + callee.getName().str() + "'");
    }
  }

  Value* itemId(unsigned axis) { return loadField(offsetof(ItemContext, itemId) + 4 * axis); }
  Value* groupId(unsigned axis) { return loadField(offsetof(ItemContext, groupId) + 4 * axis); }

  /// mbcnt: how many of the mask's lanes lie below this one, plus the second operand.
  Value* countBelow(llvm::CallBase& call, unsigned half) {
    auto* below = loadField(offsetof(ItemContext, laneMask) + 4 * half);
    auto* masked = builder_.CreateAnd(call.getArgOperand(0), below);
    auto* count = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, masked);
    return builder_.CreateAdd(count, call.getArgOperand(1));
  }

  Value* ldsAddress(llvm::CallBase& call) {
    auto* start = load(builder_.getPtrTy(), offsetof(ItemContext, lds));
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), start, call.getArgOperand(0));
  }

  Value* loadField(std::size_t offset) { return load(builder_.getInt32Ty(), offset); }

  /// Context fields do not change while a work-item runs, also not across barriers.
  Value* load(llvm::Type* type, std::size_t offset) {
    auto* address =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(0), offset);
    auto* value = builder_.CreateLoad(type, address);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(builder_.getContext(), {}));
    return value;
  }

  Result<void> replaceBarrier(llvm::CallBase& call, const char* symbol, const char* what) {
    auto callee = function_.getParent()->getOrInsertFunction(
        symbol, builder_.getVoidTy(), builder_.getPtrTy(), builder_.getInt32Ty());
    auto* barrier = llvm::cast<llvm::Function>(callee.getCallee());
    barrier->setDoesNotThrow();
    barrier->setConvergent();
    builder_.CreateCall(callee, {function_.getArg(0), builder_.getInt32(sites_.size())})
        ->setConvergent();
    sites_.push_back(describeSite(call, what));
    return erase(call);
  }

  /// Four times the number of the lane whose number differs from this one's by the bits of `mask`.
  Value* laneBeside(uint64_t mask) {
    Value* lane = builder_.getInt32(0);
    for (unsigned half = 0; half < waveSize_ / 32; ++half) {
      auto* below = loadField(offsetof(ItemContext, laneMask) + 4 * half);
      lane = builder_.CreateAdd(lane, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, below));
    }
    return builder_.CreateShl(
        builder_.CreateXor(lane, builder_.getInt32(static_cast<unsigned>(mask))), 2);
  }

  static uint64_t numberAt(const llvm::CallBase& call, unsigned operand) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(operand))->getZExtValue();
  }

  /// Bit mode with all lanes of 32 kept and some bits of their numbers turned.
  Result<void> replaceSwizzle(llvm::CallBase& call) {
    const uint64_t control = numberAt(call, 1);
    if ((control & 0x83ff) != 0x1f) return unsupported("this pattern of ds_swizzle");
    return replacePermute(call, laneBeside(control >> 10), call.getArgOperand(0));
  }

  /// Of all rows and banks: four lanes in another order, mirrored rows and half rows, rows turned by 8.
  Result<void> replaceDpp(llvm::CallBase& call) {
    const auto mask = dppMask(numberAt(call, 2));
    const bool isPlain = numberAt(call, 3) == 0xf && numberAt(call, 4) == 0xf;
    if (!mask || !isPlain || !call.getType()->isIntegerTy(32))
      return unsupported("this control of DPP");
    return replacePermute(call, laneBeside(*mask), call.getArgOperand(1));
  }

  /// Bits by which the numbers of the two lanes differ; empty: not always the same ones.
  static std::optional<uint64_t> dppMask(uint64_t control) {
    if (control == 0x140) return 15;
    if (control == 0x141) return 7;
    if (control == 0x128) return 8;
    for (uint64_t mask = 0; control < 0x100 && mask < 4; ++mask) {
      uint64_t quad = 0;
      for (uint64_t lane = 0; lane < 4; ++lane)
        quad |= (lane ^ mask) << (2 * lane);
      if (quad == control) return mask;
    }
    return std::nullopt;
  }

  Result<void> replacePermute(llvm::CallBase& call, Value* fourTimesLane, Value* number) {
    auto* i32 = builder_.getInt32Ty();
    auto callee = function_.getParent()->getOrInsertFunction(permuteSymbol, i32,
                                                             builder_.getPtrTy(), i32, i32, i32);
    auto* permute = llvm::cast<llvm::Function>(callee.getCallee());
    permute->setDoesNotThrow();
    permute->setConvergent();
    auto* made = builder_.CreateCall(
        callee, {function_.getArg(0), builder_.getInt32(static_cast<unsigned>(sites_.size())),
                 fourTimesLane, number});
    made->setConvergent();
    sites_.push_back(describeSite(call, "shuffle"));
    return replace(call, made);
  }

  // -- Matrix instructions ------------------------------------------------------------------------

  /// The factors and the sum go through memory, in which the other lanes find them.
  Result<void> replaceMatrix(llvm::CallBase& call, const amdgpu::MatrixInstruction& row) {
    if (row.wave != waveSize_)
      return unsupported("'" + std::string(row.name) + "' in waves of " +
                         std::to_string(waveSize_));
    const bool isInteger = row.form == amdgpu::MatrixForm::WmmaInteger;
    if (!hasPlainModifiers(call, row))
      return unsupported("modifiers of '" + std::string(row.name) + "'");
    auto* pointer = builder_.getPtrTy();
    auto* i32 = builder_.getInt32Ty();
    auto callee = function_.getParent()->getOrInsertFunction(
        matrixSymbol, builder_.getVoidTy(), pointer, i32, i32, pointer, pointer, pointer);
    auto* matrix = llvm::cast<llvm::Function>(callee.getCallee());
    matrix->setDoesNotThrow();
    matrix->setConvergent();
    auto* sum = spill(call.getArgOperand(isInteger ? 4 : 2), 2);
    builder_
        .CreateCall(callee,
                    {function_.getArg(0), builder_.getInt32(static_cast<unsigned>(sites_.size())),
                     builder_.getInt32(static_cast<unsigned>(&row - amdgpu::kMatrixInstructions)),
                     spill(call.getArgOperand(isInteger ? 1 : 0), 0),
                     spill(call.getArgOperand(isInteger ? 3 : 1), 1), sum})
        ->setConvergent();
    sites_.push_back(describeSite(call, "matrix product"));
    return replace(call, builder_.CreateLoad(call.getType(), sum));
  }

  /// Signed factors, no clamping, no broadcast or permutation of blocks.
  static bool hasPlainModifiers(const llvm::CallBase& call, const amdgpu::MatrixInstruction& row) {
    const auto is = [&](unsigned operand, uint64_t wanted) {
      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
      return number && number->getZExtValue() == wanted;
    };
    if (row.form == amdgpu::MatrixForm::Wmma) return true;
    if (row.form == amdgpu::MatrixForm::Mfma) return is(3, 0) && is(4, 0) && is(5, 0);
    return is(0, 1) && is(2, 1) && is(5, 0);
  }

  /// A slot of the work-item's stack with `value`. Slots are shared: one instruction runs at a time.
  Value* spill(Value* value, std::size_t slot) {
    auto& place = slots_[slot];
    if (!place) {
      llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      place = entry.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), kSlotBytes), 0u);
      place->setAlignment(llvm::Align(64));
    }
    builder_.CreateStore(value, place);
    return place;
  }

  std::string describeSite(const llvm::CallBase& call, const char* what) const {
    auto text = what + (" #" + std::to_string(sites_.size()));
    if (const auto& location = call.getDebugLoc())
      return text + " (" + location->getFilename().str() + ":" +
             std::to_string(location.getLine()) + ")";
    const auto block = call.getParent()->getName();
    return block.empty() ? text : text + " (block '" + block.str() + "')";
  }

  static bool isHalf(const llvm::CallBase& call) {
    return call.getType()->getScalarType()->isHalfTy();
  }

  /// x86 without f16 arithmetic would do this in f32 and round twice. In f64 the product is exact
  /// and what the sum cuts off cannot reach an f16 rounding boundary.
  Result<void> widenFma(llvm::CallBase& call) {
    auto* wide = call.getType()->getWithNewType(builder_.getDoubleTy());
    const auto widen = [&](unsigned operand) {
      return builder_.CreateFPExt(call.getArgOperand(operand), wide);
    };
    auto* product = builder_.CreateFMul(widen(0), widen(1));
    auto* sum = builder_.CreateFAdd(product, widen(2));
    return replace(call, builder_.CreateFPTrunc(sum, call.getType()));
  }

  /// LLVM 19 loses NaN in vectors of f16 on x86, and makes f16 of f32 that come from it. The bits of numbers, those of the
  /// negative ones turned, are ordered as the numbers are.
  Result<void> compareBits(llvm::CallBase& call, bool isGreatest) {
    auto* bits = call.getType()->getWithNewType(builder_.getInt16Ty());
    const auto constant = [&](uint64_t value) { return llvm::ConstantInt::get(bits, value); };
    Value* a = builder_.CreateBitCast(call.getArgOperand(0), bits);
    Value* b = builder_.CreateBitCast(call.getArgOperand(1), bits);
    const auto ordered = [&](Value* x) {
      return builder_.CreateXor(x, builder_.CreateLShr(builder_.CreateAShr(x, 15), 1));
    };
    const auto isNan = [&](Value* x) {
      return builder_.CreateICmpUGT(builder_.CreateAnd(x, constant(0x7fff)), constant(0x7c00));
    };
    const auto quiet = [&](Value* x) { return builder_.CreateOr(x, constant(0x0200)); };
    auto* isFirst = isGreatest ? builder_.CreateICmpSGT(ordered(a), ordered(b))
                               : builder_.CreateICmpSLT(ordered(a), ordered(b));
    auto* extreme = builder_.CreateSelect(isFirst, a, b);
    extreme = builder_.CreateSelect(isNan(b), quiet(b), extreme);
    extreme = builder_.CreateSelect(isNan(a), quiet(a), extreme);
    return replace(call, builder_.CreateBitCast(extreme, call.getType()));
  }

  /// Names such as llvm.memset.p3.i64 spell the address space, which flattening took away.
  void redeclare(llvm::CallBase& call, const llvm::Function& callee) {
    llvm::SmallVector<llvm::Type*, 4> types;
    const auto id = callee.getIntrinsicID();
    if (!llvm::Intrinsic::getIntrinsicSignature(id, call.getFunctionType(), types)) return;
    call.setCalledFunction(llvm::Intrinsic::getDeclaration(function_.getParent(), id, types));
  }

  Result<void> replace(llvm::Instruction& old, Value* value) {
    old.replaceAllUsesWith(value);
    return erase(old);
  }

  Result<void> erase(llvm::Instruction& instruction) {
    instruction.eraseFromParent();
    return {};
  }

  Result<void> unsupported(const std::string& what) const {
    return Error{"the host twin does not support " + what + " (in '" + function_.getName().str() +
                 "')"};
  }

  /// The largest fragment: 16 numbers of 4 bytes, 4 of 8.
  static constexpr unsigned kSlotBytes = 64;

  llvm::Function& function_;
  std::array<llvm::AllocaInst*, 3> slots_ = {};
  unsigned waveSize_;
  std::vector<std::string>& sites_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

Result<void> rewriteForHost(llvm::Function& function, unsigned waveSize,
                            std::vector<std::string>& barrierSites) {
  return Rewriter(function, waveSize, barrierSites).run();
}

}  // namespace airlite::gpu
