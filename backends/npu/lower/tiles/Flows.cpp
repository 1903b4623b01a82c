// Flows between the ends of channels, and the shim channels of the host.
#include "Packets.hpp"
#include "Shims.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace airlite::npu {

namespace {

int64_t numPlacesOf(const HostSide::Channel& channel) {
  int64_t places = 1;
  for (int64_t size : channel.op.sizes())
    places *= size;
  return places;
}

/// Entries that designs made before have left, by the number of the place.
std::map<int64_t, Attribute> namedByOthers(const Design& design, const HostSide::Channel& channel) {
  std::map<int64_t, Attribute> entries;
  auto isOther = [&](const HostSide::Channel::Inside& end) { return end.source != design.source; };
  bool hasOthers = std::ranges::any_of(channel.putsInside, isOther) ||
                   std::ranges::any_of(channel.getsInside, isOther);
  const std::vector<Operation*>& ops = channel.puts.empty() ? channel.gets : channel.puts;
  auto array = hasOthers && !ops.empty() ? ops[0]->attrOf<ArrayAttr>("metadataArray") : ArrayAttr();
  if (!array) return entries;
  for (Attribute entry : array.value())
    if (auto named = entry.dynCast<DictionaryAttr>())
      if (auto index = named.get("index").dynCast<IntegerAttr>()) entries[index.value()] = entry;
  return entries;
}

/// The ends at one place of a channel, and what the host is at.
struct Connection {
  std::vector<const DmaEnd*> puts, gets;
  std::optional<size_t> demand;  // number of the shim demand
  std::string name;              // of the shim channel
  int64_t number = 0;            // of the shim channel, else of the place
  bool isInside() const { return !puts.empty() && !gets.empty(); }
  const DmaEnd& first() const { return *(puts.empty() ? gets : puts)[0]; }
};

/// One class: all flows say which shim channels they need before any is assigned; then each is
/// connected and named by what it was given.
class Connector {
 public:
  Connector(Design& design, const std::vector<DmaEnd>& ends, const HostSide& host,
            const PacketPlan& packets)
      : design_(design),
        host_(host),
        packets_(packets),
        shims_(design),
        builder_(design.device->context()) {
    for (const DmaEnd& end : ends) {
      Connection& connection = places_[numberOf(end.place)][end.place];
      (end.isPut ? connection.puts : connection.gets).push_back(&end);
    }
  }

  /// Channel by channel as they are declared: flows, then the shim channels, those that the host
  /// takes from first.
  LogicalResult run() {
    LogicalResult result = success();
    for (auto& [number, places] : places_)
      for (auto& [place, connection] : places)
        result |= check(connection, channelOf(places));
    if (failed(result)) return result;
    for (auto& [number, places] : places_)
      demandShims(channelOf(places), places);
    if (failed(shims_.assign(demands_, ports_))) return failure();
    for (auto& [number, places] : places_) {
      for (auto place = places.rbegin(); place != places.rend(); ++place)
        if (!packets_.of(place->first)) connect(place->second);
      for (auto& [place, connection] : places)
        if (const PacketUse* use = packets_.of(place)) connectByPackets(connection, *use);
    }
    for (bool isTaken : {true, false})
      for (auto& [number, places] : places_)
        for (auto& [place, connection] : places)
          if (connection.demand && demands_[*connection.demand].isTaken == isTaken)
            createAllocation(place, connection);
    for (auto& [number, places] : places_)
      result |= nameShims(channelOf(places), places);
    return result;
  }

 private:
  using Places = std::map<ChannelPlace, Connection>;

  size_t numberOf(const ChannelPlace& place) const {
    return host_.channels.at(place.channel).number;
  }
  const HostSide::Channel& channelOf(const Places& places) const {
    return host_.channels.at(places.begin()->first.channel);
  }

  LogicalResult check(const Connection& connection, const HostSide::Channel& host) const {
    const DmaEnd& end = connection.first();
    if (connection.puts.size() > 1 && !packets_.of(end.place))
      return end.op->emitOpError()
             << "not supported: several tiles put into one place of a channel";
    const std::vector<Operation*>& others = end.isPut ? host.gets : host.puts;
    const std::vector<Operation*>& same = end.isPut ? host.puts : host.gets;
    if (!same.empty() || (connection.isInside() && !others.empty()))
      return (end.op->emitOpError() << "not supported: a channel that tiles and the host "
                                    << (same.empty() ? "take from" : "use in one direction"))
                 .note((same.empty() ? others : same)[0]->location())
             << "the host does it here";
    if (connection.isInside() || !others.empty()) return success();
    for (const HostSide::Channel::Inside& other : end.isPut ? host.getsInside : host.putsInside) {
      if (other.source == design_.source) continue;
      return (end.op->emitOpError()
              << "not supported: a channel between designs: each segment, and "
                 "each herd outside of one, is loaded by itself")
                 .note(other.location)
             << "its other end";
    }
    // The design waits there, as the program does.
    end.op->emitWarning() << "nothing " << (end.isPut ? "takes what is put" : "puts what is taken")
                          << " here: it waits without end";
    return success();
  }

  // -- The host -----------------------------------------------------------------------------------

  void demandShims(const HostSide::Channel& channel, Places& places) {
    for (auto& [place, connection] : places) {
      bool isTaken = !connection.puts.empty();
      if (connection.isInside() || (isTaken ? channel.gets : channel.puts).empty()) continue;
      connection.number = numberOfPlace(channel, place);
      connection.demand = demands_.size();
      ShimDemand& demand = demands_.emplace_back();
      demand = {&connection.first(), isTaken, packets_.of(place) != nullptr,
                channel.op->hasAttr("air.dedicated_dma_channel"), std::nullopt};
      if (auto col = channel.op->attrOf<IntegerAttr>("air.shim_col")) demand.column = col.value();
    }
    countFromLeft(channel, places);
    for (auto& [place, connection] : places)
      if (connection.demand) connection.name = shimNameOf(channel, connection.number);
  }

  /// Where all places of a channel go through shims of this design, these are numbered from left to right
  /// in the columns of their tiles; those that are open come last, in the order of the places.
  static void countFromLeft(const HostSide::Channel& channel, Places& places) {
    std::vector<Connection*> order;
    for (auto& [place, connection] : places)
      if (connection.demand) order.push_back(&connection);
    if (static_cast<int64_t>(order.size()) != numPlacesOf(channel)) return;
    const auto column = [](const Connection* connection) {
      constexpr int64_t kOpen = std::numeric_limits<int64_t>::max();
      return aie::TileOp(connection->first().tile).col().value_or(kOpen);
    };
    std::ranges::stable_sort(order, {}, column);
    for (size_t i = 0; i < order.size(); ++i)
      order[i]->number = static_cast<int64_t>(i);
  }

  void createAllocation(const ChannelPlace& place, const Connection& connection) {
    TilePort shim = ports_[*connection.demand];
    bool isTaken = demands_[*connection.demand].isTaken;
    auto direction = isTaken ? aie::Direction::S2MM : aie::Direction::MM2S;
    Context& context = builder_.context();
    OperationState state(context, connection.first().op->location(), "aie.shim_dma_allocation");
    state.operands.push_back(shim.tile->result());
    state.addAttribute(context, "sym_name", builder_.stringAttr(connection.name));
    state.addAttribute(context, "channel_dir",
                       keyword(context, *state.def, "channel_dir", aie::directionName(direction)));
    state.addAttribute(context, "channel_index", builder_.i64Attr(shim.channel));
    if (Attribute packet = packetOf(place); packet && !isTaken)
      state.addAttribute(context, "packet", packet);
    builder_.setBefore(design_.device.body().back());
    builder_.create(state);
  }

  /// What the DMA writes in the headers of a packet channel; null where it writes none.
  Attribute packetOf(const ChannelPlace& place) const {
    const PacketUse* use = packets_.of(place);
    if (!use || !use->isStamped) return {};
    return aie::packetInfoAttr(builder_.context(), {0, use->ids[0]});
  }

  /// Transfers of the host learn the names and the packets.
  LogicalResult nameShims(const HostSide::Channel& channel, const Places& places) {
    std::map<int64_t, int64_t> shims;
    const Operation* at = nullptr;
    for (const auto& [place, connection] : places) {
      if (!connection.demand) continue;
      shims[numberOfPlace(channel, place)] = connection.number;
      if (!at) at = connection.first().op;
    }
    if (shims.empty()) return success();
    if (failed(npu::nameShims(design_, channel, shims, *at))) return failure();
    for (Operation* op : channel.puts)
      if (Attribute packet = packetOfPut(air::ChannelAccessOp(op), places))
        op->setAttr("packet", packet);
    return success();
  }

  /// Of the place that a put of the host names; null where it is not one place.
  Attribute packetOfPut(air::ChannelAccessOp put, const Places& places) const {
    if (places.size() == 1) return packetOf(places.begin()->first);
    ChannelPlace place{places.begin()->first.channel, {}};
    for (Value value : put.indices()) {
      auto index = constantIntOf(value);
      if (!index) return {};
      place.index.push_back(*index);
    }
    return packetOf(place);
  }

  // -- Flows --------------------------------------------------------------------------------------

  static TilePort portOf(const DmaEnd& end) {
    return {end.tile, end.channel, end.isCore ? aie::Bundle::Core : aie::Bundle::DMA};
  }

  void connect(const Connection& connection) {
    if (connection.demand) {
      TilePort shim = ports_[*connection.demand];
      for (const DmaEnd* put : connection.puts)
        createFlow(*put->op, portOf(*put), shim);
      for (const DmaEnd* get : connection.gets)
        createFlow(*get->op, shim, portOf(*get));
    }
    for (const DmaEnd* put : connection.puts)
      for (const DmaEnd* get : connection.gets)
        createFlow(*put->op, portOf(*put), portOf(*get));
  }

  /// One flow for each sender, to all receivers; with several ids and receivers one for each.
  void connectByPackets(const Connection& connection, const PacketUse& use) {
    std::vector<TilePort> from, to;
    for (const DmaEnd* put : connection.puts)
      from.push_back(portOf(*put));
    for (const DmaEnd* get : connection.gets)
      to.push_back(portOf(*get));
    if (connection.demand) (from.empty() ? from : to).push_back(ports_[*connection.demand]);
    if (from.empty() || to.empty()) return;
    bool isDemux = use.ids.size() > 1 && use.ids.size() == to.size();
    Operation& op = *connection.first().op;
    for (TilePort source : from)
      for (size_t i = 0; i < use.ids.size(); ++i)
        createPacketFlow(op, use, use.ids[i], source, isDemux ? std::vector{to[i]} : to);
  }

  void createPacketFlow(Operation& op, const PacketUse& use, int64_t id, TilePort from,
                        const std::vector<TilePort>& to) {
    Context& context = builder_.context();
    builder_.setBefore(design_.device.body().back());
    OperationState state(context, op.location(), "aie.packet_flow");
    state.addAttribute(context, "ID", IntegerAttr::get(IntegerType::get(context, 8), id));
    if (use.keepsHeader)
      state.addAttribute(context, "keep_pkt_header", IntegerAttr::getBool(context, true));
    Block& ports = state.addRegion().addBlock(context);
    builder_.create(state);
    createEndpoint(ports, op, "aie.packet_source", from);
    for (TilePort port : to)
      createEndpoint(ports, op, "aie.packet_dest", port);
    Builder::atEnd(ports).create(op.location(), "aie.end", {}, {});
  }

  static void createEndpoint(Block& ports, Operation& op, std::string_view name, TilePort port) {
    Builder builder = Builder::atEnd(ports);
    OperationState state(builder.context(), op.location(), name);
    state.operands.push_back(port.tile->result());
    state.addAttribute(
        builder.context(), "bundle",
        keyword(builder.context(), *state.def, "bundle", aie::bundleName(port.bundle)));
    state.addAttribute(builder.context(), "channel", builder.i32Attr(port.channel));
    builder.create(state);
  }

  void createFlow(Operation& op, TilePort from, TilePort to) {
    builder_.setBefore(design_.device.body().back());
    const OpDef& def = *OperationState(builder_.context(), {}, "aie.flow").def;
    auto bundle = [&](std::string_view end, TilePort port) {
      return builder_.named(end,
                            keyword(builder_.context(), def, end, aie::bundleName(port.bundle)));
    };
    builder_.create(
        op.location(), "aie.flow", {from.tile->result(), to.tile->result()}, {},
        {bundle("source_bundle", from),
         builder_.named("source_channel", builder_.i32Attr(from.channel)),
         bundle("dest_bundle", to), builder_.named("dest_channel", builder_.i32Attr(to.channel))});
  }

  Design& design_;
  const HostSide& host_;
  const PacketPlan& packets_;
  Shims shims_;
  Builder builder_;
  std::map<size_t, Places> places_;  // by the number of the channel
  std::vector<ShimDemand> demands_;
  std::vector<TilePort> ports_;  // of shims, one for each demand
};

}  // namespace

int64_t numberOfPlace(const HostSide::Channel& channel, const ChannelPlace& place) {
  const std::vector<int64_t> sizes = channel.op.sizes();
  int64_t number = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    number = number * sizes[i] + place.index[i];
  return number;
}

std::string shimNameOf(const HostSide::Channel& channel, int64_t number) {
  const std::string name = "air_" + std::string(channel.op.symbol());
  return numPlacesOf(channel) > 1 ? name + "_" + std::to_string(number) : name;
}

LogicalResult nameShims(const Design& design, const HostSide::Channel& channel,
                        const std::map<int64_t, int64_t>& shims, const Operation& reportAt) {
  std::map<int64_t, Attribute> entries = namedByOthers(design, channel);
  const size_t numOthers = entries.size();
  Builder builder(design.device->context());
  for (const auto& [place, shim] : shims) {
    NamedAttribute entry[] = {builder.named("base", builder.stringAttr(shimNameOf(channel, shim))),
                              builder.named("index", builder.i32Attr(shim))};
    entries[place] = DictionaryAttr::get(builder.context(), entry);
  }
  if (entries.size() != numOthers + shims.size())
    return reportAt.emitOpError() << "not supported: one place of a channel in several designs";
  std::vector<Attribute> list;
  for (auto& [number, entry] : entries)
    list.push_back(entry);
  const Attribute array = ArrayAttr::get(builder.context(), list);
  for (const std::vector<Operation*>& ops : {channel.puts, channel.gets})
    for (Operation* op : ops)
      op->setAttr("metadataArray", array);
  return success();
}

LogicalResult connectEnds(Design& design, const std::vector<DmaEnd>& ends, const HostSide& host,
                          const PacketPlan& packets) {
  return Connector(design, ends, host, packets).run();
}

}  // namespace airlite::npu
