// The command line of airlite-run.
#pragma once

#include "../targets/RunRequest.hpp"
#include "../targets/Target.hpp"

namespace airlite::tools {

struct RunOptions {
  RunRequest request;
  bool doctor = false;
  DoctorRequest machine;  ///< for --doctor
};

/// What --help says first.
extern const char* const kRunDescription;
void addRunOptions(CLI::App& app, RunOptions& options);

}  // namespace airlite::tools
