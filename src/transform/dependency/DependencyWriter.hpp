// Writes what air-dependency has found into the program.
#pragma once

#include "DependencyGraph.hpp"
#include "airlite/ir/Builder.hpp"

namespace airlite::air::dependency {

/// Makes the ops of a graph asynchronous and gives them their dependency lists, block by block in
/// the order of the program.
class Writer {
 public:
  Writer(const Graph& graph, Type tokenType)
      : tokenType_(tokenType), search_(static_cast<unsigned>(graph.numNodes())) {}

  /// `incoming`: the token that stands for what is outside; null where nothing comes in.
  void write(Scope& scope, Value incoming);

 private:
  void write(Node& node, Value incoming, Operation* next);
  std::vector<Value> tokensFor(Node& node, Value incoming);
  void writeWrapped(Node& node, std::span<const Value> tokens);
  void writeBlocking(Operation& op, std::span<const Value> tokens);
  void writeExisting(Node& node, std::span<const Value> tokens);
  void writeFor(Node& node, std::span<const Value> tokens);
  void writeIf(Node& node, std::span<const Value> tokens);
  void writeParallel(Node& node, std::span<const Value> tokens);
  Value join(Operation& before, std::span<const Value> tokens);
  /// Joins what nothing in the scope comes after, at the end of it.
  Value joinSinks(Scope& scope, Value incoming, Operation& before);
  void waitAtEnd(Scope& scope);
  void addReduction(Operation& reduce, Value token);

  Type tokenType_;
  unsigned search_;
};

}  // namespace airlite::air::dependency
