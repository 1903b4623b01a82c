// How many cycles the runs of a design take, by the performance model or by the simulator.
#pragma once

#include "NpuDesign.hpp"
#include "airlite/npu/sim/array/Timing.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace airlite::tools {

struct MeasureRequest {
  bool bySimulator = false;
  npu::sim::Timing timing;
  uint64_t mostCycles = 0;  ///< that are of interest; 0: any
  std::function<bool()> wantsStop = {};
};

/// Of all runs, on buffers of zeros. None: it takes more than is of interest, or was stopped. An error
/// says why a run fails.
Result<std::optional<uint64_t>> measureCycles(const NpuDesign& design,
                                              const MeasureRequest& request);

}  // namespace airlite::tools
