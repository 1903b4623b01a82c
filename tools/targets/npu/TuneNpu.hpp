// airlite tune: tries the ways in which a program can be mapped, and keeps the fastest one.
#pragma once

#include "../CompileRequest.hpp"
#include "airlite/npu/sim/array/Timing.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace airlite::tools {

struct TuneRequest {
  CompileRequest compile;  ///< the program; its output is the file of the choice
  std::string by = "model";
  unsigned most = 60;               ///< ways that are tried, besides the default
  double seconds = 0;               ///< after which no other way is tried; 0: never
  std::vector<std::string> timing;  ///< "NAME=N"
};

/// An exit code.
int tuneForNpu(const CLI::App& app, const TuneRequest& request);

/// Reads a choice for that device, and puts its passes in place of the recipe. `text` is the program: one
/// that was made for another program is a warning. An exit code.
int takeChoice(Context& context, const std::string& path, std::string_view target,
               std::string_view text, std::string& pipeline);

}  // namespace airlite::tools
