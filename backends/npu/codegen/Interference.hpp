// Which virtual registers may not share a register of the machine, and what each would like.
#pragma once

#include "Machine.hpp"
#include "airlite/npu/isa/Tables.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu::codegen {

/// What is known of one virtual register.
struct RegisterNode {
  std::vector<uint32_t> neighbours;  ///< of the same class, that live at the same time
  isa::Storage taken;                ///< of the machine's registers, at some time of its life
  std::vector<Operand> partners;     ///< that it is copied to or from: best in the same place
  double cost = 0;                   ///< of keeping it in memory: accesses, weighted by loops
};

struct Interference {
  std::vector<RegisterNode> nodes;  ///< by virtual register
};

/// Removes instructions whose results no one reads on the way.
Interference buildInterference(MachineFunction& function);

}  // namespace airlite::npu::codegen
