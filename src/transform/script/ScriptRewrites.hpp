// Rewrites that scripts of transform ops ask for (Transform.cpp), each in a file of its own.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pass.hpp"

#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace airlite {

/// Which function a linalg op calls.
struct LibraryCall {
  std::string_view name = {};      // "": what the op says, or its name and types
  std::string_view linkWith = {};  // the object file of the function
  bool deriveName = false;         // of a linalg.generic that says nothing, from its types
  bool linksHerd = true;           // the herd around gets `linkWith` even when it is empty
};

/// Turns a linalg op on memrefs into a call (LinalgToFunc.cpp); null after an error.
Operation* callLibrary(Operation& op, const LibraryCall& how);

/// memref.copy of ranked buffers inside of `root` becomes linalg.copy (CopyToLinalg.cpp). What goes
/// away is added to `erased`.
void copiesToLinalg(Operation& root, PassContext& context, std::unordered_set<Operation*>& erased);

/// Gives a linalg.reduce on tensors its reduced dimensions innermost, by transposing its inputs
/// (TransposeReduce.cpp). False, with a remark, when it stays as it is.
bool transposeReduce(Operation& reduce, PassContext& context);

/// Moves buffers of known size out of the sequential loops of `root` (HoistStaticAlloc.cpp).
void hoistStaticAllocs(Operation& root, PassContext& context);

/// Lets elementwise ops of one operand inside of `root` (of this name; "": all) follow the
/// broadcast of their operand (BroadcastBeforeUnary.cpp). What goes away is added to `erased`.
void broadcastBeforeUnary(Operation& root, std::string_view name,
                          std::unordered_set<Operation*>& erased);

/// math.rsqrt for 1 / math.sqrt inside of `target` (RsqrtForDivision.cpp). What goes away is added
/// to `erased`.
void rsqrtForDivision(Operation& target, std::unordered_set<Operation*>& erased);

/// Lets an scf.for count in the steps of an affine.apply of its variable (NormalizeForBounds.cpp).
/// False, with a remark, when it stays as it is.
bool normalizeForBounds(Operation& loop, PassContext& context);

/// Lets an scf.for carry the wide value of an extension and a truncation in it (CastPairs.cpp). False,
/// with a remark, when it stays as it is. What goes away is added to `erased`.
bool hoistCastPair(Operation& extension, Operation& truncation, Operation& loop,
                   PassContext& context, std::unordered_set<Operation*>& erased);

/// Lets an scf.for carry vectors of one dimension (FlattenIterArgs.cpp).
void flattenIterArgs(Operation& loop);

/// A vector.transfer_read takes the value of an earlier one that read the same (RedundantTransfers.cpp).
/// What goes away is added to `erased`.
void dropRedundantReads(Operation& root, std::unordered_set<Operation*>& erased);

/// Two whole copies through a buffer of their own become one (RedundantTransfers.cpp). What goes away
/// is added to `erased`.
void joinCascadedCopies(Operation& root, PassContext& context,
                        std::unordered_set<Operation*>& erased);

/// Which values of an op on vectors get another element type.
struct VectorCast {
  Type element;
  std::vector<int64_t> inputs = {}, outputs = {};  // numbers; none at all: every one
};
/// Computes an op with another element type, casts around it (CastPairs.cpp). Fails, with an error,
/// where the op cannot be computed so.
LogicalResult castVectorTypes(Operation& op, const VectorCast& how);

/// A linalg op in loops.
struct TiledLinalg {
  Operation* op = nullptr;             // null after an error
  std::vector<Operation*> loops = {};  // from the outermost on
};
/// Puts a linalg op on buffers into loops around a part of it (LinalgTile.cpp). `sizes`: of the part
/// in each loop, 0 for all of it.
TiledLinalg tileLinalg(Operation& op, std::span<const int64_t> sizes);

/// Computes what a linalg op writes for a parallel loop inside of it (FuseIntoLoop.cpp). The op
/// inside; null after an error.
Operation* fuseIntoLoop(Operation& producer, Operation& loop);

/// Computes elementwise linalg ops on tensors in those that read them, inside of `root`
/// (FuseLinalg.cpp). What goes away is added to `erased`.
void fuseElementwise(Operation& root, std::unordered_set<Operation*>& erased);
/// Computes `first` in `second`, which reads it and goes away. The new op; null after an error.
Operation* fuseTwo(Operation& first, Operation& second);
/// The linalg.generic that does what a linalg op does, in its place; null after an error.
Operation* generalize(Operation& op);

/// Computes the narrow floats of an arith.truncf on tensors in the op that makes the wide ones
/// (FuseTruncation.cpp); both go away when nothing else reads them. The new op; null after an error.
Operation* fuseTruncation(Operation& truncation, Operation& producer);

/// Copies out of buffers that nothing writes go away, those out of filled ones become fills
/// (UninitializedCopies.cpp). What goes away is added to `erased`.
void removeUninitializedCopies(Operation& root, PassContext& context,
                               std::unordered_set<Operation*>& erased);

/// Only the second of these.
void fillInsteadOfCopies(Operation& root, PassContext& context,
                         std::unordered_set<Operation*>& erased);

/// Vectors of one element inside of `root` become scalars (OneElementVectors.cpp). All ops inside are
/// added to `erased`.
void oneElementVectorsToScalars(Operation& root, std::unordered_set<Operation*>& erased);

/// Which operands of linalg ops get buffers of their own.
struct Promotion {
  int64_t space = 2;                   // memory space of the buffers
  std::vector<int64_t> operands = {};  // numbers of the operands; empty: all
  int64_t groupSize = 1;               // the numbers count through that many ops at a time
};
/// Gives operands of linalg ops buffers in a memory space (LinalgPromote.cpp). Copies that go away
/// are added to `erased`.
LogicalResult promoteLinalg(std::span<Operation* const> ops, const Promotion& how,
                            std::unordered_set<Operation*>& erased);

/// The scf.parallel, or the outermost scf.for, that does what an scf.forall does
/// (ForallLoops.cpp); the loop itself when it is one; null after an error.
Operation* forallToParallel(Operation& loop);
Operation* forallToFor(Operation& loop);

}  // namespace airlite
