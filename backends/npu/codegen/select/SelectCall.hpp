// Functions and calls: values travel in the registers of the public compilers' convention
// (isa/Abi.hpp).
#pragma once

#include "Values.hpp"

namespace airlite::npu::codegen {

class CallSelector {
 public:
  CallSelector(Emitter& emitter, Values& values, CoreState& state)
      : emitter_(emitter), values_(values), state_(state) {}

  /// The arguments of the function that is selected.
  bool takeArguments(Operation& function);
  bool selectCall(Operation& op);
  bool selectReturn(Operation& op);

 private:
  Emitter& emitter_;
  Values& values_;
  CoreState& state_;
};

}  // namespace airlite::npu::codegen
