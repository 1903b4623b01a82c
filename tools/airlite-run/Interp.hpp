// Runs a program in the reference interpreter.
#pragma once

#include "Arguments.hpp"
#include "airlite/interp/Interpreter.hpp"

#include <string>
#include <vector>

namespace airlite::tools {

struct InterpRequest {
  interp::RunOptions run;
  unsigned schedules = 1;  // seeds run.seed, run.seed + 1, ...
};

struct InterpOutcome {
  std::vector<gpu::HostValue> results;
  uint64_t steps = 0, processes = 0;  // of the first schedule
  std::vector<interp::Datum> memory;  // what `results` point into
};

/// The layout of an argument or result here: tensors are given as memrefs are.
gpu::ArgLayout interpLayout(Type type);

/// Runs `function` on `arguments` and changes their memory as the program does. False when the run
/// fails or schedules disagree; `error` is empty when that has been reported as a diagnostic.
bool runOnInterpreter(Operation& module, Operation& function, std::vector<Argument>& arguments,
                      const InterpRequest& request, InterpOutcome& outcome, std::string& error);

}  // namespace airlite::tools
