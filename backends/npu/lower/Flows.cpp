// Flows between the ends of channels, and the shim channels of the host.
#include "Transfers.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace airlite::npu {

namespace {

/// The ends at one place of a channel.
struct Connection {
  std::vector<const DmaEnd*> puts, gets;
};

/// Puts and gets of L3 of a channel.
struct HostUses {
  std::vector<Operation*> puts, gets;
};

class Connector {
 public:
  Connector(Design& design, const std::vector<DmaEnd>& ends)
      : design_(design), module_(*design.device->parentOp()), builder_(module_.context()) {
    for (const DmaEnd& end : ends) {
      Connection& connection = connections_[end.place];
      (end.isPut ? connection.puts : connection.gets).push_back(&end);
    }
    for (Operation& op : design.device->block()->ops())
      if (isa<air::ChannelOp>(&op)) channels_.push_back(air::ChannelOp(&op));
    readHost();
  }

  /// Channel by channel as they are declared.
  LogicalResult run() {
    LogicalResult result = success();
    for (air::ChannelOp channel : channels_) {
      std::vector<ChannelPlace> places;
      for (const auto& [place, connection] : connections_)
        if (place.channel == channel.symbol()) places.push_back(place);
      for (const ChannelPlace& place : places)
        result |= check(connections_[place], hostUsesOf(place));
      if (failed(result)) continue;
      for (size_t i = places.size(); i-- > 0;)
        connectInside(connections_[places[i]]);
      connectHost(channel, places);
    }
    return result;
  }

 private:
  void readHost() {
    module_.walkWith([&](Operation& op) {
      if (op.is("aie.device") || isa<air::HerdOp>(&op)) return WalkResult::Skip;
      bool isPut = isa<air::ChannelPutOp>(&op);
      if (!isPut && !isa<air::ChannelGetOp>(&op)) return WalkResult::Advance;
      air::ChannelAccessOp access(&op);
      HostUses& uses = host_[std::string(access.channelName())];
      bool isL2 = air::memoryLevel(access.access().memref.type()) == air::MemoryLevel::L2;
      if (!isL2) (isPut ? uses.puts : uses.gets).push_back(&op);  // those are of memory tiles
      return WalkResult::Advance;
    });
  }

  const HostUses& hostUsesOf(const ChannelPlace& place) { return host_[place.channel]; }

  static LogicalResult check(const Connection& connection, const HostUses& host) {
    const DmaEnd& end = *(connection.puts.empty() ? connection.gets : connection.puts)[0];
    if (connection.puts.size() > 1)
      return end.op->emitOpError()
             << "not supported: several tiles put into one place of a channel";
    bool isInside = !connection.puts.empty() && !connection.gets.empty();
    const std::vector<Operation*>& others = end.isPut ? host.gets : host.puts;
    const std::vector<Operation*>& same = end.isPut ? host.puts : host.gets;
    if (!same.empty() || (isInside && !others.empty()))
      return (end.op->emitOpError() << "not supported: a channel that tiles and the host "
                                    << (same.empty() ? "take from" : "use in one direction"))
                 .note((same.empty() ? others : same)[0]->location())
             << "the host does it here";
    if (isInside || !others.empty()) return success();
    return end.op->emitOpError() << "nothing "
                                 << (end.isPut ? "takes what is put" : "puts what is taken")
                                 << " here";
  }

  void connectInside(const Connection& connection) {
    for (const DmaEnd* put : connection.puts)
      for (const DmaEnd* get : connection.gets)
        createFlow(*put->op, {put->tile, put->channel}, {get->tile, get->channel});
  }

  // -- The host -----------------------------------------------------------------------------------

  struct Port {
    Operation* tile;
    int64_t channel;
  };

  void connectHost(air::ChannelOp channel, const std::vector<ChannelPlace>& places) {
    std::vector<int64_t> sizes = channel.sizes();
    bool isBundle = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size != 1; });
    std::vector<std::pair<std::string, int64_t>> names;
    for (const ChannelPlace& place : places) {
      const Connection& connection = connections_[place];
      if (!connection.puts.empty() && !connection.gets.empty()) continue;
      int64_t number = 0;
      for (size_t i = 0; i < sizes.size(); ++i)
        number = number * sizes[i] + place.index[i];
      std::string name = "air_" + place.channel;
      if (isBundle) name += "_" + std::to_string(number);
      if (!createShimEnd(connection, name)) return;
      names.push_back({name, number});
    }
    if (names.empty()) return;
    const HostUses& uses = host_[std::string(channel.symbol())];
    for (const std::vector<Operation*>& ops : {uses.puts, uses.gets})
      for (Operation* op : ops)
        nameShims(*op, names, isBundle);
  }

  bool createShimEnd(const Connection& connection, const std::string& name) {
    bool isTaken = !connection.puts.empty();  // by the host
    const DmaEnd& end = *(isTaken ? connection.puts : connection.gets)[0];
    Port shim = nextShimPort(end, isTaken);
    if (!shim.tile) return false;
    for (const DmaEnd* put : connection.puts)
      createFlow(*put->op, {put->tile, put->channel}, shim);
    for (const DmaEnd* get : connection.gets)
      createFlow(*get->op, shim, {get->tile, get->channel});
    auto direction = isTaken ? aie::Direction::S2MM : aie::Direction::MM2S;
    OperationState state(module_.context(), end.op->location(), "aie.shim_dma_allocation");
    state.operands.push_back(shim.tile->result());
    auto add = [&](std::string_view attr, Attribute value) {
      state.addAttribute(module_.context(), attr, value);
    };
    add("sym_name", builder_.stringAttr(name));
    add("channel_dir",
        keyword(module_.context(), *state.def, "channel_dir", aie::directionName(direction)));
    add("channel_index", builder_.i64Attr(shim.channel));
    builder_.setBefore(design_.device.body().back());
    builder_.create(state);
    return true;
  }

  /// Shims fill up one after the other; which column each becomes is chosen with the routes.
  Port nextShimPort(const DmaEnd& end, bool isTaken) {
    const aie::Device& device = design_.device.device();
    unsigned perShim = device.limits(aie::TileKind::ShimNoc).channels;
    size_t number = used_[isTaken]++;
    size_t most = static_cast<size_t>(std::popcount(device.nocColumns));
    if (number / perShim >= most) {
      end.op->emitOpError() << "needs shim channel number " << number + 1
                            << (isTaken ? " to" : " from") << " the host, but device '"
                            << device.name << "' has " << most * perShim;
      return {nullptr, 0};
    }
    if (number / perShim == shims_.size()) shims_.push_back(createShim(end.op->location()));
    return {shims_[number / perShim], static_cast<int64_t>(number % perShim)};
  }

  Operation* createShim(Location location) {
    OperationState state(module_.context(), location, "aie.logical_tile");
    state.resultTypes.push_back(builder_.indexType());
    state.addAttribute(module_.context(), "tile_type",
                       keyword(module_.context(), *state.def, "tile_type", "ShimNOCTile"));
    builder_.setAfter(*design_.lastTile);
    return design_.lastTile = builder_.create(state);
  }

  void nameShims(Operation& op, const std::vector<std::pair<std::string, int64_t>>& names,
                 bool isBundle) {
    Context& context = module_.context();
    if (!isBundle) return op.setAttr("metadata", SymbolRefAttr::get(context, names[0].first));
    std::vector<Attribute> entries;
    for (const auto& [name, number] : names) {
      NamedAttribute entry[] = {builder_.named("base", builder_.stringAttr(name)),
                                builder_.named("index", builder_.i32Attr(number))};
      entries.push_back(DictionaryAttr::get(context, entry));
    }
    op.setAttr("metadataArray", ArrayAttr::get(context, entries));
  }

  void createFlow(Operation& op, Port from, Port to) {
    builder_.setBefore(design_.device.body().back());
    const OpDef& def = *OperationState(module_.context(), {}, "aie.flow").def;
    Attribute bundle = keyword(module_.context(), def, "source_bundle", "DMA");
    builder_.create(op.location(), "aie.flow", {from.tile->result(), to.tile->result()}, {},
                    {builder_.named("source_bundle", bundle),
                     builder_.named("source_channel", builder_.i32Attr(from.channel)),
                     builder_.named("dest_bundle", bundle),
                     builder_.named("dest_channel", builder_.i32Attr(to.channel))});
  }

  Design& design_;
  Operation& module_;
  Builder builder_;
  std::map<ChannelPlace, Connection> connections_;
  std::vector<air::ChannelOp> channels_;
  std::map<std::string, HostUses> host_;
  std::vector<Operation*> shims_;
  size_t used_[2] = {};  // shim channels from and to the host
};

}  // namespace

LogicalResult connectEnds(Design& design, const std::vector<DmaEnd>& ends) {
  return Connector(design, ends).run();
}

}  // namespace airlite::npu
