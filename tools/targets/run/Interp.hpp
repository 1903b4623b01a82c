// Runs a program in the reference interpreter.
#pragma once

#include "Arguments.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/support/Result.hpp"

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

/// Runs `function` on `arguments` and changes their memory as the program does. An error when the run
/// fails or schedules disagree, without a message when that has been reported as a diagnostic.
Result<InterpOutcome> runOnInterpreter(Operation& module, Operation& function,
                                       std::vector<Argument>& arguments,
                                       const InterpRequest& request);

}  // namespace airlite::tools
