// The transfers of cores: descriptors, locks and flows.
#pragma once

#include "Design.hpp"

#include <compare>
#include <map>
#include <string>
#include <vector>

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
  bool isCore = false;      // not the DMA but the core itself, its stream `channel`
};

class PacketPlan;

/// Turns the puts and gets of `design` into descriptors, locks, flows and names of shim channels:
/// those of its cores, which run in order by now, those of L2 memory, and those of the host at the
/// other ends. Failures have been reported.
///
/// A transfer of a core has two locks: its DMA starts when `go` is there, and gives `done`. How the
/// core uses them depends on its buffer:
///  - One transfer alone has it, and all accesses are in its block, after a get or before a put:
///    the DMA may run ahead. A get may start at once (`go` is 1 at first); the core waits for
///    `done` before it uses the buffer, and gives `go` when it is through with it. A put has
///    `done` 1 at first; the core waits for it before the first write, and gives `go` at the put.
///    The transfers of one DMA channel share these two locks when they take turns: when all of
///    them are such, stand in one block, and the core waits for them and is through with them in
///    their order. Then the locks count buffers.
///  - Else the core starts each: `done` is 1 at first and says "idle". At a transfer the core takes
///    its `done`, waits until the others on the buffer are idle, and gives `go`; before an access
///    that a transfer must not see it waits until that one is idle (takes `done` and gives it
///    back).
/// Either way an access and a transfer that conflict never overlap, and the core never waits for
/// more than the memory asks for.
///
/// The transfers of one L2 buffer take turns in the order of the program, each waiting for the one
/// before; one that runs several times for one of the other counts.
LogicalResult lowerTransfers(Design& design, const DesignOptions& options, const HostSide& host);

/// Turns the puts and gets of cascade channels into what cores send to their neighbours, vector by
/// vector, and connects them. Failures have been reported.
LogicalResult lowerCascades(Design& design);

/// Connects the ends of each channel: circuits or packet flows between tiles, and from and to the
/// shims for what the host sends and takes, which get a name for it: `air_CHANNEL`, or
/// `air_CHANNEL_N` for place N of a bundle; where all places go through shims, N counts them from left to right
/// in the columns that are known. The host's puts and gets say the names
/// (`metadataArray`) and the packet id. Failures have been reported.
LogicalResult connectEnds(Design& design, const std::vector<DmaEnd>& ends, const HostSide& host,
                          const PacketPlan& packets);

/// The number of a place in its channel, row by row.
int64_t numberOfPlace(const HostSide::Channel& channel, const ChannelPlace& place);
/// What the host calls shim channel `number` of a channel.
std::string shimNameOf(const HostSide::Channel& channel, int64_t number);
/// Transfers of the host learn which shim channel each place of their channel has: `shims` has the number
/// of the shim channel for that of the place. What other designs have said stays. A place of two designs has
/// been reported at `reportAt`.
LogicalResult nameShims(const Design& design, const HostSide::Channel& channel,
                        const std::map<int64_t, int64_t>& shims, const Operation& reportAt);

}  // namespace airlite::npu
