// Elementwise ops before and after an op that become a part of its kernel.
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

/// The elementwise op that makes all of `memref`, which `op` reads, from another memref of its shape, times
/// numbers and converted: zeros stay zeros. Nobody else needs `memref`, and nothing that the op reads is
/// written before `op`; `others` go with it and write only `memref`s of their own and that of `op`. Null: none.
linalg::StructuredOp makerOf(linalg::StructuredOp op, Value memref,
                             std::span<Operation* const> others);
/// The operand of a maker that has the shape of its result.
unsigned wholeOperand(linalg::StructuredOp maker);

/// The op before `op` that wrote `memref` last; null: none, or it is not known which. `isUnread`: nor does
/// an op between the two read it.
linalg::StructuredOp writerBefore(Operation& op, Value memref, bool isUnread = false);

/// Whether the body reads memory that is no operand, or may.
bool readsElsewhere(linalg::StructuredOp op);

/// Whether the op neither reads nor writes memory that ops around it may use.
bool mayBePassed(Operation& op);

/// The operand of a follower that holds `from`; -1: none, or it is not taken element by element.
int takenOperand(linalg::StructuredOp follower, Value from);

/// Whether `memref` is a buffer that nobody but these ops uses, deallocation and questions of sizes apart.
bool isUsedOnlyBy(Value memref, std::span<Operation* const> ops);

/// Erases ops, after which `memory` that they alone used goes too; deallocations between the first and the
/// last op move after the last one.
void eraseWithMemory(std::span<Operation* const> ops, std::span<const Value> memory);

}  // namespace airlite::gpu
