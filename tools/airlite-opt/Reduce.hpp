// `airlite-opt --reduce='COMMAND'`: the program as small as COMMAND still fails on it.
#pragma once

#include <string>

namespace airlite::tools {

struct ReduceRequest {
  std::string command;
  std::string input = "-";
  std::string text;  // the program
  bool allowUnregistered = false;
};

/// An exit code; `result` is the program when that is kSuccess. Messages go to standard error.
int reduceByCommand(const ReduceRequest& request, std::string& result);

}  // namespace airlite::tools
