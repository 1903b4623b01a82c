// Packet flow for channels that share the DMAs of a shim column.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::air {

struct ShimFlowOptions {
  int64_t channelsPerColumn = 2;
  bool force = false, forceInputs = false;  // both directions; what cores get
};

/// Gives packet flow to the channels between cores and L3 of those segments and directions that
/// have more of them than a column holds, or all that are forced to. Whether a channel changed.
bool usePacketFlow(Operation& module, const ShimFlowOptions& options);

}  // namespace airlite::air
