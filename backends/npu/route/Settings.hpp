// From the trees of the flows to what the switches must be set to.
#pragma once

#include "Packets.hpp"
#include "Search.hpp"

namespace airlite::npu {

/// What the packet flows want of each tile's switch, by tile number.
std::vector<std::vector<PacketUse>> packetUses(const RouteGraph& graph, std::span<const Flow> flows,
                                               std::span<const RouteTree> trees);

/// The settings of routed flows; every tile's packet plan must fit.
Routes settingsOf(const RouteGraph& graph, std::span<const Flow> flows,
                  std::span<const RouteTree> trees);

/// The ids of a flow as bits.
uint32_t idBits(const Flow& flow);

}  // namespace airlite::npu
