// Structured ops on memrefs as loops of loads and stores: the rewrite of convert-linalg-to-loops
// and convert-linalg-to-affine-loops, for passes that need it for one op.
//
//   if (loopObstacle(*op.op()).empty()) lowerToLoops(op, rewriter);
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace airlite::linalg {

enum class LoopKind { Scf, Affine };

/// Why `op` cannot become loops; empty when it can.
std::string_view loopObstacle(Operation& op);
/// How the loops of an op are written.
struct LoopNest {
  /// The loops from the outermost on; empty: as they are.
  std::vector<unsigned> order;
  /// Of each loop: how many of its rounds the body holds, in their order; divides the loop's size. More than one only of
  /// reductions whose results no other operand reads: what they sum up is loaded before these rounds and stored after them.
  /// Empty: one of each.
  std::vector<int64_t> rounds;
};
/// Replaces `op` by loops in front of it; its body moves into them. There must be no obstacle.
void lowerToLoops(StructuredOp op, Rewriter& rewriter, LoopKind kind = LoopKind::Scf,
                  LoopNest nest = {});
/// How the loops of an op are to be written.
using LoopNestOf = std::function<LoopNest(StructuredOp)>;
/// Lowers all linalg ops inside `root`; one that has an obstacle is an error.
LogicalResult convertLinalgToLoops(Operation& root, LoopKind kind = LoopKind::Scf,
                                   const LoopNestOf& nestOf = {});

}  // namespace airlite::linalg
