// Packet flow for channels that share the DMAs of a shim column.
//
// A channel between cores of a segment and L3 takes a DMA of a shim column. One without broadcast
// wants that of one column, the same for all; one with broadcast can go to any of the columns that
// it reaches, `broadcast_shape[0]` of them. So in each direction a column has to serve the channels
// without broadcast, and of those that reach n columns one n-th of them, rounded up. Channels that
// are packets already count, and stay; MMIO channels do not use DMAs.
#include "ShimFlow.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace airlite::air {

namespace {

constexpr std::string_view kPacket = "npu_dma_packet";

/// Where the transfers of a channel stand.
struct Ends {
  std::set<Operation*> segments;  // with a herd inside that uses it
  bool isSentByCore = false, isTakenByCore = false;
  bool isSentFromL3 = false, isTakenToL3 = false;
};

using EndsOf = std::map<std::string, Ends, std::less<>>;

void addEnd(ChannelAccessOp access, EndsOf& ends) {
  Ends& end = ends[std::string(access.channelName())];
  SegmentOp segment = access->parentOf<SegmentOp>();
  if (access->parentOf<HerdOp>()) {
    if (!segment) return;
    end.segments.insert(segment.op());
    (access.isPut() ? end.isSentByCore : end.isTakenByCore) = true;
    return;
  }
  bool isL3 = memoryLevel(access.access().memref.type()) == MemoryLevel::L3;
  if (segment || !isL3) return;
  (access.isPut() ? end.isSentFromL3 : end.isTakenToL3) = true;
}

/// The channels of one direction of one segment.
struct Direction {
  std::vector<ChannelOp> channels;  // that may change
  int64_t packets = 0;

  void add(ChannelOp channel) {
    if (channel.canonicalType() == kPacket)
      ++packets;
    else
      channels.push_back(channel);
  }

  int64_t perColumn() const {
    int64_t total = packets;
    std::map<int64_t, int64_t> bySpan;
    for (ChannelOp channel : channels) {
      std::optional<std::vector<int64_t>> shape = channel.broadcastShape();
      if (!shape)
        ++total;
      else
        ++bySpan[shape->empty() ? 1 : std::max<int64_t>(1, shape->front())];
    }
    for (auto [span, count] : bySpan)
      total += (count + span - 1) / span;
    return total;
  }

  bool usePackets() const {
    for (ChannelOp channel : channels)
      channel->setAttr("channel_type", StringAttr::get(channel->context(), kPacket));
    return !channels.empty();
  }
};

bool limit(Operation& segment, const Direction& direction, std::string_view name,
           const ShimFlowOptions& options) {
  int64_t needed = direction.perColumn();
  if (options.force) return direction.usePackets();
  if (needed <= options.channelsPerColumn || direction.channels.empty()) return false;
  segment.emitWarning() << direction.channels.size() << " " << name
                        << " channels of its cores get packet flow: a shim column would need "
                        << needed << " DMAs and has " << options.channelsPerColumn;
  return direction.usePackets();
}

}  // namespace

bool usePacketFlow(Operation& module, const ShimFlowOptions& options) {
  EndsOf ends;
  std::vector<Operation*> segments;
  std::vector<ChannelOp> channels;
  module.walk(
      [&](Operation& op) {
        if (isa<ChannelOp>(&op)) channels.emplace_back(&op);
        if (isa<SegmentOp>(&op)) segments.push_back(&op);
        if (isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op)) addEnd(ChannelAccessOp(&op), ends);
      },
      WalkOrder::PreOrder);
  std::map<Operation*, Direction> inputs, outputs;
  for (ChannelOp channel : channels) {
    auto end = ends.find(channel.symbol());
    if (end == ends.end() || channel.canonicalType() == "npu_mmio") continue;
    for (Operation* segment : end->second.segments) {
      if (end->second.isTakenByCore && end->second.isSentFromL3)
        inputs[segment].add(channel);
      else if (end->second.isSentByCore && end->second.isTakenToL3)
        outputs[segment].add(channel);
    }
  }
  bool changed = false;
  for (Operation* segment : segments) {
    changed |= limit(*segment, inputs[segment], "input", options);
    changed |= limit(*segment, outputs[segment], "output", options);
  }
  return changed;
}

}  // namespace airlite::air
