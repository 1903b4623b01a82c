// Flows: which port of a tile sends to which ports of others. What the router is asked for, and
// what the re-trace compares with.
//
//   Flow flow{.name = "a",
//             .source = {{0, 0}, {Bundle::Dma, 0}},
//             .destinations = {{{0, 2}, {Bundle::Dma, 1}}}};
//   Result<void> right = checkFlows(device, std::span(&flow, 1));
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"

#include <string>
#include <vector>

namespace airlite::npu {

/// An end of a flow. A source is a slave of the tile's switch, a destination a master of it: "DMA0"
/// means MM2S 0 as a source and S2MM 0 as a destination. On a shim "DMAn" is reached through the
/// multiplexer; "SOUTHn" there means the port itself, as for the token route CTRL0 -> SOUTH0.
struct End {
  Tile tile;
  Port port;
  friend constexpr auto operator<=>(End, End) = default;
};

/// A request: data of `source` goes to all `destinations` and nowhere else. EndT: End, or OpenEnd
/// of Place.hpp.
template <class EndT> struct BasicFlow {
  std::string name;  ///< for messages
  EndT source;
  std::vector<EndT> destinations;
  /// Empty: a circuit. Otherwise packets of these ids (0..31) alone.
  std::vector<uint8_t> packetIds = {};
  /// Packets: a DMA or shim SOUTH at the end gets the header too. Other ends always get it.
  bool keepsHeader = false;

  bool isPacket() const { return !packetIds.empty(); }
  friend bool operator==(const BasicFlow&, const BasicFlow&) = default;
};
using Flow = BasicFlow<End>;

/// "(1,2)", column first.
std::string name(Tile tile);
/// "DMA0 of (1,2)".
std::string name(End end);
/// "a: DMA0 of (1,2) -> DMA1 of (1,1), DMA2 of (1,1) [packets 3, 4]".
std::string print(const Flow& flow);

/// The port of the switch that an end means: itself, or SOUTHn for a DMA of the shim. An end that
/// does not exist is not changed.
Port switchPort(End end, PortSide side);

/// Whether packets of a flow come to this destination with their header. docs/hardware/formats.md
/// section 4: DMAs and SOUTH ports of the shim drop it, unless the flow keeps it; a CORE or CTRL
/// gets it.
bool getsHeader(bool keepsHeader, End destination);

/// Fails with the first contradiction in what the flows ask for, before anything is routed: ports
/// or tiles that do not exist, ports that are wires between tiles, ends that two flows cannot
/// share.
Result<void> checkFlows(const Device& device, std::span<const Flow> flows);

}  // namespace airlite::npu
