// Loops whose rounds overlap: bodies are made ready (invariants leave, copies and the counting go,
// pointers step while they are used), scheduled (ModuloSchedule.hpp) and become hardware loops.
//
//   while (n--) { load; multiply; store }   ->   load ; load, multiply ; [load, multiply, store] ; ...
//
// Registers are given afterwards (Interference.cpp knows the cycles in which a value lives). When a
// loop does not get its registers, all begins anew with another schedule for it, or without one.
#pragma once

#include "LongLives.hpp"
#include "Machine.hpp"
#include "ModuloSchedule.hpp"
#include "Schedule.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// A loop as it is to be scheduled, and the search for its schedules. The classes of its registers
/// are those of the function that it was made for.
struct LoopPlan {
  std::vector<MachineInst> body;  ///< as it was before long lives were cut
  RoundCount count;
  ShortLives lives;
  LoopSearch search;
  bool sharesRegisters = false;  ///< ShareRegisters.hpp
};
/// The plans for one loop: as it is, and others where these may take less.
struct LoopPlans {
  std::vector<LoopPlan> all;
  size_t taken = 0;  ///< the one that has the best schedule

  void rejectBest() { all[taken].search.rejectBest(); }
};
/// By block: what found no registers is not tried again.
using LoopSearches = std::map<uint32_t, LoopPlans>;

/// Which loops are pipelined, and how.
struct LoopChoice {
  bool pairsRounds = true;  ///< two rounds may become one
  std::set<uint32_t>
      plain;  ///< blocks whose rounds do not overlap: program memory has no room for them
};

/// Pipelines all loops of a function that gain by it. To be called once blocks are in order.
std::vector<LoopReport> pipelineLoops(MachineFunction& function, LoopSearches& searches,
                                      const LoopChoice& choice);

/// A loop that was pipelined.
struct PipelinedLoop {
  uint32_t block = 0;
  /// Cycles that it saves for each cycle of program memory that it takes, roughly: a loop around runs eight rounds.
  double worth = 0;
};
std::vector<PipelinedLoop> pipelinedLoops(const MachineFunction& function);

/// The pipelined loops that use one of these registers, which found no place.
std::vector<uint32_t> loopsWith(const MachineFunction& function,
                                const std::vector<uint32_t>& registers);

/// The cycles of a pipelined loop on registers of the machine.
struct PipelinedCode {
  std::vector<Cycle> before;  ///< sets the loop up, and begins the first rounds
  std::vector<Cycle> loop;    ///< the hardware loop
  std::vector<Cycle> after;   ///< ends the last rounds
};
/// Fails after a mistake of selection.
Result<PipelinedCode> expandLoop(const MachineBlock& block, const isa::InstructionSet& set);

}  // namespace airlite::npu::codegen
