// Values of a loop's body that live one after the other share registers before the loop is scheduled.
// A modulo schedule knows nothing of how many registers there are. Where all schedules keep too many
// values alive, a body whose values share as many registers as there are has dependences that no
// schedule breaks: its rounds overlap less, but they do.
#pragma once

#include "Liveness.hpp"
#include "Machine.hpp"

#include <span>
#include <vector>

namespace airlite::npu::codegen {

/// The body with vectors and accumulators of AIE2P in as few registers as its order allows, though not
/// fewer than the machine has. `atEnd`: what lives on after a round, which keeps its register.
std::vector<MachineInst> shareRegisters(std::vector<MachineInst> body,
                                        std::span<const RegClass> classes, const LiveSet& atEnd);

}  // namespace airlite::npu::codegen
