// The search of `airlite tune`: it compiles and measures one way of mapping a program after the other.
#pragma once

#include "airlite/npu/compile/Compile.hpp"
#include "airlite/npu/sim/array/Timing.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace airlite::tools {

/// One way that was tried.
struct TuneStep {
  unsigned number = 0;             ///< 0: what the compiler does by itself
  std::string recipe;              ///< passes; empty: the compiler's own
  std::optional<uint64_t> cycles;  ///< none: it does not compile, or takes more than the best one
  bool isSlower = false;           ///< it was given up, since it takes more than the best one
};

/// The best way so far.
struct Tuned {
  std::string recipe;  ///< empty: what the compiler does by itself
  uint64_t cycles = 0;
  uint64_t defaultCycles = 0;
  bool isInterrupted = false;  ///< nothing more was tried because of `wantsStop`
};

struct TuneOptions {
  npu::CompileOptions compile;  ///< target, exact, floatBlocks and objectFolders count
  bool bySimulator = false;     ///< who counts cycles; else the performance model
  unsigned most = 60;           ///< ways that are tried, besides the default
  double seconds = 0;           ///< after which no other way is tried; 0: never
  npu::sim::Timing timing = {};
  std::string first = {};                ///< what an earlier search has found: it is tried first
  std::function<bool()> wantsStop = {};  ///< asked often
  /// After each way; the second is the best one with it. False ends the search.
  std::function<bool(const TuneStep&, const Tuned&)> onStep = {};
};

/// The choice is never slower than what the compiler does by itself. An error when that cannot be measured.
Result<Tuned> tune(Operation& module, TuneOptions options);

}  // namespace airlite::tools
