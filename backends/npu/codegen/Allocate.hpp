// Virtual registers to registers of the machine.
#pragma once

#include "Interference.hpp"
#include "Machine.hpp"

namespace airlite::npu::codegen {

/// Replaces every virtual register; what finds no room goes to slots of the stack, constants are
/// made again where they are read. Copies of a register to itself go away, and so does what no one
/// reads. False when it comes to no end, which a single instruction with more registers than there
/// are would cause, and when pipelined loops (`loops`) do not get their registers: there is no room
/// in them for loads and stores.
bool allocateRegisters(MachineFunction& function, std::vector<uint32_t>& loops);

/// The virtual registers with a place, by number; None where there was no room.
struct Coloring {
  std::vector<isa::Reg> places;
  std::vector<uint32_t> spilled;
};

/// Puts the registers `spilled` into memory (or makes constants anew); the short registers that
/// this needs are added to `isShort`. Those that do not interfere share places.
void spillRegisters(MachineFunction& function, const std::vector<uint32_t>& spilled,
                    const Interference& graph, std::vector<bool>& isShort);

}  // namespace airlite::npu::codegen
