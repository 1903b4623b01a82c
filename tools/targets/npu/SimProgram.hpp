// Programs on the simulated NPU: compiled in memory as airlite-compile does, run, and compared with
// the interpreter.
#pragma once

#include "../../common/Frontend.hpp"
#include "Sim.hpp"

#include <string>

namespace airlite::tools {

struct SimProgramRequest {
  const FrontendOptions& frontend;
  std::string function;  ///< that the interpreter runs; empty: the only one with a body, or main
  bool compareInterp = false;
  bool exact = false, floatBlocks = false;  ///< npu::CompileOptions
  std::string target;                       ///< the device that it is compiled for
  std::string tuned = {};                   ///< file of a choice for it
};

/// The exit code.
int runProgramOnSimulator(const SimProgramRequest& program, SimRequest request);

}  // namespace airlite::tools
