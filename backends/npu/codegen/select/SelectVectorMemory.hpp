// Loads and stores of vectors, with the changes of width that their instructions can make.
#pragma once

#include "Addressing.hpp"
#include "LateStores.hpp"
#include "RowPlaces.hpp"

namespace airlite::npu::codegen {

class VectorMemorySelector {
 public:
  VectorMemorySelector(Emitter& emitter, Values& values, RowPlaces& rows, Addressing& addressing,
                       const LateStores& lateStores)
      : emitter_(emitter),
        values_(values),
        rows_(rows),
        addressing_(addressing),
        lateStores_(lateStores) {}

  bool selectVectorLoad(Operation& op);
  bool selectVectorStore(Operation& op);

 private:
  bool checkSum(Operation& op, Type type);
  bool storeSums(Operation& op, const LateStores::Sums& sums);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  Addressing& addressing_;
  const LateStores& lateStores_;
};

}  // namespace airlite::npu::codegen
