// Loops whose rounds overlap: bodies are made ready (invariants leave, copies and the counting go,
// pointers step while they are used), scheduled (ModuloSchedule.hpp) and become hardware loops.
//
//   while (n--) { load; multiply; store }   ->   load ; load, multiply ; [load, multiply, store] ; ...
//
// Registers are given afterwards (Interference.cpp knows the cycles in which a value lives). When a
// loop does not get its registers, all begins anew with a larger interval for it, or without it.
#pragma once

#include "Machine.hpp"
#include "Schedule.hpp"

#include <map>
#include <optional>
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

/// What is not to be tried again, by block: intervals smaller than these, and loops at all.
class LoopLimits {
 public:
  int smallestInterval(uint32_t block) const;
  bool isExcluded(uint32_t block) const;
  /// A loop with this schedule got no registers: it may have a larger interval, some times.
  void loosen(uint32_t block, const LoopSchedule& schedule);

 private:
  struct Limit {
    int interval = 1, tries = 0;
  };
  std::map<uint32_t, Limit> limits_;
};

/// Pipelines all loops of a function that gain by it. To be called once blocks are in order.
std::vector<LoopReport> pipelineLoops(MachineFunction& function, const LoopLimits& limits);

/// The pipelined loops that use one of these registers, which found no place.
std::vector<uint32_t> loopsWith(const MachineFunction& function,
                                const std::vector<uint32_t>& registers);

/// The cycles of a pipelined loop on registers of the machine.
struct PipelinedCode {
  std::vector<Cycle> before;  ///< sets the loop up, and begins the first rounds
  std::vector<Cycle> loop;    ///< the hardware loop
  std::vector<Cycle> after;   ///< ends the last rounds
};
/// None with an `error` after a mistake of selection.
std::optional<PipelinedCode> expandLoop(const MachineBlock& block, std::string& error);

}  // namespace airlite::npu::codegen
