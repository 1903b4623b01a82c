// Which object FIFOs the channels of a design become.
#include "ChannelFifos.hpp"

#include "DescriptorOrder.hpp"
#include "FifoMemory.hpp"
#include "Shims.hpp"
#include "WholeWords.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

constexpr std::string_view kResources = "buffer_resources";

/// One place of a channel.
struct ChannelFifo {
  std::string name;
  int64_t number = 0;  // of the place in its bundle
  int64_t depth = 1;   // objects
  MemRefType object = {};
  Operation* first = nullptr;              // the first put or get: messages stand there
  Operation* put = nullptr;                // the first put
  Operation* producer = nullptr;           // tile
  std::vector<Operation*> consumers = {};  // tiles
  std::optional<size_t> demand = {};       // number of the shim demand

  bool isInside() const { return producer && !consumers.empty(); }
};

/// One class: which ends a FIFO has comes from the cores, the L2 memory and the host, and each step
/// needs what the ones before have found.
class FifoMaker {
 public:
  FifoMaker(Design& design, const HostSide& host, bool isAlone)
      : design_(design),
        host_(host),
        isAlone_(isAlone),
        l2_(design),
        shims_(design),
        builder_(design.device->context()) {}

  LogicalResult run() {
    if (failed(checkDepths()) || failed(readCores()) || failed(readL2()) || failed(connectHost()))
      return failure();
    createFifos();
    for (const FifoLink& link : l2_.links())
      createLink(link);
    LogicalResult result = success();
    for (const CoreAccess& access : accesses_) {
      const ChannelFifo& fifo = fifoAt(access.place);
      result |= copyThroughFifo(access, fifo.name, fifo.object);
    }
    if (failed(result)) return result;
    return isAlone_ ? success() : nameForTheHost();
  }

 private:
  using Places = std::map<ChannelPlace, ChannelFifo>;

  const HostSide::Channel& channelOf(const ChannelPlace& place) const {
    return host_.channels.at(place.channel);
  }

  ChannelFifo& fifoAt(const ChannelPlace& place) {
    return places_[channelOf(place).number].at(place);
  }

  /// The FIFO at the place of a put or get, made when it is first asked for.
  ChannelFifo& fifoFor(const ChannelPlace& place, Operation& op) {
    const HostSide::Channel& channel = channelOf(place);
    const auto [found, isNew] = places_[channel.number].try_emplace(place);
    ChannelFifo& fifo = found->second;
    if (isNew) {
      fifo.number = numberOfPlace(channel, place);
      fifo.name = shimNameOf(channel, fifo.number);
      fifo.first = &op;
    }
    const auto depth = air::ChannelAccessOp(&op).channel()->attrOf<IntegerAttr>(kResources);
    if (depth) fifo.depth = std::max(fifo.depth, depth.value());
    return fifo;
  }

  LogicalResult checkDepths() const {
    LogicalResult result = success();
    for (const auto& [name, channel] : host_.channels) {
      const auto depth = channel.op->attrOf<IntegerAttr>(kResources);
      if (depth && depth.value() < 1)
        result = channel.op->emitOpError()
                 << kResources << " is " << depth.value() << ", not a number of objects";
    }
    return result;
  }

  // -- Ends ---------------------------------------------------------------------------------------

  LogicalResult addEnd(ChannelFifo& fifo, Operation& op, Operation* tile) {
    if (air::ChannelAccessOp(&op).isPut()) {
      if (fifo.producer && fifo.producer != tile)
        return op.emitOpError() << "not supported: several tiles put into one place of a channel";
      fifo.producer = tile;
      if (!fifo.put) fifo.put = &op;
    } else if (std::ranges::find(fifo.consumers, tile) == fifo.consumers.end()) {
      fifo.consumers.push_back(tile);
    }
    return success();
  }

  LogicalResult readCores() {
    LogicalResult result = success();
    for (Operation& core : design_.device.body().ops()) {
      if (!isa<aie::CoreOp>(&core)) continue;
      std::vector<Operation*> ops;
      core.walk(
          [&](Operation& op) {
            if (air::isChannelAccess(op)) ops.push_back(&op);
          },
          WalkOrder::PreOrder);
      for (Operation* op : ops)
        result |= readAccess(*op, *core.operand(0).definingOp());
    }
    return result;
  }

  LogicalResult readAccess(Operation& op, Operation& tile) {
    CoreAccess access;
    if (failed(readCoreAccess(op, access))) return failure();
    ChannelFifo& fifo = fifoFor(access.place, op);
    if (!fifo.object) fifo.object = objectFor(access);
    accesses_.push_back(access);
    if (isAsynchronous(op) && !access.op.isPut()) delay(op);
    return addEnd(fifo, op, &tile);
  }

  /// What an asynchronous get stands before may be what its sender waits for.
  static void delay(Operation& get) {
    const std::string_view channel = air::ChannelAccessOp(&get).channelName();
    moveToFirstUse(get, [&](Operation& other) {
      return air::isChannelAccess(other) && air::ChannelAccessOp(&other).channelName() == channel;
    });
  }

  static MemRefType objectFor(const CoreAccess& access) {
    const auto type = access.op.access().memref.type().cast<MemRefType>();
    return MemRefType::get(type.context(), access.shape, type.elementType());
  }

  LogicalResult readL2() {
    if (isAlone_) return success();
    if (failed(l2_.read())) return failure();
    for (const FifoLink& link : l2_.links())
      for (const std::vector<Site*>* side : {&link.gets, &link.puts})
        for (const Site* site : *side)
          if (failed(addL2End(*site, link))) return failure();
    return success();
  }

  LogicalResult addL2End(const Site& site, const FifoLink& link) {
    ChannelFifo& fifo = fifoFor(site.place, *site.op.op());
    const auto type = link.memory->result().type().cast<MemRefType>();
    if (!fifo.object) {
      const bool isAll = site.pattern.length >= type.numElements();
      const std::vector<int64_t> shape =
          isAll ? std::vector<int64_t>(type.shape().begin(), type.shape().end())
                : std::vector<int64_t>{site.pattern.length};
      fifo.object = MemRefType::get(type.context(), shape, type.elementType());
    }
    // The DMA moves whole words.
    if (toWholeWords(fifo.object.numElements(), type.elementType()) != site.pattern.length)
      return site.op->emitOpError()
             << "not supported by object FIFOs: it moves " << site.pattern.length
             << " elements, another transfer of its "
                "channel "
             << fifo.object.numElements();
    return addEnd(fifo, *site.op.op(), link.tile);
  }

  // -- The host -----------------------------------------------------------------------------------

  LogicalResult connectHost() {
    std::vector<ShimDemand> demands;
    std::deque<DmaEnd> ends;
    for (auto& [number, places] : places_)
      for (auto& [place, fifo] : places) {
        if (failed(checkHost(place, fifo))) return failure();
        if (fifo.isInside()) continue;
        fifo.demand = demands.size();
        const bool isTaken = fifo.producer != nullptr;
        Operation* tile = isTaken ? fifo.producer : fifo.consumers[0];
        const DmaEnd& end = ends.emplace_back(DmaEnd{place, isTaken, tile, 0, fifo.first, false});
        ShimDemand& demand = demands.emplace_back();
        demand.end = &end;
        demand.isTaken = isTaken;
        const auto column = channelOf(place).op->attrOf<IntegerAttr>("air.shim_col");
        if (column) demand.column = column.value();
      }
    std::vector<TilePort> ports;
    if (failed(shims_.assign(demands, ports))) return failure();
    for (auto& [number, places] : places_)
      for (auto& [place, fifo] : places)
        if (fifo.demand) addShim(fifo, ports[*fifo.demand].tile);
    return success();
  }

  static void addShim(ChannelFifo& fifo, Operation* shim) {
    if (fifo.producer)
      fifo.consumers.push_back(shim);
    else
      fifo.producer = shim;
  }

  /// The host is at the end that tiles are not at, and at none where they have both.
  LogicalResult checkHost(const ChannelPlace& place, const ChannelFifo& fifo) const {
    if (isAlone_) return success();
    const HostSide::Channel& channel = channelOf(place);
    const std::vector<Operation*>& others = fifo.producer ? channel.gets : channel.puts;
    const std::vector<Operation*>& same = fifo.producer ? channel.puts : channel.gets;
    if (!same.empty() || (fifo.isInside() && !others.empty()))
      return ((fifo.put ? fifo.put : fifo.first)->emitOpError()
              << "not supported: a channel that tiles and the host "
              << (same.empty() ? "take from" : "use in one direction"))
                 .note((same.empty() ? others : same)[0]->location())
             << "the host does it here";
    if (fifo.isInside() || !others.empty()) return success();
    return fifo.first->emitOpError() << "not supported: a channel whose other end is not in the "
                                        "design and not at the host";
  }

  LogicalResult nameForTheHost() {
    for (auto& [number, places] : places_) {
      std::map<int64_t, int64_t> shims;
      for (auto& [place, fifo] : places)
        if (fifo.demand) shims[fifo.number] = fifo.number;
      if (shims.empty()) continue;
      const auto& [place, fifo] = *places.begin();
      if (failed(nameShims(design_, channelOf(place), shims, *fifo.first))) return failure();
    }
    return success();
  }

  // -- Ops ----------------------------------------------------------------------------------------

  /// Before the cores, after all tiles.
  void toFifos() {
    for (Operation& op : design_.device.body().ops()) {
      if (!isa<aie::CoreOp>(&op) && &op != &design_.device.body().back()) continue;
      return builder_.setBefore(op);
    }
  }

  void createFifos() {
    for (auto& [number, places] : places_)
      for (auto& [place, fifo] : places)
        createFifo(fifo);
  }

  void createFifo(const ChannelFifo& fifo) {
    toFifos();
    Context& context = builder_.context();
    OperationState state(context, fifo.first->location(), "aie.objectfifo");
    state.operands.push_back(fifo.producer->result());
    for (Operation* consumer : fifo.consumers)
      state.operands.push_back(consumer->result());
    state.addAttribute(context, "sym_name", builder_.stringAttr(fifo.name));
    state.addAttribute(context, "elemNumber", builder_.i32Attr(fifo.depth));
    state.addAttribute(context, "elemType", TypeAttr::get(fifoType("aie.objectfifo", fifo.object)));
    made_[fifo.name] = builder_.create(state);
  }

  /// In front of the first FIFO that it fills.
  void createLink(const FifoLink& link) {
    Context& context = builder_.context();
    const auto names = [&](const std::vector<Site*>& sites) {
      std::vector<Attribute> list;
      for (const Site* site : sites)
        list.push_back(SymbolRefAttr::get(context, fifoAt(site->place).name));
      return ArrayAttr::get(context, list);
    };
    const auto offsets = [&](const std::vector<Site*>& sites) {
      std::vector<Attribute> list;
      for (const Site* site : sites)
        if (sites.size() > 1) list.push_back(builder_.i64Attr(site->pattern.offset));
      return ArrayAttr::get(context, list);
    };
    builder_.setBefore(*made_.at(fifoAt(link.puts[0]->place).name));
    builder_.create(
        link.memory->location(), "aie.objectfifo.link", {}, {},
        {builder_.named("fifoIns", names(link.gets)), builder_.named("fifoOuts", names(link.puts)),
         builder_.named("src_offsets", offsets(link.gets)),
         builder_.named("dst_offsets", offsets(link.puts))});
  }

  Design& design_;
  const HostSide& host_;
  const bool isAlone_;  // no program around the device
  FifoMemory l2_;
  Shims shims_;
  Builder builder_;
  std::map<size_t, Places> places_;  // by the number of the channel
  std::vector<CoreAccess> accesses_;
  std::map<std::string, Operation*> made_;  // FIFOs by name
};

}  // namespace

LogicalResult lowerToFifos(Design& design, const HostSide& host) {
  return FifoMaker(design, host, false).run();
}

LogicalResult lowerDeviceToFifos(aie::DeviceOp device) {
  Design design;
  design.device = device;
  design.source = device.op();
  for (Operation& op : device.body().ops())
    if (isa<aie::TileOp>(&op)) design.lastTile = &op;
  return FifoMaker(design, HostSide(*device), true).run();
}

LogicalResult deepenLabelledChannels(Operation& root, bool& changed) {
  std::vector<Operation*> loops;
  root.walk([&](Operation& op) {
    if (op.is("scf.for") && op.attrOf<IntegerAttr>("unroll")) loops.push_back(&op);
  });
  for (Operation* loop : loops) {
    const int64_t objects = loop->attrOf<IntegerAttr>("unroll").value();
    if (objects < 1)
      return loop->emitOpError() << "unroll is " << objects << ", not a number of rounds";
    loop->walk([&](Operation& op) {
      if (!air::isChannelAccess(op)) return;
      const air::ChannelOp channel = air::ChannelAccessOp(&op).channel();
      if (!channel) return;
      const auto before = channel->attrOf<IntegerAttr>(kResources);
      if (before && before.value() >= objects) return;
      channel->setAttr(kResources, IntegerAttr::get(IntegerType::get(op.context(), 32), objects));
    });
    loop->removeAttr("unroll");
  }
  changed |= !loops.empty();
  return success();
}

}  // namespace airlite::npu
