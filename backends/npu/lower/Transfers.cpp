// Descriptors and locks for the puts and gets of cores.
#include "Transfers.hpp"

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

// -- What there is --------------------------------------------------------------------------------

/// What a descriptor says about memory, in elements.
struct Pattern {
  int64_t offset = 0, length = 0;
  std::vector<std::pair<int64_t, int64_t>> dims;  // size and stride, outermost first; empty: linear
};

/// One put or get of a core.
struct Site {
  air::ChannelAccessOp op;
  bool isPut = false;
  Operation* buffer = nullptr;  // aie.buffer
  ChannelPlace place;           // of the put; a get of a broadcast has one with others
  Pattern pattern;
  Value go, done;
};

/// A DMA channel of a tile: the transfers that it makes in turn.
struct Port {
  int64_t channel = 0;
  std::vector<Site*> sites;
};

struct Access {
  Operation* op = nullptr;
  bool writes = false;
};

// -- Reading a site -------------------------------------------------------------------------------

LogicalResult readPlace(Site& site) {
  air::ChannelAccessOp op = site.op;
  air::ChannelOp channel = op.channel();
  std::vector<int64_t> sizes = channel.sizes();
  site.place = {std::string(op.channelName()), std::vector<int64_t>(sizes.size())};
  for (unsigned i = 0; i < op.indices().size() && i < sizes.size(); ++i) {
    std::optional<int64_t> index = constantIntOf(op.indices()[i]);
    if (!index) return op->emitOpError() << "not supported: channel index " << i << " is not known";
    // All gets along a broadcast dimension hang on one put.
    site.place.index[i] = sizes[i] == 1 ? 0 : *index;
  }
  return success();
}

std::optional<std::vector<int64_t>> constantsOf(const std::vector<air::IndexEntry>& list) {
  std::vector<int64_t> values;
  for (const air::IndexEntry& entry : list) {
    if (!entry.known()) return std::nullopt;
    values.push_back(*entry.known());
  }
  return values;
}

/// Unit dimensions go, and what lies one after the other is one dimension.
void simplify(Pattern& pattern) {
  std::vector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : pattern.dims) {
    if (size == 1) continue;
    bool joins = !dims.empty() && dims.back().second == size * stride;
    if (joins)
      dims.back() = {dims.back().first * size, stride};
    else
      dims.push_back({size, stride});
  }
  bool linear = dims.empty() || (dims.size() == 1 && dims[0].second == 1);
  pattern.dims = linear ? decltype(dims)() : dims;
}

LogicalResult readPattern(Site& site) {
  air::Access access = site.op.access();
  auto type = access.memref.type().cast<MemRefType>();
  auto offsets = constantsOf(access.offsets), sizes = constantsOf(access.sizes),
       strides = constantsOf(access.strides);
  if (!offsets || !sizes || !strides)
    return site.op->emitOpError()
           << "not supported: what is sent or filled changes from run to run";
  auto form = type.stridedForm();
  if (!type.hasStaticShape() || !form || form->offset == kDynamic)
    return site.op->emitOpError() << "not supported: a transfer of " << type;
  if (sizes->empty()) {
    sizes->assign(type.shape().begin(), type.shape().end());
    strides = form->strides;
  }
  const std::vector<int64_t>& steps = offsets->size() == strides->size() ? *strides : form->strides;
  site.pattern.offset = form->offset;
  for (size_t i = 0; i < offsets->size(); ++i)
    site.pattern.offset += (*offsets)[i] * steps[i];
  site.pattern.length = 1;
  for (size_t i = 0; i < sizes->size(); ++i) {
    site.pattern.length *= (*sizes)[i];
    site.pattern.dims.push_back({(*sizes)[i], (*strides)[i]});
  }
  simplify(site.pattern);
  return success();
}

/// Everything that a channel or transfer asks for beyond a circuit.
LogicalResult checkSupported(const Site& site) {
  Operation& op = *site.op.op();
  for (std::string_view attr : {"pad_before", "pad_after"})
    if (op.attr(attr)) return op.emitOpError() << "not supported: padding in a core";
  air::ChannelOp channel = site.op.channel();
  if (channel.canonicalType() != "npu_dma_stream")
    return op.emitOpError() << "not supported: channels of type '" << channel.channelType() << "'";
  for (Operation* asked : {&op, channel.op()})
    for (const NamedAttribute& attr : asked->attributes().value())
      if (attr.name.str().starts_with("air."))
        return op.emitOpError() << "not supported: attribute '" << attr.name.str() << "'";
  return success();
}

LogicalResult readSite(Operation& op, Site& site) {
  site.op = air::ChannelAccessOp(&op);
  site.isPut = site.op.isPut();
  if (failed(air::checkChannelUse(site.op)) || failed(checkSupported(site))) return failure();
  Operation* made = air::bufferSource(site.op.access().memref).definingOp();
  if (!made || !made->is("aie.buffer"))
    return op.emitOpError() << "not supported: a transfer of memory that the core does not own";
  site.buffer = made;
  return success(succeeded(readPlace(site)) && succeeded(readPattern(site)));
}

// -- One tile -------------------------------------------------------------------------------------

/// The transfers of the programs of one core.
class TileTransfers {
 public:
  TileTransfers(Design& design, Operation& tile, Operation& core)
      : design_(design), tile_(tile), core_(core), builder_(core.context()) {}

  LogicalResult read(CoreProgram& program) {
    LogicalResult result = success();
    std::vector<Operation*> ops;
    for (Operation& op : program.body->ops())
      op.walk([&](Operation& inner) { ops.push_back(&inner); }, WalkOrder::PreOrder);
    for (Operation* op : ops) {
      readAccesses(*op);
      if (!isa<air::ChannelPutOp>(op) && !isa<air::ChannelGetOp>(op)) continue;
      Site site;
      if (succeeded(readSite(*op, site)))
        sites_.push_back(std::move(site));
      else
        result = failure();
    }
    return result;
  }

  LogicalResult lower() {
    if (sites_.empty()) return success();
    if (failed(choosePorts())) return failure();
    createLocks();
    for (Site& site : sites_)
      useLocks(site);
    createDma();
    return success();
  }

  void appendEnds(std::vector<DmaEnd>& ends) const {
    for (bool isPut : {false, true})
      for (const auto& [place, port] : ports_[isPut])
        ends.push_back({place, isPut, &tile_, port.channel, port.sites[0]->op.op()});
  }

 private:
  void readAccesses(Operation& op) {
    std::vector<EffectInstance> effects;
    bool known = effectsOf(op, effects);
    for (const EffectInstance& effect : effects)
      if (known && effect.value && effect.value.type().isa<MemRefType>() &&
          (effect.effect == Effect::Read || effect.effect == Effect::Write))
        addAccess(effect.value, op, effect.effect == Effect::Write);
    if (known) return;
    for (Value operand : op.operands())
      if (operand.type().isa<MemRefType>()) addAccess(operand, op, true);
  }

  void addAccess(Value memref, Operation& op, bool writes) {
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) return;
    Operation* made = air::bufferSource(memref).definingOp();
    if (made) accesses_[made].push_back({&op, writes});
  }

  // -- DMA channels -------------------------------------------------------------------------------

  LogicalResult choosePorts() {
    const aie::Device& device = design_.device.device();
    if (device.generation == aie::Generation::AIE1)
      return core_.emitOpError() << "not supported: transfers on devices of the first generation";
    for (Site& site : sites_) {
      Port& port = ports_[site.isPut][site.place];
      if (port.sites.empty()) port.channel = static_cast<int64_t>(ports_[site.isPut].size()) - 1;
      port.sites.push_back(&site);
    }
    unsigned most = device.limits(aie::TileKind::Core).channels;
    for (bool isPut : {false, true}) {
      if (ports_[isPut].size() > most)
        return core_.emitOpError()
               << (isPut ? "puts into " : "gets from ") << ports_[isPut].size()
               << " channels, but its tile has " << most << " DMA channels in this direction";
      for (auto& [place, port] : ports_[isPut])
        if (failed(checkOrder(port))) return failure();
    }
    return success();
  }

  /// The descriptors of a DMA channel run in turn, again and again: so must the transfers.
  static LogicalResult checkOrder(const Port& port) {
    for (Site* site : port.sites) {
      if (site->op->block() != port.sites[0]->op->block())
        return (site->op->emitOpError()
                << "not supported: transfers of one channel in different loops or branches")
                   .note(port.sites[0]->op->location())
               << "another one is here";
    }
    return success();
  }

  // -- Locks --------------------------------------------------------------------------------------

  bool isAlone(const Site& site) const {
    return std::count_if(sites_.begin(), sites_.end(),
                         [&](const Site& other) { return other.buffer == site.buffer; }) == 1;
  }

  /// Its own block holds every access, behind a get or before a put.
  bool mayRunAhead(const Site& site) const {
    if (!isAlone(site)) return false;
    auto found = accesses_.find(site.buffer);
    if (found == accesses_.end()) return true;
    return std::all_of(found->second.begin(), found->second.end(), [&](const Access& access) {
      Operation* top = topIn(access.op, site.op->block());
      if (!top) return false;
      return site.isPut ? top->isBeforeInBlock(site.op.op()) : site.op->isBeforeInBlock(top);
    });
  }

  static Operation* topIn(Operation* op, Block* block) {
    while (op && op->block() != block)
      op = op->parentOp();
    return op;
  }

  void createLocks() {
    buffers_ = design_.lastTile->next();
    int64_t next = 0;
    for (Operation& op : design_.device.body().ops())
      if (op.is("aie.lock") && op.operand(0) == tile_.result()) ++next;
    for (Site& site : sites_) {
      bool goFirst = !site.isPut && mayRunAhead(site);
      // The lock that is there from the start has the higher number.
      Value& low = goFirst ? site.done : site.go;
      Value& high = goFirst ? site.go : site.done;
      low = createLock(next++, 0);
      high = createLock(next++, 1);
    }
  }

  Value createLock(int64_t id, int64_t init) {
    Builder builder = Builder::before(*buffers_);
    return builder
        .create(core_.location(), "aie.lock", {tile_.result()}, {builder.indexType()},
                {builder.named("lockID", builder.i32Attr(id)),
                 builder.named("init", builder.i32Attr(init))})
        ->result();
  }

  void use(Builder& builder, Location location, Value lock, std::string_view action) {
    OperationState state(core_.context(), location, "aie.use_lock");
    state.operands = {lock, builder.constant(location, builder.i32Attr(1))};
    state.addAttribute(core_.context(), "action",
                       keyword(core_.context(), *state.def, "action", action));
    builder.create(state);
  }
  void acquire(Builder builder, Location location, Value lock) {
    use(builder, location, lock, "AcquireGreaterEqual");
  }
  void release(Builder builder, Location location, Value lock) {
    use(builder, location, lock, "Release");
  }

  void useLocks(Site& site) {
    if (!mayRunAhead(site)) return startHere(site);
    auto found = accesses_.find(site.buffer);
    Operation *first = site.op.op(), *last = site.op.op();
    if (found != accesses_.end())
      for (const Access& access : found->second) {
        Operation* top = topIn(access.op, site.op->block());
        if (top->isBeforeInBlock(first)) first = top;
        if (last->isBeforeInBlock(top)) last = top;
      }
    Location location = site.op->location();
    if (site.isPut) {
      acquire(Builder::before(*first), location, site.done);
      release(Builder::before(*site.op), location, site.go);
    } else {
      acquire(Builder::before(*site.op), location, site.done);
      release(Builder::after(*last), location, site.go);
    }
  }

  void startHere(Site& site) {
    Location location = site.op->location();
    acquire(Builder::before(*site.op), location, site.done);
    for (Site& other : sites_)
      if (&other != &site && other.buffer == site.buffer && !(other.isPut && site.isPut))
        waitUntilIdle(*site.op, other);
    release(Builder::before(*site.op), location, site.go);
    auto found = accesses_.find(site.buffer);
    if (found == accesses_.end()) return;
    std::set<Operation*> done;
    for (const Access& access : found->second) {
      if (!access.writes && site.isPut) continue;
      Operation* op = outermost(access.op, site.buffer);
      if (done.insert(op).second) waitUntilIdle(*op, site);
    }
  }

  /// The outermost op around `op` without a transfer of `buffer` inside: waiting once before a
  /// loop is enough.
  Operation* outermost(Operation* op, Operation* buffer) {
    while (op->parentOp() != &core_) {
      Operation* parent = op->parentOp();
      bool holds = std::any_of(sites_.begin(), sites_.end(), [&](const Site& site) {
        return site.buffer == buffer && parent->isProperAncestor(site.op.op());
      });
      if (holds) break;
      op = parent;
    }
    return op;
  }

  void waitUntilIdle(Operation& before, Site& site) {
    acquire(Builder::before(before), before.location(), site.done);
    release(Builder::before(before), before.location(), site.done);
  }

  // -- Descriptors --------------------------------------------------------------------------------

  void createDma() {
    OperationState state(core_.context(), core_.location(), "aie.mem");
    state.operands.push_back(tile_.result());
    state.resultTypes.push_back(builder_.indexType());
    state.addRegion();
    builder_.setBefore(core_);
    Region& region = builder_.create(state)->region();
    Block* start = &region.addBlock();
    for (bool isPut : {false, true})
      for (Port* port : inOrder(isPut))
        start = createChain(region, *start, isPut, *port);
    builder_.setToEnd(*start);
    builder_.create(core_.location(), "aie.end", {}, {});
  }

  std::vector<Port*> inOrder(bool isPut) {
    std::vector<Port*> ports(ports_[isPut].size());
    for (auto& [place, port] : ports_[isPut])
      ports[static_cast<size_t>(port.channel)] = &port;
    return ports;
  }

  /// The start of a channel in `start`, and its descriptors; returns the block for the next start.
  Block* createChain(Region& region, Block& start, bool isPut, const Port& port) {
    std::vector<Block*> blocks;
    for (size_t i = 0; i < port.sites.size(); ++i)
      blocks.push_back(&region.addBlock());
    Block& next = region.addBlock();
    Location location = port.sites[0]->op->location();
    OperationState state(core_.context(), location, "aie.dma_start");
    state.resultTypes.push_back(builder_.intType(1));
    auto direction = isPut ? aie::Direction::MM2S : aie::Direction::S2MM;
    state.addAttribute(
        core_.context(), "channel_dir",
        keyword(core_.context(), *state.def, "channel_dir", aie::directionName(direction)));
    state.addAttribute(core_.context(), "channel_index", builder_.i32Attr(port.channel));
    state.successors = {blocks[0], &next};
    builder_.setToEnd(start);
    builder_.create(state);
    for (size_t i = 0; i < blocks.size(); ++i)
      createDescriptor(*blocks[i], *port.sites[i], *blocks[(i + 1) % blocks.size()]);
    return &next;
  }

  void createDescriptor(Block& block, const Site& site, Block& next) {
    Location location = site.op->location();
    acquire(Builder::atEnd(block), location, site.go);
    builder_.setToEnd(block);
    OperationState state(core_.context(), location, "aie.dma_bd");
    state.operands.push_back(site.buffer->result());
    state.setOperandSegments(core_.context(), std::array<int32_t, 5>{1, 0, 0, 0, 0});
    auto add = [&](std::string_view name, Attribute value) {
      state.addAttribute(core_.context(), name, value);
    };
    add("static_offset", builder_.i32Attr(site.pattern.offset));
    add("static_len", builder_.i32Attr(site.pattern.length));
    if (!site.pattern.dims.empty()) {
      std::vector<int64_t> sizes, strides;
      for (auto [size, stride] : site.pattern.dims)
        sizes.push_back(size), strides.push_back(stride);
      add("static_sizes", DenseArrayAttr::getI64(core_.context(), sizes));
      add("static_strides", DenseArrayAttr::getI64(core_.context(), strides));
    }
    builder_.create(state);
    release(Builder::atEnd(block), location, site.done);
    builder_.setToEnd(block);
    OperationState last(core_.context(), location, "aie.next_bd");
    last.successors.push_back(&next);
    builder_.create(last);
  }

  Design& design_;
  Operation& tile_;
  Operation& core_;
  Builder builder_;
  Operation* buffers_ = nullptr;  // locks stand before them
  std::vector<Site> sites_;
  std::map<Operation*, std::vector<Access>> accesses_;  // by the op that makes the buffer
  std::array<std::map<ChannelPlace, Port>, 2> ports_;   // gets, puts
};

}  // namespace

LogicalResult lowerCoreTransfers(Design& design, std::vector<DmaEnd>& ends) {
  std::vector<std::unique_ptr<TileTransfers>> tiles;
  std::map<Operation*, TileTransfers*> byTile;
  LogicalResult result = success();
  for (CoreProgram& program : design.cores) {
    TileTransfers*& tile = byTile[program.tile];
    if (!tile)
      tile =
          tiles.emplace_back(std::make_unique<TileTransfers>(design, *program.tile, *program.core))
              .get();
    result |= tile->read(program);
  }
  if (failed(result)) return result;
  for (const auto& tile : tiles) {
    result |= tile->lower();
    tile->appendEnds(ends);
  }
  return result;
}

}  // namespace airlite::npu
