// Packet switching in one switch: rules of the slaves, arbiters and msels of the masters.
#pragma once

#include "airlite/npu/route/Routes.hpp"

#include <string>

namespace airlite::npu {

/// Some packets that come in at a slave, and the masters they leave by.
struct PacketUse {
  Port slave;
  /// The packets enter the array here: anything may come, so the rules take these ids alone. On a
  /// wire only what a rule let through before can come, and rules may be wider.
  bool isSource = false;
  uint32_t ids = 0;           ///< bit n: id n
  std::vector<Port> masters;  ///< ascending, not empty
};

struct PacketPlan {
  std::vector<PacketRule> rules;
  std::vector<PacketMaster> masters;  ///< headers kept; who knows the ends changes that
  // What did not fit:
  std::vector<Port> crowdedSlaves;  ///< more rules than slots
  bool isShortOfArbiters = false;   ///< the sets of masters need more arbiters or msels

  bool fits() const { return crowdedSlaves.empty() && !isShortOfArbiters; }
};

/// Sets of masters that overlap share an arbiter and differ in the msel; others get an arbiter of
/// their own while there are any.
PacketPlan planPackets(const std::vector<PacketUse>& uses);

}  // namespace airlite::npu
