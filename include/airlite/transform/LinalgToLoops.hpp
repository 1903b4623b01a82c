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
/// Replaces `op` by loops in front of it; its body moves into them. There must be no obstacle.
/// `order`: its loops from the outermost on; empty: as they are.
void lowerToLoops(StructuredOp op, Rewriter& rewriter, LoopKind kind = LoopKind::Scf,
                  std::vector<unsigned> order = {});
/// Which order the loops of an op get.
using LoopOrder = std::function<std::vector<unsigned>(StructuredOp)>;
/// Lowers all linalg ops inside `root`; one that has an obstacle is an error.
LogicalResult convertLinalgToLoops(Operation& root, LoopKind kind = LoopKind::Scf,
                                   const LoopOrder& orderOf = {});

}  // namespace airlite::linalg
