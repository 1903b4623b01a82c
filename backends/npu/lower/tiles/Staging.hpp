// Transfers of cores that no descriptors can follow: branches that send different memory, places in
// a buffer that change from run to run, more of them than there are descriptors or locks.
#pragma once

#include "Design.hpp"

namespace airlite::npu {

/// Where the transfers of a core through one place are such, all of them move one buffer, in whole,
/// which the core copies from or to where the data belongs. The core waits for each where it stands,
/// also where the program does not ask for that: aie-verify-progress finds designs that hang by it.
/// Those of different sizes stay as they are, to be refused.
/// `again`: the cores begin again at their end. Failures have been reported.
LogicalResult stageTransfers(Design& design, bool again);

}  // namespace airlite::npu
