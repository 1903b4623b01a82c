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

/// Elements of memory that vectors have lanes of.
inline bool isElement(Type type) {
  return type.isF32() || type.isBF16() || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32);
}

/// What the names of buffers of vectors (memref.global) begin with. Each is asked for once.
inline constexpr std::string_view kVectorBuffer = "__air_vector_";

/// What the names of buffers begin with that the host fills with the operands of a herd, words all of them.
inline constexpr std::string_view kHerdWords = "__air_herd_rtp_";

/// What the names of buffers begin with in which cores count launch instances.
inline constexpr std::string_view kInstanceNumber = "__air_instance_";

/// Two values like this are the same memory only when they are the same value: buffers of a tile,
/// buffers of vectors, arguments of a function.
inline bool isOwnMemory(Value memory) {
  if (Operation* op = memory.definingOp()) {
    if (!op->is("memref.get_global")) return op->is("aie.buffer");
    return op->attrOf<SymbolRefAttr>("name").root().starts_with(kVectorBuffer);
  }
  Block* block = memory.argumentBlock();
  return block->isEntry() && block->parentOp()->is("func.func");
}

}  // namespace airlite::npu
