// Modulo scheduling of a loop's body on virtual registers (Rau 1994, iterative modulo scheduling):
// rounds of the loop begin `interval` cycles after each other and overlap. Registers are chosen
// afterwards, so no register that selection happened to reuse holds the schedule back.
#pragma once

#include "Machine.hpp"
#include "airlite/npu/isa/Timing.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// What limits a loop, for remarks.
struct LoopBound {
  int slots = 1;       ///< cycles that the slots of the instructions need
  int recurrence = 1;  ///< cycles that results need which a later round reads
};

/// A schedule, with the forms that the instructions of the body have in it: those of other slots with
/// the same effect may be used.
struct ScheduledBody {
  LoopSchedule schedule;
  std::vector<isa::Form> forms;
  int64_t cycles = 0;  ///< of all rounds together
  bool waits = false;  ///< for banks of memory, now and then
};

/// How often a body runs.
struct RoundCount {
  uint32_t rounds = 0;
  uint32_t leftOut = 0;       ///< as LoopSchedule has it
  int64_t below = INT64_MAX;  ///< only schedules that take fewer cycles are of use
  bool isPair = false;        ///< each round is two of the program, one after the other
};

/// The schedules of a body that runs so often, best first, found when they are asked for. A
/// value never lives longer than one interval, so that no copies are needed.
class LoopSearch {
 public:
  LoopSearch(std::vector<MachineInst> body, std::span<const RegClass> classes,
             const RoundCount& count);
  ~LoopSearch();
  LoopSearch(LoopSearch&&) noexcept;
  LoopSearch& operator=(LoopSearch&&) noexcept;

  const LoopBound& bound() const;
  /// The one that takes fewest cycles of those that have not been rejected; null when there is
  /// none, for rounds that cannot overlap, or bodies with instructions that have to be alone, as
  /// locks.
  const ScheduledBody* best();
  /// The best one gets by without enough registers.
  void rejectBest();
  /// Why there is none.
  std::string why() const;
  /// Whether schedules were found that take more registers than there are.
  bool lacksRegisters() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// An access to a register by an instruction of the body.
struct RegisterAccess {
  int32_t number = -1;  ///< of the virtual register; -1: `timing.reg` is the register
  uint8_t parts = 15;   ///< as quartersOf has it
  isa::Access timing;   ///< what is read or written, and when
};

/// All accesses of an instruction whose operands may be virtual; none when the operands do not fit
/// its form, a mistake of selection that is reported when the instruction is made.
std::vector<RegisterAccess> registerAccesses(const MachineInst& inst,
                                             std::span<const RegClass> classes);

}  // namespace airlite::npu::codegen
