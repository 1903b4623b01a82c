// Structured ops on memrefs whose points of the parallel loops are computed apart from each other, by whoever has
// the number of a point: work-items of a grid, lanes of a wave.
//
//   PointWriter points(op, builder, {});
//   points.write(workItem);  // where workItem < points.count()
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::linalg {

/// Why the points of `op` cannot be computed apart from each other; empty when they can.
std::string_view pointObstacle(StructuredOp op);

/// How often a loop of `op` runs, and how often some of them run together: constants as far as they are known.
Value sizeOfLoop(StructuredOp op, unsigned loop, Builder& builder);
Value sizeOfLoops(StructuredOp op, std::span<const unsigned> loops, Builder& builder);

/// The loop along which neighbours of all results lie side by side, and of all operands that depend on it, so that several
/// of its rounds can be computed as vectors. Its size is known.
std::optional<unsigned> loopOfNeighbours(StructuredOp op);

/// Writes what one point computes, where the builder is; the op stays.
class PointWriter {
 public:
  /// `starts`: what all elements of each output are before; null: what is in memory. A point is so many rounds of
  /// `loopOfNeighbours` as `width`, which divides its size, as vectors; then all ops that use operands with that loop are
  /// elementwise.
  PointWriter(StructuredOp op, Builder& builder, std::span<const Value> starts, int64_t width = 1);

  Value count();
  /// Neighbours write neighbours of the last output; the other loops run in their order, and what they sum up
  /// is a value that is stored once.
  void write(Value point);

 private:
  std::vector<unsigned> parallelLoops() const;
  Value index(int64_t value);
  Value binary(std::string_view name, Value a, Value b);
  Value sizeOf(unsigned loop);
  void split(Value point);
  std::vector<Value> reduce(unsigned loop, const std::vector<Value>& before);
  std::vector<Value> computeElement(const std::vector<Value>& before);
  /// As a vector where an operand is one.
  void cloneWide(Operation& inner, IRMapping& mapping);
  VectorType vectorOf(Type element) const;
  Value widened(Value value);
  Value load(unsigned operand);
  void store(Value value, unsigned operand);
  std::vector<Value> indicesOf(unsigned operand);
  Value indexOf(AffineExpr expr);

  StructuredOp op_;
  Builder& builder_;
  std::vector<Value> starts_;
  std::vector<AffineMap> maps_;
  std::vector<unsigned> parallel_;  ///< in the order of the number of a point
  int64_t width_;
  std::vector<Value> ivs_;
};

}  // namespace airlite::linalg
