// Loops whose rounds overlap: bodies are made ready (invariants leave, copies and the counting go,
// pointers step while they are used), scheduled (ModuloSchedule.hpp) and become hardware loops.
//
//   while (n--) { load; multiply; store }   ->   load ; load, multiply ; [load, multiply, store] ; ...
//
// Registers are given afterwards (Interference.cpp knows the cycles in which a value lives); a loop
// that does not get its registers is scheduled again with a larger interval, or goes back to what
// it was.
#pragma once

#include "Machine.hpp"
#include "Schedule.hpp"

#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// What became of a loop, for remarks and for tests.
struct LoopReport {
  Location location;
  int interval = 0;    ///< cycles from round to round; 0: not pipelined
  int stages = 0;
  int slots = 0;       ///< the least interval that its instructions' slots allow
  int recurrence = 0;  ///< the least that results allow which later rounds need
  std::string why;     ///< not empty: the reason that the loop is not pipelined
};

/// Pipelines all loops of a function that gain by it. To be called once blocks are in order.
std::vector<LoopReport> pipelineLoops(MachineFunction& function);

/// Undoes or loosens the loops that use one of these registers, which found no place. True when
/// there were any: allocation begins anew then.
bool relaxLoops(MachineFunction& function, const std::vector<uint32_t>& registers);

/// The cycles of a pipelined loop on registers of the machine.
struct PipelinedCode {
  std::vector<Cycle> before;  ///< sets the loop up, and begins the first rounds
  std::vector<Cycle> loop;    ///< the hardware loop
  std::vector<Cycle> after;   ///< ends the last rounds
};
/// None with an `error` after a mistake of selection.
std::optional<PipelinedCode> expandLoop(const MachineBlock& block, std::string& error);

}  // namespace airlite::npu::codegen
