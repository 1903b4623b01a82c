// In which order blocks lie, and what jumps that takes.
#pragma once

#include "Machine.hpp"
#include "Schedule.hpp"

#include <vector>

namespace airlite::npu::codegen {

/// Drops blocks that are never reached, jumps past empty ones, and puts those that jump to each
/// other one after the other.
void orderBlocks(MachineFunction& function);

/// How block `number` continues when blocks lie in their order: one exit, or two when it needs a
/// second jump after its own.
std::vector<Exit> exitsOf(const MachineFunction& function, uint32_t number);

}  // namespace airlite::npu::codegen
