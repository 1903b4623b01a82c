// From the forms of AIE2, which most of selection and frames write, to those of another instruction
// set. After this the schedules, which know latencies and slots from the forms, are those of the set.
#pragma once

#include "Machine.hpp"

#include <span>

namespace airlite::npu::codegen {

/// The instruction of `set` that has the text of an AIE2 form with these values: the first form
/// with the same mnemonic and shape that takes them. Fails when there is none.
Result<isa::Instruction> inSet(const isa::InstructionSet& set, isa::Form form,
                               std::span<const isa::Value> values);

/// Rewrites a function to forms of its set; what has them already stays. While registers are virtual,
/// what an immediate cannot hold goes through a new modifier of the block. Fails at what the set
/// lacks, with the location of the instruction.
struct NotInSet {
  std::string message;
  Location location;
};
std::optional<NotInSet> retarget(MachineFunction& function, bool areVirtual);

}  // namespace airlite::npu::codegen
