// Where the objects of FIFOs are, and which DMA channels move them.
#include "ObjectFifos.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>

namespace airlite::npu::fifo {

bool isSameTile(aie::TileOp a, aie::TileOp b) { return a == b || (a.id() && a.id() == b.id()); }

namespace {

constexpr std::string_view kUnsupportedFifoAttributes[] = {"padDimensions", "via_shared_mem"};
constexpr std::string_view kUnsupportedFifoFlags[] = {"plio", "disable_synchronization"};

bool isFlagSet(const Operation& op, std::string_view name) {
  auto flag = op.attrOf<IntegerAttr>(name);
  return flag && flag.value() != 0;
}

int64_t repeatsOf(aie::ObjectFifoOp fifo) {
  auto count = fifo->attrOf<IntegerAttr>("repeat_count");
  return count ? count.value() : 1;
}

LogicalResult checkFifo(aie::ObjectFifoOp fifo) {
  for (std::string_view name : kUnsupportedFifoAttributes)
    if (fifo->hasAttr(name)) return fifo->emitOpError() << "not supported: '" << name << "'";
  for (std::string_view name : kUnsupportedFifoFlags)
    if (isFlagSet(*fifo, name)) return fifo->emitOpError() << "not supported: '" << name << "'";
  const MemRefType type = fifo.elementType();
  if (!type.hasStaticShape() || !aie::elementBytes(type.elementType()))
    return fifo->emitOpError() << "not supported: objects whose size is not known";
  return success();
}

int64_t wholeObject(MemRefType type) {
  return aie::toWholeWords(type.numElements(), aie::elementBytes(type.elementType()).value_or(4));
}

/// One class: each step asks what the ones before it decided for the FIFOs at both ends of a link.
class FifoPlanner {
 public:
  FifoPlanner(aie::DeviceOp device, Plan& plan) : device_(device), plan_(plan) {}

  LogicalResult run() {
    plan_.device = device_;
    std::vector<Operation*> links;
    for (Operation& op : device_.body().ops()) {
      if (isa<aie::ObjectFifoOp>(&op) && failed(addFifo(aie::ObjectFifoOp(&op)))) return failure();
      if (op.is("aie.objectfifo.link")) links.push_back(&op);
    }
    for (Operation* link : links)
      if (failed(joinLink(*link))) return failure();
    for (Fifo& fifo : plan_.fifos) {
      addPools(fifo);
      if (failed(addRepeats(fifo)) || failed(addContents(fifo))) return failure();
    }
    readUsedChannels();
    for (Fifo& fifo : plan_.fifos)
      if (!fifo.isShared && failed(chooseChannels(fifo))) return failure();
    return checkTiles();
  }

 private:
  LogicalResult addFifo(aie::ObjectFifoOp op) {
    if (failed(checkFifo(op))) return failure();
    Fifo fifo{op, {}, false};
    fifo.ends.push_back({op.producer(), false, {}, {}, op->attr("dimensionsToStream"), 0});
    auto perConsumer = op->attrOf<DialectAttr>("dimensionsFromStreamPerConsumer");
    for (aie::TileOp tile : op.consumers()) {
      const size_t number = fifo.ends.size() - 1;
      const Attribute dims = perConsumer ? perConsumer.parameters()[number] : Attribute();
      fifo.ends.push_back({tile, true, {}, {}, dims, 0});
    }
    for (End& end : fifo.ends) {
      auto list = end.dims ? end.dims.dynCast<DialectAttr>() : DialectAttr();
      if (!list || list.parameters().empty()) end.dims = Attribute();
      if (!end.tile.kind())
        return op->emitOpError() << "has an end on a tile that is not in the device";
    }
    const int64_t most = device_.device().limits(aie::TileKind::Core).maxLockValue;
    for (size_t i = 0; i < fifo.ends.size(); ++i)
      if (op.depth(i) > most)
        return op->emitOpError() << "does not fit: its depth is " << op.depth(i)
                                 << ", and locks count to " << most;
    plan_.fifos.push_back(std::move(fifo));
    return success();
  }

  // -- Links ----------------------------------------------------------------------------------------

  Fifo& fifoNamed(Attribute name) {
    const std::string_view wanted = name.cast<SymbolRefAttr>().leaf();
    return *std::ranges::find_if(plan_.fifos,
                                 [&](const Fifo& fifo) { return fifo.op.name() == wanted; });
  }

  struct LinkSide {
    Fifo* fifo;
    End* end;
  };

  /// The ends of the FIFOs that `attribute` names, on the tile of the link.
  std::vector<LinkSide> sideOf(Operation& link, std::string_view attribute, aie::TileOp tile) {
    std::vector<LinkSide> side;
    for (Attribute name : link.attrOf<ArrayAttr>(attribute).value()) {
      Fifo& fifo = fifoNamed(name);
      const bool isOut = attribute == "fifoOuts";
      End* end = &fifo.ends.front();
      for (size_t i = 1; !isOut && i < fifo.ends.size(); ++i)
        if (isSameTile(fifo.ends[i].tile, tile)) end = &fifo.ends[i];
      side.push_back({&fifo, end});
    }
    return side;
  }

  LogicalResult joinLink(Operation& link) {
    const Attribute first = link.attrOf<ArrayAttr>("fifoOuts")[0];
    const aie::TileOp tile = fifoNamed(first).ends.front().tile;
    std::vector<LinkSide> ins = sideOf(link, "fifoIns", tile);
    std::vector<LinkSide> outs = sideOf(link, "fifoOuts", tile);
    if (tile.kind() != aie::TileKind::Core && tile.kind() != aie::TileKind::Mem)
      return link.emitOpError() << "not supported: a link on a tile without memory";
    const bool joins = ins.size() > 1;
    const LinkSide& large = joins ? outs.front() : ins.front();
    std::vector<LinkSide>& small = joins ? ins : outs;
    Pool pool{
        tile, std::string(large.fifo->op.name()) + "_link", large.fifo->op.elementType(), 1, {},
        {}};
    pool.location = large.fifo->op->location();
    pool.depth = large.fifo->op.depth(static_cast<size_t>(large.end - large.fifo->ends.data()));
    for (const std::vector<LinkSide>* side : {&ins, &outs})
      for (const LinkSide& one : *side)
        if (one.end->pool) return link.emitOpError() << "links an end that another link has";
    if (failed(cutObjects(link, pool, small, joins ? "src_offsets" : "dst_offsets")))
      return failure();
    if (pool.parts.size() > 1 && large.end->dims)
      return link.emitOpError() << "not supported: dimensions of @" << large.fifo->op.name()
                                << ", whose objects are made of parts";
    large.end->pool = plan_.pools.size();
    plan_.pools.push_back(std::move(pool));
    return success();
  }

  /// A part of the objects for each small FIFO.
  LogicalResult cutObjects(Operation& link, Pool& pool, std::vector<LinkSide>& small,
                           std::string_view attribute) {
    const ArrayAttr offsets = link.attrOf<ArrayAttr>(attribute);
    for (size_t i = 0; i < small.size(); ++i) {
      const MemRefType type = small[i].fifo->op.elementType();
      if (type.elementType() != pool.type.elementType())
        return link.emitOpError() << "not supported: objects of other elements";
      const bool isOne = small.size() == 1;
      const int64_t offset =
          i < offsets.size() ? offsets[i].cast<IntegerAttr>().value() : int64_t{0};
      if (small[i].end->pool) return link.emitOpError() << "links an end twice";
      pool.parts.push_back({offset, isOne ? wholeObject(type) : type.numElements(), {}, {}});
      small[i].end->pool = plan_.pools.size();
      if (!isOne) small[i].end->part = i;
    }
    return checkParts(link, pool);
  }

  /// Together the parts are the object, one after the other: so they come in the stream.
  static LogicalResult checkParts(Operation& link, const Pool& pool) {
    const int64_t all = pool.type.numElements();
    int64_t end = 0;
    for (const Part& part : pool.parts) {
      if (part.offset != end)
        return link.emitOpError()
               << "not supported: parts that do not follow each other: one begins "
                  "at element "
               << part.offset << ", the one before ends at " << end;
      end += part.length;
    }
    const bool isAll = pool.parts.size() == 1 ? end == wholeObject(pool.type) : end == all;
    if (isAll) return success();
    return link.emitOpError() << "not supported: the parts have " << end
                              << " elements, the object has " << all;
  }

  // -- Pools ----------------------------------------------------------------------------------------

  static bool isHostSide(const End& end) {
    const auto kind = end.tile.kind();
    return kind == aie::TileKind::ShimNoc || kind == aie::TileKind::ShimPl;
  }

  void addPool(Fifo& fifo, size_t number, std::string_view suffix) {
    const MemRefType type = fifo.op.elementType();
    Pool pool{fifo.ends[number].tile,
              std::string(fifo.op.name()) + std::string(suffix),
              type,
              fifo.op.depth(number),
              {{0, wholeObject(type), {}, {}}},
              {}};
    pool.location = fifo.op->location();
    fifo.ends[number].pool = plan_.pools.size();
    plan_.pools.push_back(std::move(pool));
  }

  /// The end whose memory both cores reach; none: they need DMAs.
  std::optional<size_t> sharedEnd(const Fifo& fifo) const {
    const bool needsDma = isFlagSet(*fifo.op, "via_DMA") || repeatsOf(fifo.op) != 1;
    if (fifo.ends.size() != 2 || needsDma) return std::nullopt;
    for (const End& end : fifo.ends)
      if (end.dims || end.pool || !end.tile.id() || end.tile.kind() != aie::TileKind::Core)
        return std::nullopt;
    for (size_t i = 0; i < 2; ++i)
      if (device_.device().reachesMemory(*fifo.ends[1 - i].tile.id(), *fifo.ends[i].tile.id()))
        return i;
    return std::nullopt;
  }

  void addPools(Fifo& fifo) {
    if (const auto shared = sharedEnd(fifo)) {
      addPool(fifo, *shared, "");
      plan_.pools.back().depth = std::max(fifo.op.depth(0), fifo.op.depth(1));
      fifo.ends[1 - *shared].pool = fifo.ends[*shared].pool;
      fifo.isShared = true;
      return;
    }
    for (size_t i = 0; i < fifo.ends.size(); ++i) {
      if (fifo.ends[i].pool || isHostSide(fifo.ends[i])) continue;
      const std::string number = fifo.ends.size() > 2 ? "_" + std::to_string(i - 1) : "";
      addPool(fifo, i, i == 0 ? "" : number + "_cons");
    }
  }

  LogicalResult addRepeats(const Fifo& fifo) {
    const int64_t count = repeatsOf(fifo.op);
    if (count == 1) return success();
    const End& producer = fifo.ends.front();
    if (!producer.pool)
      return fifo.op->emitOpError() << "not supported: 'repeat_count' of objects of the host";
    Pool& pool = plan_.pools[*producer.pool];
    const int64_t most = device_.device().limits(*producer.tile.kind()).maxLockValue;
    if (count < 1 || pool.depth > most / count)
      return fifo.op->emitOpError() << "does not fit: 'repeat_count' is " << count << ", for "
                                    << pool.depth << " objects, and locks count from 1 to " << most;
    for (size_t i = 0; i < pool.parts.size(); ++i)
      if (!producer.part || *producer.part == i) pool.parts[i].repeats = count;
    return success();
  }

  LogicalResult addContents(const Fifo& fifo) {
    auto values = fifo.op->attrOf<ArrayAttr>("init_values");
    if (!values) return success();
    const std::optional<size_t> pool = fifo.ends.front().pool;
    const bool isOwn = pool && plan_.pools[*pool].name == fifo.op.name() &&
                       plan_.pools[*pool].depth == static_cast<int64_t>(values.size());
    if (!isOwn)
      return fifo.op->emitOpError()
             << "not supported: 'init_values' of objects that its producer does not have alone";
    plan_.pools[*pool].contents = values;
    return success();
  }

  // -- Channels -------------------------------------------------------------------------------------

  struct UsedChannels {
    aie::TileOp tile;
    std::vector<int64_t> taken[2];  // by direction
  };

  UsedChannels& usedOf(aie::TileOp tile) {
    for (UsedChannels& used : used_)
      if (isSameTile(used.tile, tile)) return used;
    return used_.emplace_back(UsedChannels{tile, {}});
  }

  void take(aie::TileOp tile, aie::Direction direction, int64_t channel) {
    usedOf(tile).taken[static_cast<size_t>(direction)].push_back(channel);
  }

  /// Those that flows and names for the host use already.
  void readUsedChannels() {
    for (Operation& op : device_.body().ops()) {
      if (auto name = dynCast<aie::ShimDmaAllocationOp>(&op))
        take(name.tile(), name.channel().direction, name.channel().index);
      if (!isa<aie::FlowOp>(&op)) continue;
      const aie::FlowOp flow(&op);
      if (flow.source().port.bundle == aie::Bundle::DMA)
        take(flow.source().tile, aie::Direction::MM2S, flow.source().port.channel);
      if (flow.dest().port.bundle == aie::Bundle::DMA)
        take(flow.dest().tile, aie::Direction::S2MM, flow.dest().port.channel);
    }
  }

  LogicalResult chooseChannels(Fifo& fifo) {
    const auto numHostEnds = std::ranges::count_if(fifo.ends, isHostSide);
    if (numHostEnds > 1)
      return fifo.op->emitOpError() << "has several ends in the memory of the host, but its name "
                                       "stands for one transfer";
    for (End& end : fifo.ends) {
      if (end.tile.kind() == aie::TileKind::ShimPl)
        return fifo.op->emitOpError() << "has an end on a shim without DMA";
      const auto direction = end.fills ? aie::Direction::S2MM : aie::Direction::MM2S;
      const std::vector<int64_t>& taken = usedOf(end.tile).taken[static_cast<size_t>(direction)];
      const int64_t most = device_.device().limits(*end.tile.kind()).channels;
      end.channel = 0;
      while (std::ranges::find(taken, end.channel) != taken.end())
        ++end.channel;
      if (end.channel >= most)
        return fifo.op->emitOpError()
               << "does not fit: its " << (end.fills ? "consumer" : "producer") << " needs another "
               << aie::directionName(direction) << " channel of a tile that has " << most;
      take(end.tile, direction, end.channel);
    }
    return success();
  }

  /// A DMA program is made for each tile; it cannot be added to one that is there.
  LogicalResult checkTiles() {
    for (Operation& op : device_.body().ops()) {
      aie::DmaOp program = aie::asDmaOp(&op);
      if (!program) continue;
      for (const Fifo& fifo : plan_.fifos)
        for (const End& end : fifo.ends)
          if (!fifo.isShared && isSameTile(end.tile, program.tile()))
            return (op.emitOpError() << "not supported: a DMA program on a tile with object FIFOs")
                       .note(fifo.op->location())
                   << "@" << fifo.op.name() << " needs its DMA";
    }
    return success();
  }

  aie::DeviceOp device_;
  Plan& plan_;
  std::vector<UsedChannels> used_;
};

}  // namespace

LogicalResult planFifos(aie::DeviceOp device, Plan& plan) {
  return FifoPlanner(device, plan).run();
}

}  // namespace airlite::npu::fifo
