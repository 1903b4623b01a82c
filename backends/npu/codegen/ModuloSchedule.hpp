// Modulo scheduling of a loop's body on virtual registers (Rau 1994, iterative modulo scheduling):
// rounds of the loop begin `interval` cycles after each other and overlap. Registers are chosen
// afterwards, so no register that selection happened to reuse holds the schedule back.
#pragma once

#include "Machine.hpp"

#include <optional>
#include <string>

namespace airlite::npu::codegen {

/// What limits a loop, for remarks.
struct LoopBound {
  int slots = 1;        ///< cycles that the slots of the instructions need
  int recurrence = 1;   ///< cycles that results need which a later round reads
};

struct ModuloLimits {
  int smallest = 1;      ///< interval to begin with
  int largest = 128;     ///< interval at which the search ends
  uint32_t rounds = 0;   ///< of the loop: at most that many stages
};

/// The schedule with the smallest interval that is found. Forms of instructions may change to those
/// of other slots with the same effect. A value never lives longer than one interval, so that no
/// copies are needed. None when there is no such schedule within the limits, or when the body has
/// instructions that have to be alone, as locks; `why` says so then.
std::optional<LoopSchedule> moduloSchedule(std::vector<MachineInst>& body,
                                           std::span<const RegClass> classes,
                                           const ModuloLimits& limits, LoopBound& bound,
                                           std::string& why);

/// An access to a register by an instruction of the body.
struct RegisterAccess {
  int32_t number = -1;  ///< of the virtual register; -1: `reg`
  uint8_t parts = 15;   ///< as quartersOf has it
  isa::Reg reg{};       ///< a register of the machine
  bool isDef = false;
  uint8_t cycle = 1;  ///< as in isa::Access
  char bypass = '-';
};

/// All accesses of an instruction whose operands may be virtual; empty with an `error` when the
/// operands do not fit its form, which would be a mistake of selection.
std::vector<RegisterAccess> registerAccesses(const MachineInst& inst,
                                             std::span<const RegClass> classes,
                                             std::string& error);

}  // namespace airlite::npu::codegen
