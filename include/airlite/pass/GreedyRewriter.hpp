// The greedy driver: folds, removes dead ops and applies patterns until nothing changes.
//
//   const RootedPattern patterns[] = {{"arith.addi", {"add-of-zero", addOfZero}}};
//   bool changed = applyPatterns(function, patterns).changed;
#pragma once

#include "airlite/ir/Rewriter.hpp"

#include <functional>
#include <span>
#include <vector>

namespace airlite {

/// A pattern with the op it is rooted at (empty: any op).
struct RootedPattern {
  std::string_view root;
  RewritePattern pattern;
};

struct GreedyOptions {
  bool fold = true;             // and remove trivially dead ops, and unique constants
  bool simplifyRegions = true;  // unreachable blocks, blocks merged into their predecessor
  bool topDown = true;
  unsigned maxIterations = 10;
  unsigned maxRewrites = 1u << 30;
};

struct GreedyOutcome {
  bool changed = false;
  bool converged = true;  // false: an iteration limit was hit
};

/// Applies the canonicalization patterns of the ops' definitions.
GreedyOutcome applyCanonicalization(Operation& scope, const GreedyOptions& options = {});
/// Applies these patterns (definitions' patterns are not used).
GreedyOutcome applyPatterns(Operation& scope, std::span<const RootedPattern> patterns,
                            const GreedyOptions& options = {});

}  // namespace airlite
