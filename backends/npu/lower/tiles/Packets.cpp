// Which packet ids a device uses.
#include "Packets.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

constexpr int64_t kNumPacketIds = aie::kMaxPacketId + 1;

std::vector<int64_t> namedIds(air::ChannelOp channel) {
  std::vector<int64_t> ids;
  if (auto array = channel->attrOf<ArrayAttr>("packet_ids"))
    for (Attribute entry : array.value())
      if (auto number = entry.dynCast<IntegerAttr>()) ids.push_back(number.value());
  return ids;
}

}  // namespace

void PacketPlan::add(const Site& site) {
  auto [use, isNew] = uses_.try_emplace(site.place);
  if (!isNew) return;
  air::ChannelOp channel = host_.channels.at(site.place.channel).op;
  use->second.ids = namedIds(channel);
  use->second.keepsHeader = channel->hasAttr("keep_pkt_header");
  bool isWritten = use->second.keepsHeader || channel->hasAttr("air.src_writes_pkt_header");
  use->second.isStamped = !isWritten && use->second.ids.size() < 2;
}

LogicalResult PacketPlan::assign(const std::vector<Site*>& sites) {
  std::vector<const Site*> order;
  std::set<int64_t> taken;
  for (Site* site : sites) {
    if (!site->isPacket) continue;
    add(*site);
    const std::vector<int64_t>& ids = uses_[site->place].ids;
    taken.insert(ids.begin(), ids.end());
    order.push_back(site);
  }
  auto rank = [&](const Site* site) {
    const HostSide::Channel& channel = host_.channels.at(site->place.channel);
    bool isHost = !channel.puts.empty() || !channel.gets.empty();
    return std::tuple(!isHost, channel.number, site->place);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Site* a, const Site* b) { return rank(a) < rank(b); });
  for (const Site* site : order) {
    PacketUse& use = uses_[site->place];
    if (!use.ids.empty()) continue;
    int64_t id = 0;
    while (taken.count(id))
      ++id;
    if (id >= kNumPacketIds)
      return site->op->emitOpError() << "needs packet id number " << taken.size() + 1
                                     << " of the device, there are " << kNumPacketIds;
    use.ids = {id};
    taken.insert(id);
  }
  for (Site* site : sites)
    if (const PacketUse* use = of(site->place); use && use->isStamped) site->packetId = use->ids[0];
  return success();
}

const PacketUse* PacketPlan::of(const ChannelPlace& place) const {
  auto found = uses_.find(place);
  return found == uses_.end() ? nullptr : &found->second;
}

}  // namespace airlite::npu
