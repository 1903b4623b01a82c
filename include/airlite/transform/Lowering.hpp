// The rewrites of lower-affine and convert-scf-to-cf, for passes that need them as a step.
//
//   if (failed(lowerAffine(function)) || failed(convertScfToCf(function))) return failure();
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

/// Replaces all affine ops inside `root`. A failure has been reported at the op that stays.
LogicalResult lowerAffine(Operation& root, bool* changed = nullptr);
/// Replaces affine.delinearize_index and linearize_index inside `root` by arith. A failure has been
/// reported.
LogicalResult expandAffineIndexOps(Operation& root, bool* changed = nullptr);
/// Replaces all scf ops inside `root` by blocks and branches. A failure has been reported.
LogicalResult convertScfToCf(Operation& root, bool* changed = nullptr);
/// Replaces an scf.parallel by nested scf.for, the first dimension outermost; they carry what it
/// reduces. Attributes are dropped.
LogicalResult parallelToLoops(Operation& op, Rewriter& rewriter);
/// The same for an scf.forall. One with shared outputs is reported.
LogicalResult forallToLoops(Operation& op, Rewriter& rewriter);

}  // namespace airlite
