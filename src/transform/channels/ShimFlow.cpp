// Packet flow for channels that share the DMAs of a shim column.
//
// A channel between cores of a segment and L3 takes a DMA of a shim column. One without broadcast
// wants that of one column, the same for all; one with broadcast can go to any of the columns that
// it reaches, `broadcast_shape[0]` of them. So in each direction a column has to serve the channels
// without broadcast, and of those that reach n columns one n-th of them, rounded up. Channels that
// are packets already count, and stay; MMIO channels do not use DMAs.
//
// A core has as many DMAs that send. Where all cores of a herd put into more channels than that, those that
// memory tiles take become packets, which share one of them.
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

constexpr std::string_view kPacket = "npu_dma_packet", kStream = "npu_dma_stream";
/// DMA channels of a core that send (AieDevices.hpp), of every generation.
constexpr size_t kCoreSenders = 2;

/// Where the transfers of a channel stand.
struct Ends {
  std::set<Operation*> segments;  // with a herd inside that uses it
  bool isSentByCore = false, isTakenByCore = false;
  bool isSentFromL3 = false, isTakenToL3 = false, isTakenToL2 = false;
  std::set<Operation*> senders = {};  // herds whose cores all put into it
};

using EndsOf = std::map<std::string, Ends, std::less<>>;

/// Not only some cores of a herd do it.
bool isOfAllCores(const Operation& op, const Operation& herd) {
  for (Operation* parent = op.parentOp(); parent != &herd; parent = parent->parentOp())
    if (parent->is("affine.if") || parent->is("scf.if") || parent->is("scf.index_switch"))
      return false;
  return true;
}

void addEnd(ChannelAccessOp access, EndsOf& ends) {
  Ends& end = ends[std::string(access.channelName())];
  SegmentOp segment = access->parentOf<SegmentOp>();
  if (HerdOp herd = access->parentOf<HerdOp>()) {
    if (!segment) return;
    if (access.isPut() && isOfAllCores(*access, *herd)) end.senders.insert(herd.op());
    end.segments.insert(segment.op());
    (access.isPut() ? end.isSentByCore : end.isTakenByCore) = true;
    return;
  }
  const auto level = memoryLevel(access.access().memref.type());
  end.isTakenToL2 |= !access.isPut() && level == MemoryLevel::L2;
  bool isL3 = level == MemoryLevel::L3;
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

bool limit(Operation& segment, const Direction& direction, std::string_view name, bool isForced,
           const ShimFlowOptions& options) {
  int64_t needed = direction.perColumn();
  if (isForced) return direction.usePackets();
  if (needed <= options.channelsPerColumn || direction.channels.empty()) return false;
  segment.emitWarning() << direction.channels.size() << " " << name
                        << " channels of its cores get packet flow: a shim column would need "
                        << needed << " DMAs and has " << options.channelsPerColumn;
  return direction.usePackets();
}

/// The channels into which the cores of one herd put.
struct HerdOutputs {
  size_t numCircuits = 0, numPackets = 0;
  std::vector<ChannelOp> toMemory = {};  // circuits that memory tiles take
};

bool limitCores(Operation& herd, const HerdOutputs& outputs) {
  const size_t needed = outputs.numCircuits + (outputs.numPackets > 0 ? 1 : 0);
  if (needed <= kCoreSenders || outputs.toMemory.size() < 2) return false;
  herd.emitWarning() << outputs.toMemory.size()
                     << " output channels of its cores get packet flow: a core would need "
                     << needed << " DMAs that send and has " << kCoreSenders;
  for (ChannelOp channel : outputs.toMemory)
    channel->setAttr("channel_type", StringAttr::get(channel->context(), kPacket));
  return true;
}

std::map<Operation*, HerdOutputs> outputsOfHerds(const std::vector<ChannelOp>& channels,
                                                 const EndsOf& ends) {
  std::map<Operation*, HerdOutputs> outputs;
  for (ChannelOp channel : channels) {
    const auto end = ends.find(channel.symbol());
    if (end == ends.end()) continue;
    for (Operation* herd : end->second.senders) {
      HerdOutputs& all = outputs[herd];
      if (channel.canonicalType() == kPacket) ++all.numPackets;
      if (channel.canonicalType() != kStream) continue;
      ++all.numCircuits;
      const bool isToMemory =
          end->second.isTakenToL2 && !end->second.isTakenByCore && end->second.senders.size() == 1;
      if (isToMemory && !channel.broadcastShape()) all.toMemory.push_back(channel);
    }
  }
  return outputs;
}

}  // namespace

bool usePacketFlow(Operation& module, const ShimFlowOptions& options) {
  EndsOf ends;
  std::vector<Operation*> segments, herds;
  std::vector<ChannelOp> channels;
  module.walk(
      [&](Operation& op) {
        if (isa<ChannelOp>(&op)) channels.emplace_back(&op);
        if (isa<SegmentOp>(&op)) segments.push_back(&op);
        if (isa<HerdOp>(&op)) herds.push_back(&op);
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
    changed |=
        limit(*segment, inputs[segment], "input", options.force || options.forceInputs, options);
    changed |= limit(*segment, outputs[segment], "output", options.force, options);
  }
  std::map<Operation*, HerdOutputs> ofHerds = outputsOfHerds(channels, ends);
  for (Operation* herd : herds)
    changed |= limitCores(*herd, ofHerds[herd]);
  return changed;
}

}  // namespace airlite::air
