// The transfers of cores: descriptors, locks and flows.
#pragma once

#include "Design.hpp"

namespace airlite::npu {

/// Turns the puts and gets of the cores of `design`, which run in order by now, into descriptors of
/// the DMA of their tile, and connects the ends of each channel. Failures have been reported.
///
/// Each transfer has two locks that its DMA takes and gives: it starts when `go` is there, and
/// gives `done`. How the core uses them depends on its buffer:
///  - One transfer alone has it, and all accesses stand in its block, behind a get or before a put:
///    the DMA may run ahead. A get may start at once (`go` is 1 at first); the core waits for
///    `done` before it uses the buffer, and gives `go` when it is through with it. A put has
///    `done` 1 at first; the core waits for it before the first access, and gives `go` at the put.
///  - Else the core starts each: `done` is 1 at first and says "idle". At a transfer the core takes
///    its `done`, waits until the others on the buffer are idle, and gives `go`; before an access
///    that a transfer must not see it waits until that one is idle (takes `done` and gives it
///    back).
/// Either way an access and a transfer that conflict never overlap, and the core never waits for
/// more than the memory asks for.
LogicalResult lowerCoreTransfers(Design& design);

}  // namespace airlite::npu
