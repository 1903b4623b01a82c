// Elementwise ops that follow an op and become a part of its kernel.
#pragma once

#include "GpuModule.hpp"

#include <span>
#include <vector>

namespace airlite::gpu {

/// What an op made, for those that follow it.
struct Made {
  linalg::StructuredOp op{nullptr};
  Value memref;                    ///< its result
  std::vector<Operation*> others;  ///< that use the memory and go with the op
  std::vector<Value> read;         ///< by other workgroups when a part of the result is written
};

/// The ops after `made.op`, one after the other, each of which computes its result element by element from
/// that of the op before it (isTileOp, with one loop for each dimension of the result) and from other
/// memory. What lies between two of them is in memory that nobody else needs, or overwritten.
std::vector<linalg::StructuredOp> followersOf(const Made& made);

/// The operand of a follower that holds `from`; -1: none, or it is not taken element by element.
int takenOperand(linalg::StructuredOp follower, Value from);

/// Whether `memref` is a buffer that nobody but these ops uses, deallocation and questions of sizes apart.
bool isUsedOnlyBy(Value memref, std::span<Operation* const> ops);

/// Erases ops, after which `memory` that they alone used goes too; deallocations between the first and the
/// last op move behind the last one.
void eraseWithMemory(std::span<Operation* const> ops, std::span<const Value> memory);

}  // namespace airlite::gpu
