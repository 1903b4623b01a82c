// Scalar ops that compute with the positions of vectors: index arithmetic, conditions, loops over all
// positions, elements of memory. It knows nothing of how a vector is kept.
#pragma once

#include "airlite/ir/Rewriter.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// A position in a vector: an index for each dimension, or its number in row-major order.
struct LanePosition {
  std::vector<Value> index;
  Value linear;
};

/// Sizes of the dimensions of a vector; empty for a scalar.
using LaneShape = std::vector<int64_t>;
LaneShape laneShapeOf(Value value);

class LaneBuilder {
 public:
  using Body = std::function<void(const LanePosition&)>;
  using Fold = std::function<Value(const LanePosition&, Value)>;

  explicit LaneBuilder(Context& context) : rewriter_(context) {}

  /// Ops are made at its insertion point.
  Rewriter& rewriter() { return rewriter_; }
  /// Of the ops that are made.
  void setLocation(Location location) { location_ = location; }
  Location location() const { return location_; }

  // -- Small ops --
  Value number(int64_t value) { return rewriter_.constantIndex(location_, value); }
  Value constant(Attribute value) { return rewriter_.constant(location_, value); }
  Value make(std::string_view name, std::vector<Value> operands, Type type);
  Value add(Value a, Value b);
  Value scaled(Value index, int64_t factor, int64_t offset = 0);
  Value less(Value index, Value size, bool isUnsigned);
  /// Null stands for a condition that always holds.
  Value both(Value a, Value b);
  Value indexOfLane(Value lane);
  /// By an op of the kind of a reduction; the verifier has seen that it fits the elements.
  Value combine(std::string_view kind, Value a, Value b);
  Value widened(Value value, Type type);
  /// `yes()` where the condition holds, else `no()`.
  Value choose(Value condition, Type type, const std::function<Value()>& yes,
               const std::function<Value()>& no);
  void when(Value condition, const std::function<void()>& body);

  // -- Positions and loops --
  Value linearOf(const LanePosition& at, const LaneShape& shape);
  std::vector<Value> indexOf(const LanePosition& at, const LaneShape& shape);
  LanePosition constantPosition(int64_t linear) { return {{}, number(linear)}; }
  void forEach(const LaneShape& shape, const Body& body);
  /// One loop over all lanes, whatever the dimensions.
  void forEachLinear(const LaneShape& shape, const Body& body);
  /// `value = fold(position, value)` over a shape, in row-major order.
  Value reduce(const LaneShape& shape, Value value, const Fold& fold, int64_t first = 0);

  // -- Memory --
  Value loadElement(Value memory, const std::vector<Value>& indices);
  void storeElement(Value value, Value memory, const std::vector<Value>& indices);
  /// The size of a dimension of memory.
  Value sizeOf(Value memory, unsigned dim);

 private:
  Value reduceFrom(const LaneShape& shape, LanePosition& at, Value value, const Fold& fold,
                   int64_t first);

  Rewriter rewriter_;
  Location location_;
};

}  // namespace airlite::npu
