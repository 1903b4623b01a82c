// What this machine has, and what airlite can do with it.
#pragma once

#include "../targets/Target.hpp"

#include <string>

namespace airlite::tools {

/// The report, as text for people.
std::string doctorReport(const DoctorRequest& request);

}  // namespace airlite::tools
