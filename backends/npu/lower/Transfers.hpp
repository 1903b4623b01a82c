// The transfers of cores: descriptors, locks and flows.
#pragma once

#include "Design.hpp"

#include <compare>
#include <string>

namespace airlite::npu {

/// One place of a channel: of a broadcast, that of the put.
struct ChannelPlace {
  std::string channel;
  std::vector<int64_t> index;
  auto operator<=>(const ChannelPlace&) const = default;
};

/// Where a channel leaves or enters a tile.
struct DmaEnd {
  ChannelPlace place;
  bool isPut = false;
  Operation* tile = nullptr;
  int64_t channel = 0;      // of the DMA, in its direction
  Operation* op = nullptr;  // the first put or get
};

/// Turns the puts and gets of the cores of `design`, which run in order by now, into descriptors of
/// the DMA of their tile.
///
/// Each transfer has two locks that its DMA takes and gives: it starts when `go` is there, and
/// gives `done`. How the core uses them depends on its buffer:
///  - One transfer alone has it, and all accesses stand in its block, behind a get or before a put:
///    the DMA may run ahead. A get may start at once (`go` is 1 at first); the core waits for
///    `done` before it uses the buffer, and gives `go` when it is through with it. A put has
///    `done` 1 at first; the core waits for it before the first write, and gives `go` at the put.
///  - Else the core starts each: `done` is 1 at first and says "idle". At a transfer the core takes
///    its `done`, waits until the others on the buffer are idle, and gives `go`; before an access
///    that a transfer must not see it waits until that one is idle (takes `done` and gives it
///    back).
/// Either way an access and a transfer that conflict never overlap, and the core never waits for
/// more than the memory asks for.
/// Appends the ends of channels that the cores have to `ends`. Failures have been reported.
LogicalResult lowerCoreTransfers(Design& design, std::vector<DmaEnd>& ends);

/// Puts the L2 memory of the segment on memory tiles, spread over as many as there are columns of
/// cores, and turns its puts and gets into descriptors. Those of one buffer take turns in the order
/// of the program, each waiting for the one before. Appends their ends; failures have been
/// reported.
LogicalResult lowerSegmentTransfers(Design& design, std::vector<DmaEnd>& ends);

/// Connects the ends of each channel: circuits between tiles, and from and to the shims for
/// what the host sends and takes, which get a name for it: `air_CHANNEL`, or `air_CHANNEL_N` for
/// place N of a bundle. The host's puts and gets say the name as `metadata`, or all of them as
/// `metadataArray`. Failures have been reported.
LogicalResult connectEnds(Design& design, const std::vector<DmaEnd>& ends, const HostSide& host);

}  // namespace airlite::npu
