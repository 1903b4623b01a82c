// The ids of packet channels.
#pragma once

#include "Sites.hpp"

#include <map>
#include <optional>
#include <set>

namespace airlite::npu {

/// What the packets of one place of a channel carry.
struct PacketUse {
  std::vector<int64_t> ids;  // one; or several, one for each receiver in turn
  bool keepsHeader = false;  // the receiver sees it
  bool isStamped = true;     // the DMA writes the header; else the program has
};

/// The packets of a device.
class PacketPlan {
 public:
  explicit PacketPlan(const HostSide& host) : host_(host) {}

  /// Gives each place of a packet channel in `sites` an id: those that the channel names
  /// (`packet_ids`), else the lowest that is free, first for what the host sends and takes, in the
  /// order of the channels. When none is free, places of which no tile is an end of both may have one
  /// id: the router keeps their wires apart. Stamps the sites. Too many have been reported.
  LogicalResult assign(const std::vector<Site*>& sites);
  /// Null when the place is no place of a packet channel.
  const PacketUse* of(const ChannelPlace& place) const;

 private:
  using Tiles = std::set<Operation*>;  // null: the host, or one that is not known

  void add(const Site& site);
  std::optional<int64_t> freeId(const ChannelPlace& place) const;

  const HostSide& host_;
  std::map<ChannelPlace, PacketUse> uses_;
  std::map<ChannelPlace, Tiles> ends_;
  std::set<int64_t> named_;  // ids, by the program: no other packets have them
  std::map<int64_t, Tiles> endsOfId_;
};

}  // namespace airlite::npu
