// Math functions for kernels, spelled out in f32 arithmetic and the intrinsics that the device has.
// Relative errors are a few units in the last place where nothing else is said.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace airlite::gpu {

/// Of f32 values or vectors of them.
using MathExpansion = llvm::Value* (*)(llvm::IRBuilder<>& builder,
                                       llvm::ArrayRef<llvm::Value*> args);

using MathArgs = llvm::ArrayRef<llvm::Value*>;
llvm::Value* expandTan(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandAsin(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandAcos(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandAtan(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandAtan2(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandSinh(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandCosh(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandTanh(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandExpM1(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandLog1P(llvm::IRBuilder<>& builder, MathArgs args);
llvm::Value* expandCbrt(llvm::IRBuilder<>& builder, MathArgs args);
/// Absolute error 1.5e-7.
llvm::Value* expandErf(llvm::IRBuilder<>& builder, MathArgs args);

}  // namespace airlite::gpu
