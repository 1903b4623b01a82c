// Does jobs, several at once, and writes each result as soon as there is one.
#pragma once

#include "JobList.hpp"
#include "ResultFile.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace airlite::tools {

struct SweepLimits {
  unsigned processes = 1;         ///< at once
  double seconds = 0;             ///< of one job; 0: any
  size_t keep = size_t(1) << 16;  ///< bytes of each output of a job, its last ones
};

struct SweepSummary {
  size_t succeeded = 0, failed = 0;  ///< jobs done now
  bool isInterrupted = false;        ///< by SIGINT, SIGTERM or SIGHUP
  std::string error;                 ///< why the sweep itself ended early; empty: it did not
};

/// Runs `jobs` and appends their results to `file`; says each on standard output. After a signal the
/// jobs that still run are ended, without a result.
SweepSummary sweepJobs(const std::vector<Job>& jobs, ResultFile& file, const SweepLimits& limits);

}  // namespace airlite::tools
