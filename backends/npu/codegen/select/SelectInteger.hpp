// Integers: one instruction for most, after what it reads has been extended to 32 bits where the upper
// ones count.
#pragma once

#include "Emitter.hpp"
#include "Values.hpp"

namespace airlite::npu::codegen {

class IntegerSelector {
 public:
  IntegerSelector(Emitter& emitter, Values& values) : emitter_(emitter), values_(values) {}

  bool selectAdd(Operation& op);
  bool selectSub(Operation& op);
  bool selectBinary(Operation& op);
  bool selectShift(Operation& op);
  bool selectDivision(Operation& op);
  bool selectCompare(Operation& op);
  bool selectSelect(Operation& op);
  bool selectMinMax(Operation& op);
  bool selectLeadingZeros(Operation& op);
  bool selectExtend(Operation& op);
  bool selectCopy(Operation& op);

 private:
  struct Division {
    Operand quotient, remainder;
  };
  Division divide(Operand dividend, Operand divisor);
  Operand negatedIf(Operand value, Operand sign);
  void compareInto(Operand to, Operation& op);

  Emitter& emitter_;
  Values& values_;
};

}  // namespace airlite::npu::codegen
