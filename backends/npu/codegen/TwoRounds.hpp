// Two rounds of a loop's body as one, with registers of its own for what the second one computes.
// A value then may live for two intervals of the program's rounds: modulo variable expansion (Lam 1988), by two.
#pragma once

#include "Liveness.hpp"
#include "Machine.hpp"

#include <optional>
#include <span>
#include <vector>

namespace airlite::npu::codegen {

/// The instructions of a round, and after them those of the next one. `atEnd` lives at the end of
/// the body; the classes of the registers that the second round writes are added to `classes`. None for a body
/// that goes through rows of an odd number of rounds.
std::optional<std::vector<MachineInst>> twoRounds(std::span<const MachineInst> body,
                                                  std::vector<RegClass>& classes,
                                                  const LiveSet& atEnd);

}  // namespace airlite::npu::codegen
