// The router: finds switch settings for a set of flows, circuits and packets together.
//
//   RouteResult result = route(device, flows);
//   if (!result) return report(result.failure.message);
#pragma once

#include "airlite/npu/route/Flow.hpp"
#include "airlite/npu/route/Routes.hpp"

#include <optional>

namespace airlite::npu {

/// A port that more flows need than it carries, or a tile whose packet switching is full.
struct Congestion {
  End master;                 ///< of the tile that sends; a slave when `isSlave`
  bool isSlave = false;       ///< no wire leads there: the flows enter the array here
  std::string why;            ///< "circuits share no wire", "more than 4 packet rules", ...
  std::vector<size_t> flows;  ///< that compete here, as numbers in the list of flows
};

struct RouteFailure {
  std::string message;                 ///< all of it as text
  std::vector<Congestion> congestion;  ///< empty when the flows themselves are wrong
};

struct RouteLimits {
  unsigned rounds = 80;  ///< of ripping up and routing again before giving up
};

struct RouteResult {
  std::optional<Routes> routes;
  RouteFailure failure;  ///< when there are no routes
  unsigned rounds = 0;   ///< that were needed or tried

  explicit operator bool() const { return routes.has_value(); }
};

/// Routes all flows or none. Uses every port and only connections that the device allows; the
/// branches of a broadcast share wires; packet flows of different ids may share wires within the
/// rules, arbiters and msels of each switch. The same input gives the same routes.
///
/// Method: negotiated congestion. All flows are routed as if alone, then those that share what they
/// must not are ripped up and routed again, while contested ports become dearer, until none is
/// contested. It may give up on flows that a perfect router could place.
RouteResult route(const Device& device, std::span<const Flow> flows, RouteLimits limits = {});

}  // namespace airlite::npu
