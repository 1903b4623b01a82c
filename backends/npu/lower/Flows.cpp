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

class Connector {
 public:
  Connector(Design& design, const std::vector<DmaEnd>& ends, const HostSide& host)
      : design_(design), host_(host), builder_(design.device->context()) {
    for (const DmaEnd& end : ends) {
      Connection& connection = places_[numberOf(end.place)][end.place];
      (end.isPut ? connection.puts : connection.gets).push_back(&end);
    }
  }

  /// Channel by channel as they are declared.
  LogicalResult run() {
    LogicalResult result = success();
    for (auto& [number, places] : places_) {
      const HostSide::Channel& channel = host_.channels.at(places.begin()->first.channel);
      LogicalResult checked = success();
      for (const auto& [place, connection] : places)
        checked |= check(connection, channel);
      result |= checked;
      if (failed(checked)) continue;
      for (auto place = places.rbegin(); place != places.rend(); ++place)
        connectInside(place->second);
      connectHost(channel, places);
    }
    return result;
  }

 private:
  using Places = std::map<ChannelPlace, Connection>;

  size_t numberOf(const ChannelPlace& place) const {
    return host_.channels.at(place.channel).number;
  }

  static LogicalResult check(const Connection& connection, const HostSide::Channel& host) {
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

  void connectHost(const HostSide::Channel& channel, const Places& places) {
    std::vector<int64_t> sizes = channel.op.sizes();
    bool isBundle = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size != 1; });
    std::vector<std::pair<std::string, int64_t>> names;
    for (const auto& [place, connection] : places) {
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
    for (const std::vector<Operation*>& ops : {channel.puts, channel.gets})
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
    OperationState state(builder_.context(), end.op->location(), "aie.shim_dma_allocation");
    state.operands.push_back(shim.tile->result());
    auto add = [&](std::string_view attr, Attribute value) {
      state.addAttribute(builder_.context(), attr, value);
    };
    add("sym_name", builder_.stringAttr(name));
    add("channel_dir",
        keyword(builder_.context(), *state.def, "channel_dir", aie::directionName(direction)));
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
    OperationState state(builder_.context(), location, "aie.logical_tile");
    state.resultTypes.push_back(builder_.indexType());
    state.addAttribute(builder_.context(), "tile_type",
                       keyword(builder_.context(), *state.def, "tile_type", "ShimNOCTile"));
    builder_.setAfter(*design_.lastTile);
    return design_.lastTile = builder_.create(state);
  }

  void nameShims(Operation& op, const std::vector<std::pair<std::string, int64_t>>& names,
                 bool isBundle) {
    Context& context = builder_.context();
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
    const OpDef& def = *OperationState(builder_.context(), {}, "aie.flow").def;
    Attribute bundle = keyword(builder_.context(), def, "source_bundle", "DMA");
    builder_.create(op.location(), "aie.flow", {from.tile->result(), to.tile->result()}, {},
                    {builder_.named("source_bundle", bundle),
                     builder_.named("source_channel", builder_.i32Attr(from.channel)),
                     builder_.named("dest_bundle", bundle),
                     builder_.named("dest_channel", builder_.i32Attr(to.channel))});
  }

  Design& design_;
  const HostSide& host_;
  Builder builder_;
  std::map<size_t, Places> places_;  // by the number of the channel
  std::vector<Operation*> shims_;
  size_t used_[2] = {};  // shim channels from and to the host
};

}  // namespace

LogicalResult connectEnds(Design& design, const std::vector<DmaEnd>& ends, const HostSide& host) {
  return Connector(design, ends, host).run();
}

}  // namespace airlite::npu
