// The re-trace: reads switch settings as the hardware would, follows everything that can enter the
// array, and says what comes where. It knows nothing of the router.
//
//   std::vector<RouteFinding> findings = verify(device, flows, routes);
//   if (!findings.empty()) report(print(findings));
#pragma once

#include "airlite/npu/route/Flow.hpp"
#include "airlite/npu/route/Routes.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// What can be wrong with settings, or with where they lead.
enum class RouteFault : uint8_t {
  NoSuchTile,
  NoSuchPort,
  IllegalConnection,  ///< the switch has no way from that slave to that master
  OutOfRange,         ///< slot, arbiter, msel, id or mask beyond the switch, or a slot used twice
  MasterTwice,        ///< a master with two sources, or two packet settings
  MixedModes,        ///< a port is used by circuits and packets, or a stream changes mode on a wire
  AmbiguousRules,    ///< a packet matches two rules that lead to different places
  NobodyListens,     ///< a rule chooses an arbiter and msel that no master has
  DeadEnd,           ///< a stream comes to a slave that sends it nowhere, or leaves the partition
  UnmatchedPacket,   ///< a packet comes to a slave that has no rule for it
  Loop,              ///< a stream comes back to where it was
  Unused,            ///< a setting that nothing ever uses
  ShimNotConnected,  ///< the DMA of a shim chosen where it has none
  UndeclaredSource,  ///< something that no flow declares comes through
  MissingDestination,
  ExtraDestination,
  WrongHeader,  ///< a header kept or dropped against what the flow says
};
/// "missing destination", ...
std::string_view name(RouteFault fault);

struct RouteFinding {
  RouteFault fault;
  Tile tile;
  std::string message;  ///< names tile, ports and flow
};

/// Where a stream comes out.
struct Arrival {
  End end;
  bool hasHeader = false;  ///< packets
  friend constexpr auto operator<=>(const Arrival&, const Arrival&) = default;
};
/// One thing that can enter the array and all ends that it reaches.
struct Reach {
  End source;
  std::optional<uint8_t> packetId;  ///< none: a circuit
  std::vector<Arrival> arrivals;    ///< ascending
  friend bool operator==(const Reach&, const Reach&) = default;
};
struct Trace {
  std::vector<Reach> reaches;  ///< by source and id
  std::vector<RouteFinding> findings;
};

/// Follows each source of the settings, packets with each id that a rule there lets through.
Trace retrace(const Device& device, const Routes& routes);

/// Everything that is wrong: what retrace finds, and each difference between what it reaches and
/// what the flows declare. Empty: exactly the declared sources reach exactly the declared
/// destinations, and no setting does anything else.
std::vector<RouteFinding> verify(const Device& device, std::span<const Flow> flows,
                                 const Routes& routes);

/// One line for each finding.
std::string print(std::span<const RouteFinding> findings);

}  // namespace airlite::npu
