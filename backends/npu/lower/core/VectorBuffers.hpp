// Vectors in buffers of their own: a memref.global for each, of which each core has one. What no memory
// has as an element (i1, index) is kept as an integer.
#pragma once

#include "LaneBuilder.hpp"

#include <unordered_map>

namespace airlite::npu {

class VectorBuffers {
 public:
  /// Of the program `root`; buffers are made in `table` (an aie.device or builtin.module).
  VectorBuffers(LaneBuilder& build, Operation& root, Operation& table)
      : build_(build), root_(root), table_(table) {}

  Value makeBuffer(VectorType type);
  /// Null when it has none.
  Value bufferOf(Value vector) const;
  void setBuffer(Value vector, Value buffer) { buffers_[vector] = buffer; }
  /// A vector that a register holds is stored where it is made, into a new buffer.
  Value spill(Value vector);
  /// The result of an arith.constant, in a buffer that has its elements from the start.
  Value keepConstant(Operation& constant);
  /// Vectors that no rule knows and no register holds; an error has been reported at the first.
  bool failed() const { return failed_; }

  // -- Code at the insertion point --
  Value loadLane(Value buffer, VectorType type, const LanePosition& at);
  void storeLane(Value value, Value buffer, VectorType type, const LanePosition& at);
  /// A vector of the unit with the elements of a buffer.
  Value loadVector(Value buffer, VectorType type);
  void copyBuffer(Value to, Value from);

 private:
  LaneBuilder& build_;
  Operation& root_;
  Operation& table_;
  std::unordered_map<Value, Value> buffers_;
  bool failed_ = false;
};

}  // namespace airlite::npu
