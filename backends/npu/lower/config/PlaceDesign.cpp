// Tiles and flows: open tiles get columns near their users, and flows become ends of switches.
//
// Flows of the same source are one, a broadcast. DMA channels and lock numbers of an open tile are
// counted by themselves: several open tiles may share a tile, and then some get others than
// written.
#include "DesignLayout.hpp"
#include "TileDescriptor.hpp"
#include "airlite/npu/route/Place.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

std::optional<Bundle> bundleOf(aie::Bundle bundle) {
  switch (bundle) {
    case aie::Bundle::Core: return Bundle::Core;
    case aie::Bundle::DMA: return Bundle::Dma;
    case aie::Bundle::FIFO: return Bundle::Fifo;
    case aie::Bundle::South: return Bundle::South;
    case aie::Bundle::West: return Bundle::West;
    case aie::Bundle::North: return Bundle::North;
    case aie::Bundle::East: return Bundle::East;
    case aie::Bundle::Trace: return Bundle::Trace;
    case aie::Bundle::TileControl: return Bundle::Ctrl;
    case aie::Bundle::PLIO:
    case aie::Bundle::NOC: return std::nullopt;
  }
  return std::nullopt;
}

TileKind kindOf(aie::TileKind kind) {
  if (kind == aie::TileKind::Core) return TileKind::Core;
  return kind == aie::TileKind::Mem ? TileKind::Mem : TileKind::Shim;
}

class Placing {
 public:
  explicit Placing(Layout& layout) : layout_(layout) {}

  LogicalResult run() {
    if (failed(readTiles())) return failure();
    for (aie::FlowOp flow : membersOf<aie::FlowOp>(layout_.op))
      if (failed(readFlow(flow))) return failure();
    for (aie::PacketFlowOp flow : membersOf<aie::PacketFlowOp>(layout_.op))
      if (failed(readPacketFlow(flow))) return failure();
    if (failed(readOpenPrograms())) return failure();
    return place();
  }

 private:
  // -- Tiles ------------------------------------------------------------------------------------

  LogicalResult readTiles() {
    for (aie::TileOp tile : membersOf<aie::TileOp>(layout_.op))
      if (failed(readTile(tile))) return failure();
    return success();
  }

  LogicalResult readTile(aie::TileOp tile) {
    if (tile.kind() == aie::TileKind::ShimPl)
      return tile->emitOpError() << "not supported: a shim without a DMA";
    const TileKind kind = kindOf(tile.kind().value());
    std::optional<int64_t> row = tile.row();
    if (!row && kind != TileKind::Core) row = kind == TileKind::Mem ? 1 : 0;
    if (tile.col() && row) {
      layout_.tiles[tile.op()] = {uint8_t(*tile.col()), uint8_t(*row)};
      return success();
    }
    if (kind == TileKind::Core)
      return tile->emitOpError() << "not supported: a core without a column and a row";
    const std::string name =
        "open " + std::string(npu::name(kind)) + " tile " + std::to_string(openOps_.size());
    openOps_.push_back(tile.op());
    open_.push_back({name, kind, memoryOf(tile)});
    if (open_.back().memory <= limitsOf(kind).dataMemory) return success();
    return tile->emitOpError() << "needs " << open_.back().memory.value << " bytes of memory, a "
                               << npu::name(kind) << " tile has "
                               << limitsOf(kind).dataMemory.value;
  }

  Bytes memoryOf(aie::TileOp tile) const {
    Bytes sum;
    for (aie::BufferOp buffer : membersOf<aie::BufferOp>(layout_.op))
      if (buffer.tile() == tile) sum = sum + Bytes((sizeOf(buffer) + 31) / 32 * 32);
    return sum;
  }

  // -- Flows ------------------------------------------------------------------------------------

  LogicalResult readEnd(Operation& flow, aie::Endpoint from, OpenEnd& end) {
    const auto bundle = bundleOf(from.port.bundle);
    if (!bundle)
      return flow.emitOpError() << "not supported: a flow from or to "
                                << aie::bundleName(from.port.bundle);
    end.port = {*bundle, uint8_t(from.port.channel)};
    auto fixed = layout_.tiles.find(from.tile.op());
    if (fixed != layout_.tiles.end()) return end.tile = fixed->second, success();
    end.open = size_t(std::ranges::find(openOps_, from.tile.op()) - openOps_.begin());
    return success();
  }

  LogicalResult readFlow(aie::FlowOp op) {
    OpenEnd source, destination;
    if (failed(readEnd(*op, op.source(), source)) || failed(readEnd(*op, op.dest(), destination)))
      return failure();
    auto same = std::ranges::find_if(
        flows_, [&](const OpenFlow& flow) { return !flow.isPacket() && flow.source == source; });
    if (same != flows_.end()) return same->destinations.push_back(destination), success();
    addFlow(*op, {nameOf(op.source(), op.dest()), source, {destination}});
    return success();
  }

  LogicalResult readPacketFlow(aie::PacketFlowOp op) {
    std::vector<OpenEnd> destinations;
    for (aie::Endpoint dest : op.dests())
      if (failed(readEnd(*op, dest, destinations.emplace_back()))) return failure();
    for (aie::Endpoint from : op.sources()) {
      OpenEnd source;
      if (failed(readEnd(*op, from, source))) return failure();
      addFlow(*op, {nameOf(from, op.dests().front()),
                    source,
                    destinations,
                    {uint8_t(op.packetId())},
                    op.keepsHeader()});
    }
    return success();
  }

  void addFlow(Operation& op, OpenFlow flow) {
    flows_.push_back(std::move(flow));
    layout_.flowLocations.push_back(op.location());
  }

  /// The name that the host uses, or a number.
  std::string nameOf(aie::Endpoint source, aie::Endpoint dest) const {
    for (aie::ShimDmaAllocationOp shim : membersOf<aie::ShimDmaAllocationOp>(layout_.op)) {
      const bool isSent = shim.channel().direction == aie::Direction::MM2S;
      const aie::Endpoint& end = isSent ? source : dest;
      if (end.tile == shim.tile() && end.port.bundle == aie::Bundle::DMA &&
          end.port.channel == shim.channel().index)
        return std::string(shim.name());
    }
    return "flow_" + std::to_string(flows_.size());
  }

  // -- Open tiles -------------------------------------------------------------------------------

  bool hasFlow(size_t open, DmaDirection direction, int64_t channel) const {
    const auto is = [&](const OpenEnd& end) {
      return end.open == open && end.port == Port{Bundle::Dma, uint8_t(channel)};
    };
    return std::ranges::any_of(flows_, [&](const OpenFlow& flow) {
      return direction == DmaDirection::Mm2s ? is(flow.source)
                                             : std::ranges::any_of(flow.destinations, is);
    });
  }

  LogicalResult checkChannel(Operation& op, aie::TileOp tile, aie::Channel channel) const {
    auto open = std::ranges::find(openOps_, tile.op());
    if (open == openOps_.end()) return success();
    const DmaDirection direction = directionOf(channel.direction);
    if (hasFlow(size_t(open - openOps_.begin()), direction, channel.index)) return success();
    return op.emitOpError() << "uses " << name(direction) << " " << channel.index
                            << " of a tile without a column, but no flow uses it";
  }

  void countDescriptors(aie::TileOp tile, aie::Channel channel, Block* first) {
    const auto open = std::ranges::find(openOps_, tile.op());
    if (open == openOps_.end()) return;
    auto& counts = open_[size_t(open - openOps_.begin())].descriptors;
    counts[size_t(directionOf(channel.direction))][unsigned(channel.index)] +=
        unsigned(blocksFrom(first).size());
  }

  /// Counts descriptors. Only flows tell where an open tile should be, and which channels it takes there.
  LogicalResult readOpenPrograms() {
    for (Operation& member : layout_.op.body().ops()) {
      if (aie::DmaOp dma = aie::asDmaOp(&member))
        for (Operation* start : dma.starts()) {
          const aie::Channel channel = aie::DmaStartOp(start).channel();
          if (failed(checkChannel(*start, dma.tile(), channel))) return failure();
          countDescriptors(dma.tile(), channel, aie::DmaStartOp(start).firstBd());
        }
      if (auto shim = dynCast<aie::ShimDmaAllocationOp>(&member))
        if (failed(checkChannel(member, shim.tile(), shim.channel()))) return failure();
    }
    return success();
  }

  LogicalResult place() {
    Result<Placement> placed = placeOpenTiles(layout_.device, open_, flows_);
    if (!placed) return layout_.op->emitOpError() << placed.error().message;
    for (size_t i = 0; i < openOps_.size(); ++i)
      layout_.tiles[openOps_[i]] = placed->tiles[i];
    for (const ChannelChoice& choice : placed->channels)
      layout_.channels[{openOps_[choice.open], choice.direction, choice.logical}] = choice.physical;
    layout_.config.flows = std::move(placed->flows);
    return success();
  }

  Layout& layout_;
  std::vector<OpenTile> open_;
  std::vector<const Operation*> openOps_;
  std::vector<OpenFlow> flows_;
};

}  // namespace

LogicalResult placeDesign(Layout& layout) { return Placing(layout).run(); }

LogicalResult nameShimChannels(Layout& layout) {
  for (aie::ShimDmaAllocationOp shim : membersOf<aie::ShimDmaAllocationOp>(layout.op)) {
    const aie::Channel channel = shim.channel();
    const DmaDirection direction = directionOf(channel.direction);
    const unsigned number = layout.channelOf(shim.tile().op(), direction, channel.index);
    ShimChannel named{std::string(shim.name()), layout.tileOf(*shim), direction, uint8_t(number)};
    if (auto packet = aie::packetInfo(shim->attr("packet"))) named.packetId = uint8_t(packet->id);
    named.location = shim->location();
    layout.config.shims.push_back(std::move(named));
  }
  return success();
}

}  // namespace airlite::npu
