// Runs a program in the reference interpreter.
#pragma once

#include "Arguments.hpp"
#include "airlite/interp/Interpreter.hpp"

#include <string>
#include <vector>

namespace airlite::tools {

/// One order to run in, and what it is called in messages.
struct InterpSchedule {
  interp::RunOptions run;
  std::string name;  // "seed 3"
};

struct InterpRequest {
  std::vector<InterpSchedule> schedules;  // at least one
};

struct InterpOutcome {
  std::vector<HostValue> results;
  uint64_t steps = 0, processes = 0;  // of the first schedule
  std::vector<interp::Datum> memory;  // what `results` point into
};

/// `count` seeds from that of `run` on.
std::vector<InterpSchedule> schedulesOfSeeds(const interp::RunOptions& run, unsigned count);

/// The layout of an argument or result here: tensors are given as memrefs are.
ArgLayout interpLayout(Type type);

/// Runs `function` on `arguments` and changes their memory as the program does. False when the run
/// fails or schedules disagree; `error` is empty when that has been reported as a diagnostic.
bool runOnInterpreter(Operation& module, Operation& function, std::vector<Argument>& arguments,
                      const InterpRequest& request, InterpOutcome& outcome, std::string& error);

}  // namespace airlite::tools
