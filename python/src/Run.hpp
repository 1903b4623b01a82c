// One run of a program, whoever runs it.
#pragma once

#include "Arrays.hpp"
#include "Compiled.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace airlite::python {

/// The arguments of a call, checked against what the function takes.
std::vector<Given> bindArguments(const std::vector<ArgLayout>& params, const py::args& values);
void finishArguments(std::vector<Given>& arguments);

inline double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct SimulationRequest {
  bool statistics = false, trace = false, reverseTiles = false;
  bool estimates = false;   ///< by the performance model: buffers stay as they are
  uint64_t cycleLimit = 0;  ///< 0: that of the simulator
  std::string xrtLibrary;
};

/// Runs the design of a compilation; a dict with results, cycles and what was asked for.
py::dict runSimulated(const Compiled& compiled, const py::args& values,
                      const SimulationRequest& request);
py::dict runOnDevice(const Compiled& compiled, const py::args& values,
                     const SimulationRequest& request);

}  // namespace airlite::python
