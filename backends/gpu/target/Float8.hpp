// Conversions of floats of eight bits, which LLVM has no type for: here they are i8, alone or in vectors.
// Every value of them is one of f16 and of bf16, so only the way back rounds: to the nearest, ties to
// even, with the bits that floatToBits gives (airlite/ir/Attribute.hpp).
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/ir/Type.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

namespace airlite::gpu {

/// `bits` of the format as f32, or as f16. Exact.
llvm::Value* widenFloat8(llvm::IRBuilder<>& builder, llvm::Value* bits, airlite::FloatKind kind,
                         bool toHalf = false);
/// An f32 or f64, rounded once.
llvm::Value* narrowToFloat8(llvm::IRBuilder<>& builder, llvm::Value* number,
                            airlite::FloatKind kind);

/// As f32 by the instructions of the device; null where it has none for the format, or for so many numbers.
llvm::Value* widenFloat8OnDevice(llvm::IRBuilder<>& builder, llvm::Value* bits,
                                 airlite::FloatKind kind, const amdgpu::GpuDevice& device);
/// What such an instruction gives, for the host twin; null for calls that widenFloat8OnDevice() has not made.
llvm::Value* float8CallOnHost(llvm::IRBuilder<>& builder, llvm::CallBase& call);

}  // namespace airlite::gpu
