// Vector code as programs of cores have it, rolled up: each vector is a loop over its lanes, of loads, arithmetic and stores of elements.
//
//   %v = vector.transfer_read %part[%c0] ..    // %part = memref.subview %x[%i] [16] [1]
//   %w = arith.addf %v, %b : vector<16xf32>              scf.for %lane = 0 to 16 {
//   vector.transfer_write %w, %z[%i] ..             ->     store (load %x[%i + %lane]) + b, %z[%i + %lane] }
//
// So such loops are read as any others (LoopStatements.hpp), and become ops whose vectors are as long as the core has them.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <span>
#include <string>
#include <vector>

namespace airlite::tiling {

/// An access to a vector of memory, or a reduction of a vector: what runs of vector code are made of besides pure ops.
bool isVectorWork(const Operation& op);

/// Whether `ops` have vectors, or access memory by views that are made in them.
bool needsRolling(std::span<Operation* const> ops);

/// A copy of `ops`, which follow each other in a block, behind the last of them, without vectors and with the memory that views are
/// of. Each stored vector and each reduction is a loop of its own, products of matrices (vector.contract) loops in it, which computes anew what it needs; vectors that loops carry
/// are memory. What was stored just before is not loaded, and what nothing loads is not stored.
/// Declines (`why`), leaving nothing behind: reductions of several rows, ops that do not compute lane by lane, masks, elements that
/// change between a load and where they are needed. Transfers that leave their memory are loops that do, which mean something else:
/// whoever reads them has to decline.
struct RolledOps {
  std::vector<Operation*> ops;
  std::vector<Operation*> memory;  ///< in front of the ops: allocations for what they carry
  std::string why;

  /// Of a copy that is not wanted.
  void erase() const;
};
RolledOps rollVectors(std::span<Operation* const> ops);

}  // namespace airlite::tiling
