// Reading transfers, and writing descriptors.
#include "Dma.hpp"

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::npu {

namespace {

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
    if (op.attr(attr)) return op.emitOpError() << "not supported: padding";
  air::ChannelOp channel = site.op.channel();
  if (channel.canonicalType() != "npu_dma_stream")
    return op.emitOpError() << "not supported: channels of type '" << channel.channelType() << "'";
  return success(succeeded(checkRequests(op, op)) && succeeded(checkRequests(*channel.op(), op)));
}

/// The descriptors of a DMA channel run in turn, again and again: so must the transfers.
LogicalResult checkOrder(const std::vector<Site*>& sites) {
  for (Site* site : sites)
    if (site->op->block() != sites[0]->op->block())
      return (site->op->emitOpError()
              << "not supported: transfers of one channel in different loops or branches")
                 .note(sites[0]->op->location())
             << "another one is here";
  return success();
}

void useLock(Builder& builder, Location location, Value lock, std::string_view action) {
  OperationState state(builder.context(), location, "aie.use_lock");
  state.operands = {lock, builder.constant(location, builder.i32Attr(1))};
  state.addAttribute(builder.context(), "action",
                     keyword(builder.context(), *state.def, "action", action));
  builder.create(state);
}

}  // namespace

LogicalResult readSite(Operation& op, Site& site) {
  site.op = air::ChannelAccessOp(&op);
  site.isPut = site.op.isPut();
  if (failed(air::checkChannelUse(site.op)) || failed(checkSupported(site))) return failure();
  site.memory = air::bufferSource(site.op.access().memref).definingOp();
  return success(succeeded(readPlace(site)) && succeeded(readPattern(site)));
}

Value createLock(Operation& before, Operation& tile, int64_t id, int64_t init) {
  Builder builder = Builder::before(before);
  return builder
      .create(before.location(), "aie.lock", {tile.result()}, {builder.indexType()},
              {builder.named("lockID", builder.i32Attr(id)),
               builder.named("init", builder.i32Attr(init))})
      ->result();
}
void acquire(Builder builder, Location location, Value lock) {
  useLock(builder, location, lock, "AcquireGreaterEqual");
}
void release(Builder builder, Location location, Value lock) {
  useLock(builder, location, lock, "Release");
}

LogicalResult TileDma::choosePorts(std::vector<Site*> sites, Operation& tileUser) {
  const aie::Device& device = aie::deviceOf(tile_);
  if (device.generation == aie::Generation::AIE1)
    return tileUser.emitOpError() << "not supported: transfers on devices of the first generation";
  for (Site* site : sites) {
    Port& port = ports_[site->isPut][site->place];
    if (port.sites.empty()) port.channel = static_cast<int64_t>(ports_[site->isPut].size()) - 1;
    port.sites.push_back(site);
  }
  unsigned most = device.limits(kind_).channels;
  for (bool isPut : {false, true}) {
    if (ports_[isPut].size() > most)
      return tileUser.emitOpError()
             << (isPut ? "puts into " : "gets from ") << ports_[isPut].size()
             << " channels, but its tile has " << most << " DMA channels in this direction";
    for (auto& [place, port] : ports_[isPut])
      if (failed(checkOrder(port.sites))) return failure();
  }
  return success();
}

void TileDma::appendEnds(std::vector<DmaEnd>& ends) const {
  for (bool isPut : {false, true})
    for (const auto& [place, port] : ports_[isPut])
      ends.push_back({place, isPut, &tile_, port.channel, port.sites[0]->op.op()});
}

void TileDma::create(Builder builder, Location location) const {
  OperationState state(builder.context(), location,
                       kind_ == aie::TileKind::Core ? "aie.mem" : "aie.memtile_dma");
  state.operands.push_back(tile_.result());
  state.resultTypes.push_back(builder.indexType());
  state.addRegion();
  Region& region = builder.create(state)->region();
  Block* start = &region.addBlock();
  for (bool isPut : {false, true})
    for (const Port* port : inOrder(isPut))
      start = createChain(builder, region, *start, isPut, *port);
  builder.setToEnd(*start);
  builder.create(location, "aie.end", {}, {});
}

std::vector<const TileDma::Port*> TileDma::inOrder(bool isPut) const {
  std::vector<const Port*> ports(ports_[isPut].size());
  for (auto& [place, port] : ports_[isPut])
    ports[static_cast<size_t>(port.channel)] = &port;
  return ports;
}

/// The start of a channel in `start`, and its descriptors; returns the block for the next start.
Block* TileDma::createChain(Builder builder, Region& region, Block& start, bool isPut,
                            const Port& port) const {
  std::vector<Block*> blocks;
  for (size_t i = 0; i < port.sites.size(); ++i)
    blocks.push_back(&region.addBlock());
  Block& next = region.addBlock();
  OperationState state(builder.context(), port.sites[0]->op->location(), "aie.dma_start");
  state.resultTypes.push_back(builder.intType(1));
  auto direction = isPut ? aie::Direction::MM2S : aie::Direction::S2MM;
  state.addAttribute(
      builder.context(), "channel_dir",
      keyword(builder.context(), *state.def, "channel_dir", aie::directionName(direction)));
  state.addAttribute(builder.context(), "channel_index", builder.i32Attr(port.channel));
  state.successors = {blocks[0], &next};
  builder.setToEnd(start);
  builder.create(state);
  for (size_t i = 0; i < blocks.size(); ++i)
    createDescriptor(*blocks[i], *port.sites[i], *blocks[(i + 1) % blocks.size()]);
  return &next;
}

void TileDma::createDescriptor(Block& block, const Site& site, Block& next) const {
  Location location = site.op->location();
  Context& context = block.context();
  acquire(Builder::atEnd(block), location, site.acquired);
  Builder builder = Builder::atEnd(block);
  OperationState state(context, location, "aie.dma_bd");
  state.operands.push_back(site.buffer);
  state.setOperandSegments(context, std::array<int32_t, 5>{1, 0, 0, 0, 0});
  state.addAttribute(context, "static_offset", builder.i32Attr(site.pattern.offset));
  state.addAttribute(context, "static_len", builder.i32Attr(site.pattern.length));
  if (!site.pattern.dims.empty()) {
    std::vector<int64_t> sizes, strides;
    for (auto [size, stride] : site.pattern.dims)
      sizes.push_back(size), strides.push_back(stride);
    state.addAttribute(context, "static_sizes", DenseArrayAttr::getI64(context, sizes));
    state.addAttribute(context, "static_strides", DenseArrayAttr::getI64(context, strides));
  }
  builder.create(state);
  release(Builder::atEnd(block), location, site.released);
  builder.setToEnd(block);
  OperationState last(context, location, "aie.next_bd");
  last.successors.push_back(&next);
  builder.create(last);
}

}  // namespace airlite::npu
