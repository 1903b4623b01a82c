// Runs a design by the bytes that a driver loads: on the simulated NPU, or on one of this machine.
#pragma once

#include "../run/Arguments.hpp"
#include "../run/Compare.hpp"
#include "NpuDesign.hpp"
#include "RunRecord.hpp"
#include "airlite/npu/sim/array/Timing.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace airlite::tools {

struct SimRequest {
  /// "A=a.npy" or "0=a.npy": names are those of the design.
  std::vector<std::string> inputs, shapes, outputs, expects;
  ArgumentRequest arguments;  ///< how the others are filled
  Tolerance tolerance;
  bool reverseTiles = false;
  bool sanitize = false;
  uint64_t cycles = 0;  ///< 0: the simulator's limit
  npu::sim::Timing timing;
  /// By the performance model: no values, and what it would take as a line.
  bool estimates = false;
  bool onDevice = false;   ///< by XRT
  std::string xrtLibrary;  ///< empty: where the system finds it
  bool stats = false;
  bool profile = false;  ///< a table of the cycles of cores by line
  std::string trace;     ///< file for a trace; empty: none
  /// Files for what the run did, as data and as a page; empty: none.
  std::string record, view;
  SourceText program = {};  ///< that was compiled; of files alone it is not known
  bool verbose = false;
  /// Looks at the arguments before and after the run; an exit code.
  std::function<int(const std::vector<Argument>& before, const std::vector<Argument>& after)>
      check = {};

  bool wantsRecord() const { return !record.empty() || !view.empty(); }
};

/// The texts of `request` by position; `names` are those of arguments.
Result<void> readAllPositions(const SimRequest& request, const std::vector<std::string>& names,
                              ArgumentRequest& arguments);

/// Loads, runs, delivers. Faults and hangs are told with the lines that they come from. The exit
/// code.
int runDesign(const NpuDesign& design, SimRequest request);

}  // namespace airlite::tools
