// Runs a design on an NPU of this machine, through XRT.
#pragma once

#include "NpuDesign.hpp"
#include "airlite/support/Result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace airlite::tools {

/// Submits an xclbin and its instruction stream; the buffers receive what it wrote. `library`:
/// where libxrt_coreutil is, empty: where the system finds it. The error: no library, no device, an
/// image that is not a container, or what XRT says.
Result<void> runOnXrt(const NpuRun& run, const std::string& library,
                      const std::vector<std::vector<std::byte>*>& buffers);

}  // namespace airlite::tools
