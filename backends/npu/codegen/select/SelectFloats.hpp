// Lanes of floats, through accumulators (docs/hardware/vector_facts.md, sections 3 to 8). Products of
// f32 are in SelectPieces.hpp.
#pragma once

#include "LateStores.hpp"
#include "RowPlaces.hpp"

#include <vector>

namespace airlite::npu::codegen {

class FloatSelector {
 public:
  FloatSelector(Emitter& emitter, Values& values, RowPlaces& rows, LaneConstants& lanes,
                LateStores& lateStores)
      : emitter_(emitter), values_(values), rows_(rows), lanes_(lanes), lateStores_(lateStores) {}

  bool selectFloatLanes(Operation& op);
  bool selectFloatWidth(Operation& op);
  bool selectFloatExtreme(Operation& op);
  /// A function that AIE2P has as an instruction.
  bool selectFunction(Operation& op);

 private:
  std::vector<Part> partsOf(Type type) const;
  void emitFunction(Operation& op, Operand half);
  static RegClass classOfSums(Part part);
  Operand sumsFor(Operand sums, Part part) const;
  bool leaveToStore(Operation& op, std::vector<Operand> sums);
  Operand widened(Operand vector, Part part, bool isF32);
  void narrowed(Operand to, Part part, Operand sums, bool isF32);
  Operand sumOfFloats(Operation& op, Part part, bool isF32);
  Operand withSigns(Type type, Operand product, Operand a, Operand b);
  void multiplyLanes(Operation& op);
  void multiplyBf16(Operation& op, Operand to, Part part);
  Operand selectLess16(Operand a, Operand b, Operand onSet, Operand onClear);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  LaneConstants& lanes_;
  LateStores& lateStores_;
};

}  // namespace airlite::npu::codegen
