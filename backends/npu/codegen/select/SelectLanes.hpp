// Lanes of integers in the slot mv, and what moves lanes of any kind: broadcasts, choices, the first lane.
#pragma once

#include "RowPlaces.hpp"

namespace airlite::npu::codegen {

class LaneSelector {
 public:
  LaneSelector(Emitter& emitter, Values& values, RowPlaces& rows)
      : emitter_(emitter), values_(values), rows_(rows) {}

  bool selectBroadcast(Operation& op);
  bool selectLanes(Operation& op);
  bool selectUnsignedExtreme(Operation& op);
  bool selectVectorCompare(Operation& op);
  bool selectVectorSelect(Operation& op);
  bool selectLaneCast(Operation& op);
  bool selectExtract(Operation& op);

 private:
  bool selectExtreme(Operation& op, bool isSigned);
  bool compareLanes(Operation& op, Operand mask);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
};

}  // namespace airlite::npu::codegen
