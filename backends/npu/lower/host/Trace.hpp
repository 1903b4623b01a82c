// Writes of a runtime sequence that switch the trace units of tiles on.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/support/LogicalResult.hpp"

namespace airlite::npu {

/// Where trace goes: a part of the buffer after the last argument of a sequence.
struct TraceBuffer {
  int64_t size = 0;    // bytes
  int64_t offset = 0;  // bytes
};

/// At the start of `sequence`: the trace units of all tiles whose trace a packet flow of the device
/// takes to the DMA of a shim, that DMA, and what starts all of them at once. Tiles trace what
/// their cores do (core tiles), and which ports run. Failures have been reported.
LogicalResult createTrace(Operation& sequence, const TraceBuffer& buffer);

}  // namespace airlite::npu
