// Which tokens of a program fire in which order, in every run.
//
//   graph::TokenOrder order(function);
//   if (order.isImplied(earlier, later)) drop(earlier);  // `later` waits for it anyway
#pragma once

#include "airlite/graph/Algorithms.hpp"
#include "airlite/ir/Operation.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace airlite::graph {

/// What the token lists of a program prove: a token fires after those that its op waits for.
/// Through loops and conditionals only what holds in every run counts: a result fires after what
/// the body waits for where the body runs for certain, or where the initial token (all branches)
/// says the same. The order of blocking ops and channels prove nothing here. Memory and time to
/// make one are linear in the program (times the nesting of loops that carry tokens).
class TokenOrder {
 public:
  explicit TokenOrder(Operation& root);

  /// `earlier` has fired when `later` does, in every run; also of a token and itself. False when it
  /// is not proven.
  bool isImplied(Value earlier, Value later);
  /// `tokens` without those that have fired anyway when the others have, and without repetitions.
  std::vector<Value> latest(std::span<const Value> tokens);

 private:
  class Builder;
  NodeId find(Value token) const;

  std::unordered_map<Value, NodeId> vertexOf_;
  std::vector<Value> tokens_;  // of each vertex
  Reachability reachability_{Digraph()};
};

}  // namespace airlite::graph
