// What the command line of airlite-run asks for.
#pragma once

#include "../common/Frontend.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::tools {

struct RunRequest {
  FrontendOptions frontend;
  std::string function;
  std::string on;  ///< the place
  std::vector<std::string> inputs, shapes, outputs, expects;
  std::string init;
  double relative = 0, absolute = 0;  ///< differences that are allowed
  // On the host:
  std::string order = "forward";
  unsigned threads = 0;
  bool progress = false;
  /// The GPU that kernels are made for, of a program without launches; or the NPU (--on=sim, xrt).
  std::string target;
  // In the interpreter:
  uint64_t seed = 0, maxSteps = 0;
  unsigned schedules = 1;
  std::string levels = "outer";
  std::string ranks = "one-process";  ///< how the ranks of a program run
  std::string schedule;               ///< file
  // On an NPU, simulated or not:
  std::string instructions;  ///< file, with an image
  std::string xrtLibrary;
  std::string tuned;    ///< file of a choice
  std::string machine;  ///< file that describes one, for --on=model
  bool reverseTiles = false, sanitize = false, stats = false, profile = false, exact = false,
       floatBlocks = false;
  uint64_t cycles = 0;
  std::vector<std::string> timing;  ///< "NAME=N"
  std::string trace, compare;
  std::string record, view;  ///< files

  /// Options that mean something for the simulator alone.
  static constexpr const char* kSimulatorOptions =
      "--reverse-tiles, --sanitize, --cycles, --stats, --profile, --sim-timing, --trace, --record "
      "and --view";
  bool hasSimulatorOptions() const {
    return reverseTiles || sanitize || stats || profile || cycles != 0 || !trace.empty() ||
           !timing.empty() || !record.empty() || !view.empty();
  }
};

}  // namespace airlite::tools
