// Structured ops with several outputs as several ops with one output each.
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <optional>
#include <vector>

namespace airlite::tiling {

/// What computes one output of an op.
struct OutputPart {
  unsigned output = 0;
  std::vector<Operation*> body;  ///< ops of the body, in their order
  std::vector<unsigned> inputs;  ///< that they read
  std::vector<unsigned> before,
      after;  ///< other outputs that are read as they were, or as they become
};

/// Each output of a linalg.generic on buffers as an op of its own that combines what it has so far with what the inputs give, as
/// sums of rows and of their squares are; none where one of them needs another one.
std::optional<std::vector<OutputPart>> sumsApart(linalg::StructuredOp op);

/// The same of an op without reductions whose outputs lie alike. What others of them become is read from memory instead of being computed again.
/// In an order in which nothing is written that is read later as it was; none where there is no such order.
std::optional<std::vector<OutputPart>> elementsApart(linalg::StructuredOp op);

/// Writes the parts in place of the op.
void writeApart(Rewriter& rewriter, linalg::StructuredOp op, const std::vector<OutputPart>& parts);

}  // namespace airlite::tiling
