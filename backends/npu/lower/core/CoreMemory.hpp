// Questions about accesses of cores to memory, once it has one dimension.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::npu {

/// Is `op` a memref.load or memref.store?
inline bool isElementAccess(const Operation& op) {
  return op.is("memref.load") || op.is("memref.store");
}

/// The memref of an element access.
inline Value memoryOf(const Operation& access) {
  return access.operand(access.is("memref.store") ? 1 : 0);
}

/// The only index of an element access.
inline Value indexOf(const Operation& access) {
  return access.operand(access.is("memref.store") ? 2 : 1);
}

/// Two values like this are the same memory only when they are the same value: buffers of a tile,
/// arguments of a function.
inline bool isOwnMemory(Value memory) {
  if (Operation* op = memory.definingOp()) return op->is("aie.buffer");
  Block* block = memory.argumentBlock();
  return block->isEntry() && block->parentOp()->is("func.func");
}

}  // namespace airlite::npu
