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

Operation* tileOf(const Site& site) {
  if (const auto core = site.op->parentOf<aie::CoreOp>()) return core.tile().op();
  Operation* buffer = site.buffer ? site.buffer.definingOp() : nullptr;
  return buffer && buffer->is("aie.buffer") ? buffer->operand(0).definingOp() : nullptr;
}

}  // namespace

void PacketPlan::add(const Site& site) {
  auto [use, isNew] = uses_.try_emplace(site.place);
  ends_[site.place].insert(tileOf(site));
  if (!isNew) return;
  const HostSide::Channel& ends = host_.channels.at(site.place.channel);
  if (!ends.puts.empty() || !ends.gets.empty()) ends_[site.place].insert(nullptr);
  air::ChannelOp channel = ends.op;
  use->second.ids = namedIds(channel);
  use->second.keepsHeader = channel->hasAttr("keep_pkt_header");
  bool isWritten = use->second.keepsHeader || channel->hasAttr("air.src_writes_pkt_header");
  use->second.isStamped = !isWritten && use->second.ids.size() < 2;
}

LogicalResult PacketPlan::assign(const std::vector<Site*>& sites) {
  std::vector<const Site*> order;
  for (Site* site : sites) {
    if (!site->isPacket) continue;
    add(*site);
    const std::vector<int64_t>& ids = uses_[site->place].ids;
    named_.insert(ids.begin(), ids.end());
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
    const std::optional<int64_t> id = freeId(site->place);
    if (!id)
      return site->op->emitOpError()
             << "needs another packet id of the device, but all " << kNumPacketIds
             << " go to or from its tiles, or are the program's own";
    use.ids = {*id};
    endsOfId_[*id].insert(ends_[site->place].begin(), ends_[site->place].end());
  }
  for (Site* site : sites)
    if (const PacketUse* use = of(site->place); use && use->isStamped) site->packetId = use->ids[0];
  return success();
}

/// The lowest that nobody has; else the one with the fewest ends that are all on other tiles.
std::optional<int64_t> PacketPlan::freeId(const ChannelPlace& place) const {
  const Tiles& ends = ends_.at(place);
  std::optional<int64_t> best;
  for (int64_t id = 0; id < kNumPacketIds; ++id) {
    if (named_.contains(id)) continue;
    const auto taken = endsOfId_.find(id);
    if (taken == endsOfId_.end()) return id;
    const Tiles& others = taken->second;
    if (std::ranges::any_of(ends, [&](Operation* tile) { return others.contains(tile); })) continue;
    if (!best || others.size() < endsOfId_.at(*best).size()) best = id;
  }
  return best;
}

const PacketUse* PacketPlan::of(const ChannelPlace& place) const {
  auto found = uses_.find(place);
  return found == uses_.end() ? nullptr : &found->second;
}

}  // namespace airlite::npu
