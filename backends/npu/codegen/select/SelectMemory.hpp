// Loads and stores of scalars, and the memrefs that are not those of the device.
#pragma once

#include "Addressing.hpp"

namespace airlite::npu::codegen {

class MemorySelector {
 public:
  MemorySelector(Emitter& emitter, Values& values, Addressing& addressing, CoreState& state)
      : emitter_(emitter), values_(values), addressing_(addressing), state_(state) {}

  bool selectLoad(Operation& op);
  bool selectStore(Operation& op);
  bool selectGlobal(Operation& op);
  bool selectMemoryCast(Operation& op);

 private:
  Emitter& emitter_;
  Values& values_;
  Addressing& addressing_;
  CoreState& state_;
};

}  // namespace airlite::npu::codegen
