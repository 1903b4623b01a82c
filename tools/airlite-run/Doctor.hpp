// What this machine has, and what airlite can do with it.
#pragma once

#include <string>

namespace airlite::tools {

struct DoctorRequest {
  std::string root = "/";  ///< where /sys, /dev and /opt are looked for
  std::string library;     ///< libxrt_coreutil; empty: where the system finds it
};

/// The report, as text for people.
std::string doctorReport(const DoctorRequest& request);

}  // namespace airlite::tools
