// From a file to verified IR, and what drivers tell while they work: -v and --timing.
#pragma once

#include "Session.hpp"
#include "airlite/ir/Operation.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace airlite::tools {

/// What every driver asks for.
struct FrontendOptions {
  std::string input = "-";
  std::string inputFormat = "auto";  // auto, text, json
  std::string dumpDir;               // numbered IR after each step; empty: none
  bool asyncTransfers = false;       // what blocks as it is written continues, see readProgramToRun
  bool verbose = false;
  bool timing = false;
  bool checkEach = false;  // of airlite-compile: compare what functions compute around each pass
  bool remarks = false;    // of airlite-compile: why passes did or did not act
  std::string pipeline;    // of airlite-compile: passes or a recipe of the user's
  DiagnosticOptions diagnostics;
};

void addFrontendOptions(CLI::App& app, FrontendOptions& options);

/// The program with its diagnostics reported; null when it cannot be read or is wrong.
/// `text` receives what was read.
OwningOp readProgram(Context& context, const FrontendOptions& options, std::string_view tool,
                     std::string& text);

/// Wall time of the steps of a driver. Steps follow each other, `next` ends the one before.
class Stopwatch {
 public:
  void next(std::string name);
  /// Ends the last step.
  void stop();
  /// One line per step and the total, on stderr.
  void print(std::string_view tool) const;

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<std::pair<std::string, double>> steps_;
  Clock::time_point start_;
  bool running_ = false;
};

}  // namespace airlite::tools
