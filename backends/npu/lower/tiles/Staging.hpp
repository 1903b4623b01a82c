// Transfers of cores that no descriptors can follow: branches that send different memory, places in
// a buffer that change from run to run or are parts of words, more of them than there are descriptors or locks.
#pragma once

#include "Design.hpp"

#include <optional>

namespace airlite::npu {

/// Where the transfers of a core through one place are such, all of them move one buffer, in whole,
/// which the core copies from or to where the data belongs. The core waits for each where it stands,
/// also where the program does not ask for that: aie-verify-progress finds designs that hang by it.
/// Those of different sizes move parts that all of them are multiples of, where each is a row of memory
/// and a part whole words; others stay as they are, to be refused.
/// `again`: the cores begin again at their end. Failures have been reported.
LogicalResult stageTransfers(Design& design, bool again);

/// The elements that one run of a transfer moves; none where no core can copy them, as their number
/// or layout is not known.
std::optional<int64_t> stagedElements(Operation& transfer);

/// Memory of `tile` for what is staged, in one dimension, with the elements of `like`.
Value createTileBuffer(Design& design, Operation& tile, MemRefType like, int64_t elements);

/// The transfer moves all of `buffer`, which may be larger than its data, or a part of a row that it
/// moves several times; the core copies.
void stageThrough(air::ChannelAccessOp transfer, Value buffer);

}  // namespace airlite::npu
