// The part of the stack that a function has for itself.
#pragma once

#include "Machine.hpp"

namespace airlite::npu::codegen {

struct Frame {
  uint32_t bytes = 0;
};

/// Gives each slot its place, makes room for them at the entry of the function and gives it back
/// before it returns; keeps the registers that belong to the caller. `stackAddress` is where the
/// stack of the core begins: the core itself sets sp. None when a slot is farther from sp than an
/// instruction reaches.
bool buildFrame(MachineFunction& function, uint32_t stackAddress, Frame& frame);

}  // namespace airlite::npu::codegen
