// The host side of a module: which channels it uses, and what it has to know about the designs.
#include "Design.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"

#include <unordered_set>

namespace airlite::npu {

HostSide::HostSide(Operation& module) {
  for (Operation& op : module.region().front().ops())
    if (isa<air::ChannelOp>(&op))
      channels[std::string(air::ChannelOp(&op).symbol())] = {air::ChannelOp(&op), channels.size()};
  module.walkWith([&](Operation& op) {
    if (op.is("aie.device")) return WalkResult::Skip;
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) add(air::ChannelAccessOp(&op));
    return WalkResult::Advance;
  });
}

/// The outermost segment or herd around.
static Operation* designAround(Operation& op) {
  Operation* design = nullptr;
  for (Operation* at = op.parentOp(); at; at = at->parentOp())
    if (isa<air::SegmentOp>(at) || isa<air::HerdOp>(at)) design = at;
  return design;
}

void HostSide::add(air::ChannelAccessOp access) {
  auto channel = channels.find(std::string(access.channelName()));
  if (channel == channels.end()) return;
  Channel& ends = channel->second;
  bool isInHerd = access->parentOfName("air.herd");
  bool isL2 = air::memoryLevel(access.access().memref.type()) == air::MemoryLevel::L2;
  if (!isInHerd && !isL2) return (access.isPut() ? ends.puts : ends.gets).push_back(access.op());
  Operation* design = designAround(*access.op());
  if (!design) return;
  (access.isPut() ? ends.putsInside : ends.getsInside).push_back({design, access->location()});
}

void describeDesigns(Operation& module, const std::vector<Design>& designs) {
  if (designs.empty()) return;
  // Behind the devices, in front of the program that they are of.
  std::unordered_set<Operation*> devices;
  for (const Design& design : designs)
    devices.insert(design.device.op());
  Operation* last = nullptr;
  for (Operation& op : module.region().front().ops())
    if (devices.count(&op)) last = &op;
  Builder builder = Builder::after(*last);
  auto withBody = [&](Location location, std::string_view name) {
    OperationState state(module.context(), location, name);
    Block& block = state.addRegion().addBlock(module.context());
    Builder::atEnd(block).create(location, std::string(name) + "_terminator", {}, {});
    return state;
  };
  OperationState all = withBody(module.location(), "airrt.module_metadata");
  Operation* metadata = builder.create(all);
  for (const Design& design : designs) {
    OperationState segment = withBody(design.source->location(), "airrt.segment_metadata");
    segment.addAttribute(module.context(), "sym_name",
                         builder.stringAttr(symbolName(*design.device)));
    builder.setBefore(metadata->region().front().back());
    Operation* described = builder.create(segment);
    builder.setBefore(described->region().front().back());
    std::unordered_set<Operation*> seen;
    for (const CoreProgram& core : design.cores) {
      air::HerdOp herd = core.herd;
      if (!seen.insert(herd.op()).second) continue;
      std::vector<int64_t> sizes = *herd.constantSizes();
      aie::TileId place = *aie::TileOp(core.tile).id();
      std::string name(herd.op() == design.source ? symbolName(*design.device) : herd.symbol());
      if (name.empty()) name = "herd_" + std::to_string(seen.size() - 1);
      builder.create(herd->location(), "airrt.herd_metadata", {}, {},
                     {builder.named("loc_x", builder.i64Attr(place.col)),
                      builder.named("loc_y", builder.i64Attr(place.row)),
                      builder.named("size_x", builder.i64Attr(sizes[0])),
                      builder.named("size_y", builder.i64Attr(sizes.size() > 1 ? sizes[1] : 1)),
                      builder.named("sym_name", builder.stringAttr(name))});
    }
  }
}

}  // namespace airlite::npu
