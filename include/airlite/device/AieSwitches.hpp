// The stream switches of AI Engine tiles, as plain data: which ports can be connected, and what a
// switch has for packets. AieDevices.hpp counts the ports and says what [F] means.
//
//   bool isLegal = isLegalConnection(device, TileKind::Core, {Bundle::DMA, 0}, {Bundle::North, 2});
#pragma once

#include "airlite/device/AieDevices.hpp"

namespace airlite::aie {

/// Arbiters for packets, and msels of each [F].
inline constexpr unsigned kNumArbiters = 6;
inline constexpr unsigned kNumMsels = 4;
/// Rules that a slave port can hold [F].
inline constexpr unsigned kNumPacketRules = 4;

/// Ports of the multiplexer between the stream switch of a shim and its DMA, NoC and PL. North is
/// the side of the switch: its South ports [F sections 4.1, 4.3].
constexpr unsigned numMuxPorts(Bundle bundle, bool out) {
  switch (bundle) {
    case Bundle::DMA: return 2;
    case Bundle::NOC: return 4;
    case Bundle::PLIO: return out ? 6 : 8;
    case Bundle::North: return out ? 8 : 6;
    default: return 0;
  }
}

/// Ports that a flow may start from (`out` false: into the switch) or end at. The DMA of a shim is
/// reached through its multiplexer and counts here.
constexpr unsigned numFlowPorts(const Device& device, TileKind kind, Bundle bundle, bool out) {
  const TileLimits& limits = device.limits(kind);
  bool isShim = kind == TileKind::ShimNoc || kind == TileKind::ShimPl;
  // Trace flows of old designs name the DMA of any shim; whether it has one shows at the routing.
  if (isShim && bundle == Bundle::DMA) return device.limits(TileKind::ShimNoc).channels;
  if (isShim && (bundle == Bundle::PLIO || bundle == Bundle::NOC)) return numMuxPorts(bundle, !out);
  return (out ? limits.masters : limits.slaves)[static_cast<size_t>(bundle)];
}

namespace table {

// Legal circuit connections of the second generation [F section 4.2]: `rows[from][to]` in the order
// of Bundle. PLIO and NOC are not ports of a switch.
//   y any channels   s the same channel only   t only to channel 0   5 only channel 0 to channel 5
//   - none
using Connections = std::array<std::string_view, kNumBundles>;
//                                  CDFSWNEPNTc
inline constexpr Connections kCoreConnections = {
    /* Core        */ "-yyyyyy---y",
    /* DMA         */ "ysyyyyy---y",
    /* FIFO        */ "yyyyyyy---y",
    /* South       */ "yyysyyy---y",
    /* West        */ "yyyysyy---y",
    /* North       */ "yyyyysy---y",
    /* East        */ "yyyyyys---y",
    /* PLIO        */ "-----------",
    /* NOC         */ "-----------",
    /* Trace       */ "-tyy-------",
    /* TileControl */ "y-yyyyy----"};
inline constexpr Connections kMemConnections = {
    /* Core        */ "-----------",
    /* DMA         */ "-s-y-y----y",
    /* FIFO        */ "-----------",
    /* South       */ "-y-s-s----y",
    /* West        */ "-----------",
    /* North       */ "-y-s-s----y",
    /* East        */ "-----------",
    /* PLIO        */ "-----------",
    /* NOC         */ "-----------",
    /* Trace       */ "-5-y-------",
    /* TileControl */ "-5-y-y-----"};
inline constexpr Connections kShimConnections = {
    /* Core        */ "-----------",
    /* DMA         */ "-----------",
    /* FIFO        */ "--yyyyy---y",
    /* South       */ "--yyyyy---y",
    /* West        */ "--yysyy---y",
    /* North       */ "--yyysy---y",
    /* East        */ "--yyyys---y",
    /* PLIO        */ "-----------",
    /* NOC         */ "-----------",
    /* Trace       */ "--yys-s----",
    /* TileControl */ "--yyyyy----"};

constexpr bool allows(char rule, Port from, Port to) {
  switch (rule) {
    case 'y': return true;
    case 's': return from.channel == to.channel;
    case 't': return to.channel == 0;
    case '5': return from.channel == 0 && to.channel == 5;
    default: return false;
  }
}

}  // namespace table

/// Can the stream switch of such a tile connect slave `from` to master `to`? Both ports exist.
constexpr bool isLegalConnection(Generation generation, TileKind kind, Port from, Port to) {
  // No source for the first generation: any two ports of the switch.
  if (generation == Generation::Aie1) return true;
  const table::Connections& rows = kind == TileKind::Core  ? table::kCoreConnections
                                   : kind == TileKind::Mem ? table::kMemConnections
                                                           : table::kShimConnections;
  char rule = rows[static_cast<size_t>(from.bundle)][static_cast<size_t>(to.bundle)];
  return table::allows(rule, from, to);
}
constexpr bool isLegalConnection(const Device& device, TileKind kind, Port from, Port to) {
  return isLegalConnection(device.generation, kind, from, to);
}

}  // namespace airlite::aie
