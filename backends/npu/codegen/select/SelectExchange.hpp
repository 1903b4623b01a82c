// What a core exchanges with others: locks, streams and the cascade.
#pragma once

#include "RowPlaces.hpp"

namespace airlite::npu::codegen {

class ExchangeSelector {
 public:
  ExchangeSelector(Emitter& emitter, Values& values, RowPlaces& rows,
                   const CoreSurroundings& surroundings)
      : emitter_(emitter), values_(values), rows_(rows), surroundings_(surroundings) {}

  bool selectLock(Operation& op);
  bool selectStream(Operation& op);
  bool selectCascadeGet(Operation& op);
  bool selectCascadePut(Operation& op);

 private:
  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  const CoreSurroundings& surroundings_;
};

}  // namespace airlite::npu::codegen
