// Runs a design on an NPU of this machine, through XRT.
#pragma once

#include "Arguments.hpp"
#include "NpuDesign.hpp"

#include <string>
#include <vector>

namespace airlite::tools {

/// Submits the xclbin and the instruction stream of the design; arguments receive what it wrote.
/// `library`: where libxrt_coreutil is, empty: where the system finds it. False with a reason: no
/// library, no device, a design without container, or what XRT says.
bool runOnXrt(const NpuDesign& design, const std::string& library,
              std::vector<Argument>& arguments, std::string& error);

}  // namespace airlite::tools
