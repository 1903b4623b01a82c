// Products of the matrix unit: vector.contract on tiles of its shapes, with sums in accumulators. Tiles
// are rows of elements in registers; that they have two dimensions is a matter of types.
#pragma once

#include "RowPlaces.hpp"

namespace airlite::npu::codegen {

class MatrixSelector {
 public:
  MatrixSelector(Emitter& emitter, Values& values, RowPlaces& rows)
      : emitter_(emitter), values_(values), rows_(rows) {}

  bool selectContract(Operation& op);
  bool selectShapeCast(Operation& op);

 private:
  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
};

}  // namespace airlite::npu::codegen
