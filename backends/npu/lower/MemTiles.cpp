// L2 memory on memory tiles, and its transfers.
#include "Dma.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

/// L2 memory that must be on one tile, since its transfers share places of channels.
struct Group {
  std::vector<Operation*> memory;  // what makes it, in program order
  std::vector<Site*> sites;
  int64_t bytes = 0;
  size_t gets = 0, puts = 0;  // places
};

/// A memory tile while it fills up.
struct MemTile {
  std::vector<Group*> groups;
  int64_t bytes = 0;
  size_t gets = 0, puts = 0;
};

class SegmentTransfers {
 public:
  explicit SegmentTransfers(Design& design)
      : design_(design),
        device_(design.device.device()),
        limits_(device_.limits(aie::TileKind::Mem)),
        symbols_(*design.device) {}

  LogicalResult run(std::vector<DmaEnd>& ends) {
    if (failed(readSites())) return failure();
    if (sites_.empty()) return success();
    if (failed(checkMemory())) return failure();
    formGroups();
    if (failed(chooseTiles())) return failure();
    LogicalResult result = success();
    for (MemTile& tile : tiles_)
      result |= create(tile, ends);
    return result;
  }

 private:
  // -- What there is ------------------------------------------------------------------------------

  LogicalResult readSites() {
    LogicalResult result = success();
    design_.source->walkWith([&](Operation& op) {
      if (isa<air::HerdOp>(&op)) return WalkResult::Skip;
      if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return WalkResult::Advance;
      Type memref = air::ChannelAccessOp(&op).access().memref.type();
      if (air::memoryLevel(memref) != air::MemoryLevel::L2) return WalkResult::Advance;
      Site site;
      if (succeeded(readSite(op, site)))
        sites_.push_back(std::move(site));
      else
        result = failure();
      return WalkResult::Advance;
    });
    return result;
  }

  /// Memory tiles have no core: nothing but transfers may touch their memory, and those of one
  /// buffer follow each other round and round.
  LogicalResult checkMemory() {
    std::map<Operation*, Site*> firstOf;
    for (Site& site : sites_) {
      Operation* made = site.memory;
      if (!made || !made->is("memref.alloc") || !design_.source->isProperAncestor(made))
        return site.op->emitOpError() << "not supported: L2 memory that the segment does not own";
      if (!made->result().type().cast<MemRefType>().hasStaticShape())
        return made->emitOpError() << "not supported: L2 memory of a size that is not constant";
      if (failed(checkRequests(*made, *made))) return failure();
      Site*& first = firstOf[made];
      if (!first) first = &site;
      if (first->op->block() != site.op->block())
        return (site.op->emitOpError()
                << "not supported: transfers of one L2 buffer in different loops or branches")
                   .note(first->op->location())
               << "another one is here";
    }
    return checkOtherUses(firstOf);
  }

  LogicalResult checkOtherUses(const std::map<Operation*, Site*>& memory) {
    LogicalResult result = success();
    design_.source->walkWith([&](Operation& op) {
      bool isTransfer = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
      if (isTransfer || isa<air::HerdOp>(&op))
        return isTransfer ? WalkResult::Advance : WalkResult::Skip;
      std::vector<EffectInstance> effects;
      effectsOf(op, effects);
      for (const EffectInstance& effect : effects) {
        bool touches = effect.effect == Effect::Read || effect.effect == Effect::Write;
        Operation* made =
            touches && effect.value ? air::bufferSource(effect.value).definingOp() : nullptr;
        if (made && memory.count(made))
          result = op.emitOpError() << "not supported: a memory tile can only transfer";
      }
      return WalkResult::Advance;
    });
    return result;
  }

  // -- Tiles --------------------------------------------------------------------------------------

  /// A place of a channel is one DMA channel of one tile: what shares it stays together.
  void formGroups() {
    std::map<Operation*, size_t> groupOf;
    std::map<std::pair<bool, ChannelPlace>, size_t> groupOfPlace;
    std::vector<std::vector<Site*>> parts;
    for (Site& site : sites_) {
      auto [memory, isNewMemory] = groupOf.try_emplace(site.memory, parts.size());
      auto [place, isNewPlace] = groupOfPlace.try_emplace({site.isPut, site.place}, memory->second);
      if (isNewMemory && isNewPlace) parts.emplace_back();
      size_t into = std::min(memory->second, place->second);
      size_t from = std::max(memory->second, place->second);
      if (isNewMemory) memory->second = from = into;
      if (from != into) merge(from, into, parts, groupOf, groupOfPlace);
      parts[into].push_back(&site);
    }
    for (std::vector<Site*>& part : parts)
      if (!part.empty()) groups_.push_back(groupFrom(std::move(part)));
  }

  static void merge(size_t from, size_t into, std::vector<std::vector<Site*>>& parts,
                    std::map<Operation*, size_t>& groupOf,
                    std::map<std::pair<bool, ChannelPlace>, size_t>& groupOfPlace) {
    parts[into].insert(parts[into].end(), parts[from].begin(), parts[from].end());
    parts[from].clear();
    for (auto& [memory, group] : groupOf)
      if (group == from) group = into;
    for (auto& [place, group] : groupOfPlace)
      if (group == from) group = into;
  }

  Group groupFrom(std::vector<Site*> sites) const {
    Group group;
    std::sort(sites.begin(), sites.end());  // in program order: they stand in one vector
    std::set<ChannelPlace> places[2];
    for (Site* site : sites) {
      places[site->isPut].insert(site->place);
      if (std::find(group.memory.begin(), group.memory.end(), site->memory) != group.memory.end())
        continue;
      group.memory.push_back(site->memory);
      auto type = site->memory->result().type().cast<MemRefType>();
      group.bytes += aie::elementBytes(type.elementType()).value_or(0) * type.numElements();
    }
    group.gets = places[0].size();
    group.puts = places[1].size();
    group.sites = std::move(sites);
    return group;
  }

  bool fits(const MemTile& tile, const Group& group) const {
    return tile.bytes + group.bytes <= limits_.memoryBytes &&
           tile.gets + group.gets <= limits_.channels && tile.puts + group.puts <= limits_.channels;
  }

  /// Each group goes where the fewest DMA channels are taken, on as many tiles as the design has
  /// columns of cores, or more where these are full.
  LogicalResult chooseTiles() {
    tiles_.resize(numColumns());
    for (Group& group : groups_) {
      MemTile* best = nullptr;
      for (MemTile& tile : tiles_)
        if (fits(tile, group) && (!best || tile.gets + tile.puts < best->gets + best->puts))
          best = &tile;
      if (!best && tiles_.size() < numMemTiles() && fits(MemTile(), group))
        best = &tiles_.emplace_back();
      if (!best) return refuse(group);
      best->groups.push_back(&group);
      best->bytes += group.bytes;
      best->gets += group.gets;
      best->puts += group.puts;
    }
    return success();
  }

  size_t numMemTiles() const { return size_t(device_.columns) * device_.memRows; }

  size_t numColumns() const {
    std::set<int64_t> columns;
    for (const CoreProgram& core : design_.cores)
      columns.insert(aie::TileOp(core.tile).id()->col);
    return std::clamp<size_t>(columns.size(), 1, std::max<size_t>(numMemTiles(), 1));
  }

  LogicalResult refuse(const Group& group) const {
    int64_t bytes = 0;
    size_t gets = 0, puts = 0;
    for (const MemTile& tile : tiles_) {
      bytes += tile.bytes;
      gets += tile.gets;
      puts += tile.puts;
    }
    return group.memory[0]->emitOpError()
           << "does not fit: it needs " << group.bytes << " bytes, " << group.gets
           << " channels in and " << group.puts << " out of one memory tile; " << tiles_.size()
           << " tiles with " << limits_.memoryBytes << " bytes and " << unsigned(limits_.channels)
           << " channels in each direction hold " << bytes << " bytes, " << gets << " in and "
           << puts << " out already";
  }

  // -- Making them --------------------------------------------------------------------------------

  LogicalResult create(MemTile& tile, std::vector<DmaEnd>& ends) {
    std::vector<Site*> sites;
    for (Group* group : tile.groups)
      sites.insert(sites.end(), group->sites.begin(), group->sites.end());
    if (sites.empty()) return success();
    std::sort(sites.begin(), sites.end());
    Operation& place = createTile();
    TileDma dma(place, aie::TileKind::Mem);
    if (failed(dma.choosePorts(sites, *sites[0]->op.op()))) return failure();
    Operation& before = *design_.lastTile->next();
    for (Group* group : tile.groups)
      for (Operation* memory : group->memory)
        createMemory(place, *memory, sites, before);
    // Behind all buffers, before the first core.
    dma.create(Builder::before(*firstCore()), design_.source->location());
    dma.appendEnds(ends);
    return success();
  }

  Operation& createTile() {
    Context& context = design_.source->context();
    Builder builder = design_.lastTile ? Builder::after(*design_.lastTile)
                                       : Builder::atStart(design_.device.body());  // no cores
    OperationState state(context, design_.source->location(), "aie.logical_tile");
    state.resultTypes.push_back(builder.indexType());
    state.addAttribute(context, "tile_type", keyword(context, *state.def, "tile_type", "MemTile"));
    return *(design_.lastTile = builder.create(state));
  }

  /// The buffer, and its locks: each transfer takes the lock that the one before gives, the first
  /// one that of the last, where 1 is from the start.
  void createMemory(Operation& tile, Operation& memory, const std::vector<Site*>& sites,
                    Operation& before) {
    Builder builder = Builder::before(before);
    std::string name = "l2_buf" + std::to_string(numBuffers_++);
    if (auto said = memory.attrOf<StringAttr>("sym_name")) name = said.value();
    Operation* buffer =
        builder.create(memory.location(), "aie.buffer", {tile.result()}, {memory.result().type()},
                       {builder.named("sym_name", builder.stringAttr(symbols_.unusedName(name)))});
    symbols_.add(*buffer);
    std::vector<Site*> turns;
    for (Site* site : sites)
      if (site->memory == &memory) turns.push_back(site);
    std::vector<Value> locks;
    for (size_t i = 0; i < turns.size(); ++i)
      locks.push_back(createLock(*buffer, tile, numLocks_[&tile]++, i == 0));
    for (size_t i = 0; i < turns.size(); ++i) {
      turns[i]->buffer = buffer->result();
      turns[i]->acquired = locks[i];
      turns[i]->released = locks[(i + 1) % turns.size()];
    }
  }

  Operation* firstCore() {
    for (Operation& op : design_.device.body().ops())
      if (op.is("aie.core") || op.is("aie.mem")) return &op;
    return &design_.device.body().back();
  }

  Design& design_;
  const aie::Device& device_;
  const aie::TileLimits& limits_;
  SymbolMap symbols_;        // of the device
  std::vector<Site> sites_;  // in program order
  std::vector<Group> groups_;
  std::vector<MemTile> tiles_;
  std::map<Operation*, int64_t> numLocks_;
  unsigned numBuffers_ = 0;
};

}  // namespace

LogicalResult lowerSegmentTransfers(Design& design, std::vector<DmaEnd>& ends) {
  return SegmentTransfers(design).run(ends);
}

}  // namespace airlite::npu
