// What waits for what in a launch, with buffers that are filled and drained in steps.
#pragma once

#include "BufferStepOrder.hpp"

#include <unordered_set>

namespace airlite::air {

/// An edge leads from what comes first to what waits for it: tokens, values, control, the two sides
/// of a channel, and the steps. There may be more edges than reasons to wait, never fewer.
struct StepGraph {
  struct Node {
    Operation* op = nullptr;  // null: a channel, or the steps of a buffer
    bool isInside = false;    // of the op, which is a loop: what it carries
    std::vector<unsigned> next;
  };

  std::vector<Node> nodes;
  /// Of each buffer: a node between its steps.
  std::vector<unsigned> steps;
};

/// The graph as it will be when the loops of each of `buffers` are one; of one iteration of the
/// loops in `opened`. O(ops in `launch`).
StepGraph stepGraphOf(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                      const ChannelUsers& users, const std::unordered_set<Operation*>& opened);

/// Numbers of the strongly connected parts, one for each node (Tarjan, without recursion).
std::vector<unsigned> findParts(const StepGraph& graph);

}  // namespace airlite::air
