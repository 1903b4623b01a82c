// Conversions of floats of eight bits, which LLVM has no type for: here they are i8, alone or in vectors.
// Every value of them is one of f16 and of bf16, so only the way back rounds: to the nearest, ties to
// even, with the bits that floatToBits gives (airlite/ir/Attribute.hpp).
#pragma once

#include "airlite/ir/Type.hpp"

#include <llvm/IR/IRBuilder.h>

#include <string>

namespace airlite {
class Operation;
}

namespace airlite::gpu {

/// `bits` of the format as f32, or as f16. Exact.
llvm::Value* widenFloat8(llvm::IRBuilder<>& builder, llvm::Value* bits, airlite::FloatKind kind,
                         bool toHalf = false);
/// An f32 or f64, rounded once.
llvm::Value* narrowToFloat8(llvm::IRBuilder<>& builder, llvm::Value* number,
                            airlite::FloatKind kind);

/// Why `op` cannot compute what it is given in eight bits; empty when it can, or has no such numbers.
std::string float8Obstacle(const Operation& op);

}  // namespace airlite::gpu
