// Lanes that change their width or their place: conversions between integers of which one is twice as
// wide, halves of registers, shuffles (docs/hardware/vector_facts.md, sections 5, 6 and 9).
#pragma once

#include "RowPlaces.hpp"

#include <cstdint>

namespace airlite::npu::codegen {

class WidthSelector {
 public:
  WidthSelector(Emitter& emitter, Values& values, RowPlaces& rows, LaneConstants& lanes)
      : emitter_(emitter), values_(values), rows_(rows), lanes_(lanes) {}

  bool selectWiden(Operation& op);
  bool selectNarrow(Operation& op);
  bool selectSlice(Operation& op);
  bool selectShuffle(Operation& op);
  bool selectByteShift(Operation& op);
  bool selectLaneShift(Operation& op);

 private:
  bool checkSum(Operation& op, Type type);
  bool widenLanes(Operation& op);
  bool narrowLanes(Operation& op);
  bool turnLanes(Operation& op, int64_t by);
  void joinHalves(Operation& op);
  bool blendLanes(Operation& op, uint64_t second);
  void shiftLanes(Operand to, Operand row, Type type, uint32_t up, uint32_t down);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  LaneConstants& lanes_;
};

}  // namespace airlite::npu::codegen
