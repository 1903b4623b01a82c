// Writing descriptors.
#include "Dma.hpp"

#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <array>

namespace airlite::npu {

namespace {

void useLock(Builder& builder, Location location, Value lock, std::string_view action,
             int64_t count) {
  OperationState state(builder.context(), location, "aie.use_lock");
  state.operands = {lock, builder.constant(location, builder.i32Attr(count))};
  state.addAttribute(builder.context(), "action",
                     keyword(builder.context(), *state.def, "action", action));
  builder.create(state);
}

/// The largest divisor of `size` up to `most` that is a multiple of `unit`; 0 when there is none.
int64_t divisorOf(int64_t size, int64_t most, int64_t unit) {
  for (int64_t divisor = most / unit * unit; divisor > 0; divisor -= unit)
    if (size % divisor == 0) return divisor;
  return 0;
}

/// The same walk, with two dimensions in the place of one that is too large for a descriptor, as far
/// as there are dimensions. The verifier reports what does not fit then.
Pattern fitted(Pattern pattern, const aie::BdLimits& limits, int64_t bytes) {
  if (!pattern.pads.empty()) return pattern;
  auto& dims = pattern.dims;
  // The length bounds the outermost.
  for (size_t i = 1; i < dims.size();) {
    const size_t fromInside = dims.size() - 1 - i;
    if (fromInside >= limits.dimensions.size()) return pattern;
    const auto [size, stride] = dims[i];
    const bool isInnermost = fromInside == 0;
    // The innermost one counts words.
    const int64_t perWord = isInnermost && bytes < 4 ? 4 / bytes : 1;
    const int64_t wordsEach = isInnermost ? std::max<int64_t>(bytes / 4, 1) : 1;
    const int64_t most = int64_t{limits.dimensions[fromInside].maxWrap} * perWord / wordsEach;
    if (size <= most) {
      ++i;
      continue;
    }
    const int64_t inner = divisorOf(size, most, perWord);
    if (inner <= 1 || dims.size() == limits.numDimensions) return pattern;
    dims[i] = {inner, stride};
    dims.insert(dims.begin() + static_cast<ptrdiff_t>(i), {size / inner, inner * stride});
  }
  return pattern;
}

void addShape(OperationState& state, const Pattern& pattern, Context& context) {
  if (pattern.dims.empty()) return;
  std::vector<int64_t> sizes, strides;
  for (auto [size, stride] : pattern.dims)
    sizes.push_back(size), strides.push_back(stride);
  state.addAttribute(context, "static_sizes", DenseArrayAttr::getI64(context, sizes));
  state.addAttribute(context, "static_strides", DenseArrayAttr::getI64(context, strides));
  if (pattern.pads.empty()) return;
  std::vector<Attribute> pads;
  Type i64 = IntegerType::get(context, 64);
  for (auto [before, after] : pattern.pads) {
    Attribute numbers[] = {IntegerAttr::get(i64, before), IntegerAttr::get(i64, after)};
    pads.push_back(DialectAttr::get(context, *context.findAttr("aie.bd_pad_layout"), numbers));
  }
  state.addAttribute(context, "pad_dimensions",
                     DialectAttr::get(context, *context.findAttr("aie.bd_pad_layout_array"), pads));
}

}  // namespace

Value createLock(Operation& before, Operation& tile, int64_t id, int64_t init) {
  Builder builder = Builder::before(before);
  return builder
      .create(before.location(), "aie.lock", {tile.result()}, {builder.indexType()},
              {builder.named("lockID", builder.i32Attr(id)),
               builder.named("init", builder.i32Attr(init))})
      ->result();
}
void acquire(Builder builder, Location location, Value lock, int64_t count) {
  useLock(builder, location, lock, "AcquireGreaterEqual", count);
}
void release(Builder builder, Location location, Value lock, int64_t count) {
  useLock(builder, location, lock, "Release", count);
}

size_t TileDma::bankOf(const Site& site) const {
  const int64_t channel = ports_[portOf_[site.isPut].at(site.place)].channel;
  return static_cast<size_t>(channel) % numBanks();
}

size_t TileDma::freeDescriptors(const Site& site) const {
  size_t free = aie::deviceOf(tile_).limits(kind_).bds / numBanks();
  for (const Port& port : ports_)
    if (static_cast<size_t>(port.channel) % numBanks() == bankOf(site))
      for (const DmaTask& task : port.program.tasks)
        free -= std::min(free, task.sites.size());
  return free;
}

bool TileDma::hasDescriptorsFor(const std::vector<Need>& needs) const {
  std::array<size_t, 2> needed = {};
  for (const auto& [site, more] : needs)
    needed[bankOf(*site)] += more;
  return std::ranges::all_of(needs, [&](const Need& need) {
    return needed[bankOf(*need.first)] <= freeDescriptors(*need.first);
  });
}

bool TileDma::hasOneDescriptor(const Site& site) {
  const DmaProgram& program = portOf(site).program;
  return program.isRing && std::ranges::count(program.tasks[0].sites, &site) == 1;
}

std::vector<Site*> TileDma::split(Site& site, const std::vector<Pattern>& patterns,
                                  std::deque<Site>& more) {
  std::vector<Site*> all = {&site};
  std::vector<Site*>& program = portOf(site).program.tasks[0].sites;
  auto at = std::ranges::find(program, &site);
  for (size_t i = 1; i < patterns.size(); ++i) {
    Site& next = more.emplace_back(site);
    next.pattern = patterns[i];
    at = program.insert(at + 1, &next);
    all.push_back(&next);
  }
  site.pattern = patterns[0];
  return all;
}

void TileDma::append(Site& site, Value lock, std::deque<Site>& more) {
  std::vector<Site*>& program = portOf(site).program.tasks[0].sites;
  auto at = std::ranges::find(program, &site) + 1;
  while (at != program.end() && (*at)->pattern.length == 0)
    ++at;
  Site& next = more.emplace_back(site);
  next.pattern = {};
  next.acquired = Value();
  next.released = lock;
  program.insert(at, &next);
}

std::vector<Pattern> TileDma::partsOf(const Pattern& pattern) const {
  const size_t most = aie::deviceOf(tile_).limits(kind_).bd.numDimensions;
  // No descriptor steps by nothing: what a dimension repeats inside of others is a part each time.
  const auto needsParts = [&](const Pattern& part) {
    const auto& dims = part.dims;
    if (dims.size() < 2 || dims[0].first <= 0) return false;
    return dims.size() > most ||
           std::any_of(dims.begin(), dims.end() - 1, [](auto dim) { return dim.second == 0; });
  };
  std::vector<Pattern> parts = {pattern};
  while (needsParts(parts[0]) && parts[0].pads.empty()) {
    std::vector<Pattern> shorter;
    for (const Pattern& part : parts) {
      const auto [size, stride] = part.dims[0];
      for (int64_t i = 0; i < size; ++i) {
        Pattern& next = shorter.emplace_back(part);
        next.offset += i * stride;
        next.length /= size;
        next.dims.erase(next.dims.begin());
      }
    }
    parts = std::move(shorter);
  }
  return parts;
}

void TileDma::splitLongPatterns(std::deque<Site>& more) {
  for (Port* port : ports())
    for (DmaTask& task : port->program.tasks) {
      std::vector<Site*> sites;
      for (Site* site : task.sites) {
        const std::vector<Pattern> parts = partsOf(site->pattern);
        if (parts.size() == 1) {
          sites.push_back(site);
          continue;
        }
        for (size_t i = 0; i < parts.size(); ++i) {
          Site& part = more.emplace_back(*site);
          part.pattern = parts[i];
          if (i > 0) part.acquired = Value();
          if (i + 1 < parts.size()) part.released = Value();
          sites.push_back(&part);
        }
      }
      task.sites = std::move(sites);
    }
}

void TileDma::create(Builder builder, Location location) {
  OperationState state(builder.context(), location,
                       kind_ == aie::TileKind::Core ? "aie.mem" : "aie.memtile_dma");
  state.operands.push_back(tile_.result());
  state.resultTypes.push_back(builder.indexType());
  state.addRegion();
  Region& region = builder.create(state)->region();
  std::vector<Start> starts = createBlocks(region);
  // The end follows the descriptors of the first start, the other starts follow.
  Block& end = *starts.front().descriptors.back()->next();
  for (size_t i = 0; i < starts.size(); ++i)
    fill(starts[i], i + 1 < starts.size() ? *starts[i + 1].block : end, end);
  builder.setToEnd(end);
  builder.create(location, "aie.end", {}, {});
}

std::vector<TileDma::Start> TileDma::createBlocks(Region& region) {
  std::vector<Start> starts;
  for (Port* port : ports())
    for (size_t i = 0; i < port->program.tasks.size(); ++i) {
      Start& start = starts.emplace_back(Start{port, i, &region.addBlock()});
      for (size_t k = 0; k < port->program.tasks[i].sites.size(); ++k)
        start.descriptors.push_back(&region.addBlock());
      if (starts.size() == 1) region.addBlock();
    }
  return starts;
}

/// A start that continues at `next`, and its descriptors.
void TileDma::fill(const Start& start, Block& next, Block& end) const {
  const Port& port = *start.port;
  const DmaTask& task = port.program.tasks[start.task];
  Context& context = end.context();
  OperationState state(context, task.sites[0]->op->location(), "aie.dma_start");
  auto direction = port.isPut ? aie::Direction::MM2S : aie::Direction::S2MM;
  Builder builder = Builder::atEnd(*start.block);
  state.resultTypes.push_back(builder.intType(1));
  state.addAttribute(context, "channel_dir",
                     keyword(context, *state.def, "channel_dir", aie::directionName(direction)));
  state.addAttribute(context, "channel_index", builder.i32Attr(port.channel));
  if (task.runs > 1) state.addAttribute(context, "repeat_count", builder.i32Attr(task.runs - 1));
  state.successors = {start.descriptors[0], &next};
  builder.create(state);
  Block& last = port.program.isRing ? *start.descriptors[0] : end;
  for (size_t i = 0; i < task.sites.size(); ++i)
    createDescriptor(*start.descriptors[i], *task.sites[i], start.task,
                     i + 1 < task.sites.size() ? *start.descriptors[i + 1] : last);
}

void TileDma::createDescriptor(Block& block, const Site& site, size_t task, Block& next) const {
  Location location = site.op->location();
  Context& context = block.context();
  if (site.acquired) acquire(Builder::atEnd(block), location, site.acquired, site.takes);
  Builder builder = Builder::atEnd(block);
  OperationState state(context, location, "aie.dma_bd");
  state.operands.push_back(site.buffer);
  state.setOperandSegments(context, std::array<int32_t, 5>{1, 0, 0, 0, 0});
  state.addAttribute(context, "static_offset", builder.i32Attr(site.pattern.offset));
  state.addAttribute(context, "static_len", builder.i32Attr(site.pattern.length));
  const int64_t bytes = aie::elementBytes(elementTypeOrSelf(site.buffer.type())).value_or(4);
  addShape(state, fitted(site.pattern, aie::deviceOf(tile_).limits(kind_).bd, bytes), context);
  if (site.packetId)
    state.addAttribute(context, "packet", aie::packetInfoAttr(context, {0, *site.packetId}));
  state.addAttribute(context, "task_id", builder.i32Attr(static_cast<int64_t>(task)));
  builder.create(state);
  if (site.released) release(Builder::atEnd(block), location, site.released, site.gives);
  builder.setToEnd(block);
  OperationState last(context, location, "aie.next_bd");
  last.successors.push_back(&next);
  builder.create(last);
}

}  // namespace airlite::npu
