// Puts and gets: the queue that each is for, and how much it transfers.
#include "../support/IndexText.hpp"
#include "ChannelPlaces.hpp"
#include "UnfoldRun.hpp"

#include <algorithm>

namespace airlite::analysis::unfold {

namespace {

uint32_t laneAt(UnfoldRun& run, const OpPlan& plan, uint32_t launch, std::vector<int64_t> place,
                uint32_t copies) {
  auto [entry, isNew] = run.lanes.try_emplace({{plan.channel.op(), launch}, place},
                                              static_cast<uint32_t>(run.graph.out.lanes.size()));
  if (isNew)
    run.graph.out.lanes.push_back(
        {plan.channel, std::move(place), std::max<int64_t>(plan.channel.depth(), 1), copies});
  return entry->second;
}

bool findLane(UnfoldRun& run, air::ChannelAccessOp op, const OpPlan& plan, const Flow& flow,
              uint32_t& lane, uint32_t& destination) {
  std::vector<int64_t> index;
  for (Value value : op.indices()) {
    std::optional<int64_t> number = run.values.decide(value);
    if (!number) return run.graph.stop(*op, "an index of the channel is not an integer"), false;
    index.push_back(*number);
  }
  std::optional<ChannelPlace> place = placeOf(plan.channel, op.isPut(), index);
  if (!place) {
    run.graph.out.faults.push_back({op.op(), flow.instance,
                                    "index " + indexText(index) + " is outside of channel '@" +
                                        std::string(plan.channel.symbol()) + "' of shape " +
                                        indexText(shapeOf(plan.channel, op.isPut()))});
    return false;
  }
  destination = place->destination;
  lane = laneAt(run, plan, plan.isPerLaunch ? flow.launch : 0, std::move(place->index),
                place->numDestinations);
  return true;
}

/// What a put sends, zeros around it included, or a get takes; -1 when it cannot be told.
int64_t elementsOf(UnfoldRun& run, air::ChannelAccessOp op) {
  air::Access access = op.access();
  std::vector<std::optional<int64_t>> sizes;
  for (const air::IndexEntry& size : access.sizes)
    sizes.push_back(run.values.decide(size));
  if (access.isWhole()) {
    MemRefType type = access.memref.type().dynCast<MemRefType>();
    if (!type) return -1;
    for (int64_t size : type.shape())
      sizes.push_back(size == kDynamic ? std::nullopt : std::optional(size));
  }
  for (std::string_view padding : {"pad_before", "pad_after"})
    if (auto zeros = op->attrOf<DenseArrayAttr>(padding))
      for (size_t i = 0; i < zeros.values().size() && i < sizes.size(); ++i)
        if (sizes[i]) *sizes[i] += zeros.values()[i];
  int64_t total = air::sendsOf(*op);
  for (std::optional<int64_t> size : sizes)
    if (!size || *size < 0 || __builtin_mul_overflow(total, *size, &total)) return -1;
  return total;
}

void noteElementSize(Lane& lane, air::ChannelAccessOp op) {
  const int64_t bytes = elementBytesOf(op);
  lane.isMixed |= lane.elementBytes != 0 && bytes != 0 && lane.elementBytes != bytes;
  lane.elementBytes = std::max(lane.elementBytes, bytes);
}

}  // namespace

void runTransfer(UnfoldRun& run, air::ChannelAccessOp op, const OpPlan& plan, Flow& flow) {
  if (!plan.channel) return run.graph.stop(*op, "the channel is not declared");
  uint32_t lane = 0, destination = 0;
  if (!findLane(run, op, plan, flow, lane, destination)) return;
  if (plan.isForOneOfSeveral)
    return run.graph.stop(*op, "which destination a packet is for is known when it runs");
  PointKind kind = op.isPut() ? PointKind::Send : PointKind::Receive;
  PointId offer = run.graph.addStep(PointKind::Offer, *op, flow);
  PointId point = run.graph.addStep(kind, *op, flow);
  addTouches(run, point, plan, flow);
  run.graph.out.points[point].begin = offer;
  run.graph.out.points[point].lane = lane;
  run.graph.out.points[point].destination = destination;
  run.graph.out.points[point].elements = elementsOf(run, op);
  noteElementSize(run.graph.out.lanes[lane], op);
  if (!op.isPut()) return;
  PointId sent = run.graph.addStep(PointKind::Sent, *op, flow);
  run.graph.out.points[sent].lane = lane;
  run.graph.out.points[sent].begin = point;
}

}  // namespace airlite::analysis::unfold
