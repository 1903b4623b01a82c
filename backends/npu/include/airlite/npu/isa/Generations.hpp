// Which instruction set the cores of a device have.
//
//   const InstructionSet* set = instructionSetOf(device.generation);
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/npu/isa/Tables.hpp"

namespace airlite::npu::isa {

/// Null for the first generation, whose instructions are not known here.
inline const InstructionSet* instructionSetOf(aie::Generation generation) {
  switch (generation) {
    case aie::Generation::Aie1: break;
    case aie::Generation::Aie2: return &aie2();
    case aie::Generation::Aie2p: return &aie2p();
  }
  return nullptr;
}

}  // namespace airlite::npu::isa
