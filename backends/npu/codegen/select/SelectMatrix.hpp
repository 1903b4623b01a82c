// Products of the matrix unit: vector.contract on tiles of its shapes, with sums in accumulators. Tiles
// are rows of elements in registers; that they have two dimensions is a matter of types.
#pragma once

#include "RegisterRing.hpp"
#include "RowPlaces.hpp"

#include <cstdint>
#include <utility>

namespace airlite::npu::codegen {

class MatrixSelector {
 public:
  MatrixSelector(Emitter& emitter, Values& values, RowPlaces& rows)
      : emitter_(emitter),
        values_(values),
        rows_(rows),
        columns_(emitter),
        spreads_(emitter, RegClass::VectorPair, kSpreads) {}

  bool selectContract(Operation& op);
  bool selectShapeCast(Operation& op);

 private:
  Operand spreadColumn(Value tile, int64_t column);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  BlockCache<std::pair<int32_t, int64_t>> columns_;  ///< by the register of a tile, and the column
  static constexpr size_t kSpreads = 2;
  RegisterRing spreads_;
};

}  // namespace airlite::npu::codegen
