// Vectors in the kind of register that an instruction reads: rows of f32 lie in a vector register or in
// half of an accumulator (homeOf in Queries.hpp) and are copied to the other once in each block.
#pragma once

#include "Emitter.hpp"
#include "LaneConstants.hpp"
#include "Values.hpp"

namespace airlite::npu::codegen {

class RowPlaces {
 public:
  RowPlaces(Emitter& emitter, Values& values, LaneConstants& lanes)
      : emitter_(emitter), values_(values), lanes_(lanes), copies_(emitter) {}

  /// In a vector register.
  Operand rowOf(Value value);
  /// In half of an accumulator; of rows of f32.
  Operand sumOf(Value value);
  /// The 256 bits that hold the value, or its lower half.
  Operand halfOf(Value value);
  bool isInSum(Operand operand) const;

 private:
  Operand copied(Value value, Operand home, RegClass toClass);

  Emitter& emitter_;
  Values& values_;
  LaneConstants& lanes_;
  BlockCache<const void*> copies_;  ///< by value
};

}  // namespace airlite::npu::codegen
