// L2 memory on memory tiles, and its transfers.
#include "MemTiles.hpp"

#include "WholeWords.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

constexpr int64_t kMostLock = 63;

/// L2 memory that must be on one tile, since its transfers share places of channels.
struct Group {
  std::vector<Operation*> memory;  // what makes it, in program order
  std::vector<Site*> sites;
  int64_t bytes = 0;
  size_t gets = 0, puts = 0;   // places
  std::optional<int64_t> col;  // that the memory asks for
};

/// A memory tile while it fills up.
struct MemTile {
  std::vector<Group*> groups;
  int64_t bytes = 0;
  size_t gets = 0, puts = 0;
  std::optional<int64_t> col;
  std::unique_ptr<TileDma> dma;
};

}  // namespace

class SegmentTransfers {
 public:
  SegmentTransfers(Design& design, const DesignOptions& options)
      : design_(design),
        options_(options),
        device_(design.device.device()),
        limits_(device_.limits(aie::TileKind::Mem)),
        symbols_(*design.device) {}

  LogicalResult read() {
    if (failed(readSites())) return failure();
    return sites_.empty() ? success() : checkMemory();
  }

  std::vector<Site*> sites() {
    std::vector<Site*> sites;
    for (Site& site : sites_)
      sites.push_back(&site);
    return sites;
  }

  LogicalResult lower(std::vector<DmaEnd>& ends) {
    if (sites_.empty()) return success();
    if (failed(formGroups()) || failed(chooseTiles())) return failure();
    LogicalResult result = success();
    for (MemTile& tile : tiles_)
      result |= create(tile, ends);
    return result;
  }

  void createPrograms(Operation& before) {
    for (MemTile& tile : tiles_)
      if (tile.dma) tile.dma->create(Builder::before(before), design_.source->location());
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
      firstOf.try_emplace(made, &site);
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
  LogicalResult formGroups() {
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
      if (!part.empty() && failed(addGroup(std::move(part)))) return failure();
    return success();
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

  LogicalResult addGroup(std::vector<Site*> sites) {
    Group& group = groups_.emplace_back();
    std::sort(sites.begin(), sites.end());  // in program order: they stand in one vector
    std::set<ChannelPlace> places[2];
    for (Site* site : sites) {
      places[site->isPut].insert(site->place);
      if (std::find(group.memory.begin(), group.memory.end(), site->memory) != group.memory.end())
        continue;
      if (failed(pinTo(group, *site->memory))) return failure();
      group.memory.push_back(site->memory);
      group.bytes += bytesOf(*site->memory);
    }
    group.gets = places[0].size();
    group.puts = places[1].size();
    group.sites = std::move(sites);
    return success();
  }

  /// A column that has no memory tile is as good as none.
  LogicalResult pinTo(Group& group, Operation& memory) const {
    auto col = memory.attrOf<IntegerAttr>("air.memtile_col");
    if (!col) return success();
    if (col.value() < 0 || col.value() >= device_.columns || device_.memRows == 0) {
      memory.emitWarning() << "air.memtile_col=" << col.value()
                           << " has no memtile in target; ignoring";
      return success();
    }
    if (!group.col) group.col = col.value();
    if (*group.col == col.value()) return success();
    return memory.emitOpError() << "asks for memory tile column " << col.value()
                                << ", but shares a channel with memory of column " << *group.col;
  }

  bool fits(const MemTile& tile, const Group& group) const {
    return tile.bytes + group.bytes <= limits_.memoryBytes &&
           tile.gets + group.gets <= limits_.channels && tile.puts + group.puts <= limits_.channels;
  }

  /// Each group goes where the fewest DMA channels are taken, on as many tiles as the design has
  /// columns of cores, or more where these are full. Those that ask for a column come first.
  LogicalResult chooseTiles() {
    for (Group& group : groups_)
      if (group.col && failed(putOn(pinnedTile(*group.col), group))) return failure();
    size_t open = std::min(numColumns(), numMemTiles() - std::min(numMemTiles(), tiles_.size()));
    for (size_t i = 0; i < open; ++i)
      tiles_.emplace_back();
    for (Group& group : groups_)
      if (!group.col && failed(putOn(emptiestTile(group), group))) return failure();
    return success();
  }

  MemTile* pinnedTile(int64_t col) {
    for (MemTile& tile : tiles_)
      if (tile.col == col) return &tile;
    tiles_.emplace_back().col = col;
    return &tiles_.back();
  }

  MemTile* emptiestTile(const Group& group) {
    MemTile* best = nullptr;
    for (MemTile& tile : tiles_)
      if (fits(tile, group) && (!best || tile.gets + tile.puts < best->gets + best->puts))
        best = &tile;
    bool helps = tiles_.size() < numMemTiles() && fits(MemTile(), group);
    if (!best && helps) best = &tiles_.emplace_back();
    return best;
  }

  LogicalResult putOn(MemTile* tile, Group& group) {
    if (!tile || !fits(*tile, group)) return refuse(group);
    tile->groups.push_back(&group);
    tile->bytes += group.bytes;
    tile->gets += group.gets;
    tile->puts += group.puts;
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
    Operation& place = createTile(tile);
    tile.dma = std::make_unique<TileDma>(place, aie::TileKind::Mem);
    if (failed(tile.dma->choosePorts(sites, *sites[0]->op.op())) ||
        failed(tile.dma->planPrograms(roots(), true)))
      return failure();
    Operation& before = *design_.lastTile->next();
    for (Group* group : tile.groups)
      for (Operation* memory : group->memory)
        if (failed(createMemory(tile, place, *memory, sites, before))) return failure();
    tile.dma->appendEnds(ends);
    return success();
  }

  std::vector<Block*> roots() const { return {&design_.source->region().front()}; }

  Operation& createTile(const MemTile& tile) {
    Context& context = design_.source->context();
    Builder builder(context);
    OperationState state(context, design_.source->location(), "aie.logical_tile");
    state.resultTypes.push_back(builder.indexType());
    state.addAttribute(context, "tile_type", keyword(context, *state.def, "tile_type", "MemTile"));
    if (tile.col) state.addAttribute(context, "col", builder.i32Attr(*tile.col));
    return *createTileOp(design_, state);
  }

  /// The buffer and its locks.
  LogicalResult createMemory(MemTile& tile, Operation& place, Operation& memory,
                             const std::vector<Site*>& sites, Operation& before) {
    Operation& buffer = createBuffer(place, memory, before);
    std::vector<Site*> turns;
    for (Site* site : sites)
      if (site->memory == &memory) turns.push_back(site);
    for (Site* site : turns)
      site->buffer = buffer.result();
    int64_t copies = options_.twinL2 && mayTwin(tile, memory, turns) ? 2 : 1;
    std::vector<std::pair<Site*, Site*>> early;
    if (copies == 1) early = passEarly(*tile.dma, turns);
    if (failed(chooseLocks(place, buffer, turns, copies))) return failure();
    for (auto [first, last] : early)
      last->released = turns[nextGet(turns, first)]->acquired;
    if (copies == 2) twin(tile, createBuffer(place, memory, before), turns);
    return success();
  }

  Operation& createBuffer(Operation& place, Operation& memory, Operation& before) {
    Builder builder = Builder::before(before);
    std::string name = "l2_buf" + std::to_string(numBuffers_++);
    if (auto said = memory.attrOf<StringAttr>("sym_name")) name = said.value();
    Operation* buffer =
        builder.create(memory.location(), "aie.buffer", {place.result()}, {memory.result().type()},
                       {builder.named("sym_name", builder.stringAttr(symbols_.unusedName(name)))});
    symbols_.add(*buffer);
    return *buffer;
  }

  /// Memory that is there twice: each DMA channel uses the one and the other in turn, with the same
  /// locks; the first transfer may begin twice before the last has ended.
  bool mayTwin(const MemTile& tile, Operation& memory, const std::vector<Site*>& turns) const {
    bool fits = tile.bytes + bytesOf(memory) <= limits_.memoryBytes;
    return fits && turns.size() > 2 && std::all_of(turns.begin(), turns.end(), [&](Site* site) {
             const TileDma::Port& port = tile.dma->portOf(*site);
             return port.program.isRing && port.program.tasks[0].sites.size() == 1;
           });
  }

  void twin(MemTile& tile, Operation& buffer, const std::vector<Site*>& turns) {
    tile.bytes += bytesOf(*turns[0]->memory);
    for (Site* site : turns) {
      Site& other = twins_.emplace_back(*site);
      other.buffer = buffer.result();
      tile.dma->portOf(*site).program.tasks[0].sites.push_back(&other);
    }
  }

  // -- Readers at once ----------------------------------------------------------------------------

  /// The first get behind a put, round and round; the number of turns when there is none.
  static size_t nextGet(const std::vector<Site*>& turns, const Site* put) {
    size_t at = std::find(turns.begin(), turns.end(), put) - turns.begin();
    for (size_t i = 1; i < turns.size(); ++i)
      if (!turns[(at + i) % turns.size()]->isPut) return (at + i) % turns.size();
    return turns.size();
  }

  /// Puts that let the next one begin when they have sent a part: cores that take their data in
  /// parts may wait for each other in between. Each with its last descriptor, whose end the get
  /// behind them waits for.
  std::vector<std::pair<Site*, Site*>> passEarly(TileDma& dma, const std::vector<Site*>& turns) {
    std::vector<std::pair<Site*, Site*>> early;
    for (size_t i = 0; i < turns.size(); ++i) {
      Site& site = *turns[i];
      const size_t get = nextGet(turns, &site);
      const bool passes = site.isPut && site.part && isOnce(dma, site) &&
                          turns[(i + 1) % turns.size()]->isPut && get < turns.size() &&
                          turns[get]->takes < kMostLock;
      const std::vector<Pattern> parts = passes ? partsOf(site) : std::vector<Pattern>();
      if (parts.size() < 2 || parts.size() - 1 > dma.freeDescriptors(site)) continue;
      early.emplace_back(&site, split(dma, site, parts));
      ++turns[get]->takes;
    }
    return early;
  }

  static bool isOnce(TileDma& dma, Site& site) {
    const DmaProgram& program = dma.portOf(site).program;
    return program.isRing && std::ranges::count(program.tasks[0].sites, &site) == 1;
  }

  /// The pattern of a put, cut where the core has what it takes at a time or before.
  static std::vector<Pattern> partsOf(const Site& site) {
    std::vector<Pattern> parts = {site.pattern};
    while (parts[0].length > site.part) {
      auto cut = parts[0].cutAt(site.part);
      if (!cut) return {site.pattern};
      parts[0] = cut->second;
      parts.insert(parts.begin(), cut->first);
    }
    return parts;
  }

  /// The last of the descriptors.
  Site* split(TileDma& dma, Site& site, const std::vector<Pattern>& parts) {
    std::vector<Site*>& program = dma.portOf(site).program.tasks[0].sites;
    auto at = std::find(program.begin(), program.end(), &site);
    for (size_t i = 1; i < parts.size(); ++i) {
      Site& rest = twins_.emplace_back(site);
      rest.pattern = parts[i];
      at = program.insert(at + 1, &rest);
    }
    site.pattern = parts[0];
    return *at;
  }

  static int64_t bytesOf(Operation& memory) {
    auto type = memory.result().type().cast<MemRefType>();
    const int64_t elements = toWholeWords(type.numElements(), type.elementType());
    return aie::elementBytes(type.elementType()).value_or(0) * elements;
  }

  /// Each transfer takes the lock that the one before gives, the first one that of the last, where
  /// 1 is from the start.
  LogicalResult chooseLocks(Operation& tile, Operation& buffer, const std::vector<Site*>& turns,
                            int64_t copies) {
    Sequence sequence = sequenceOf(turns, roots(), true);
    bool isKnown = !sequence.unknown && sequence.runs.size() == 1;
    if (!isKnown || (sequence.runs[0].word != turns && !countTurns(sequence.runs[0].word, turns)))
      return (turns.back()->op->emitOpError()
              << "not supported: transfers of one L2 buffer in different loops or branches")
                 .note(turns[0]->op->location())
             << "another one is here";
    int64_t first =
        turns.size() == 2 ? turns[0]->takes * turns[1]->takes : copies * turns[0]->takes;
    if (first > kMostLock)
      return turns[0]->op->emitOpError()
             << "not supported: " << first << " transfers for one of another, a lock counts to "
             << kMostLock;
    std::vector<Value> locks(turns.size());
    for (size_t i = 1; i <= turns.size(); ++i)
      locks[i % turns.size()] =
          createLock(buffer, tile, numLocks_[&tile]++, i == turns.size() ? first : 0);
    for (size_t i = 0; i < turns.size(); ++i) {
      turns[i]->acquired = locks[i];
      turns[i]->released = locks[(i + 1) % turns.size()];
    }
    return success();
  }

  /// Two transfers, one of which runs several times for one of the other: the locks count.
  static bool countTurns(const std::vector<Site*>& word, const std::vector<Site*>& turns) {
    if (turns.size() != 2 || word[0] != turns[0] || word.back() != turns[1]) return false;
    auto second = std::find(word.begin(), word.end(), turns[1]);
    int64_t before = second - word.begin(), after = word.end() - second;
    bool isPlain = std::count(word.begin(), word.end(), turns[0]) == before;
    if (!isPlain || (before > 1 && after > 1)) return false;
    turns[0]->takes = turns[0]->gives = after;
    turns[1]->takes = turns[1]->gives = before;
    return true;
  }

  Design& design_;
  const DesignOptions& options_;
  const aie::Device& device_;
  const aie::TileLimits& limits_;
  SymbolMap symbols_;        // of the device
  std::vector<Site> sites_;  // in program order
  std::deque<Group> groups_;
  std::deque<MemTile> tiles_;
  std::deque<Site> twins_;  // more descriptors of a site
  std::map<Operation*, int64_t> numLocks_;
  unsigned numBuffers_ = 0;
};

MemTiles::MemTiles(Design& design, const DesignOptions& options)
    : segment_(std::make_unique<SegmentTransfers>(design, options)) {}
MemTiles::~MemTiles() = default;
LogicalResult MemTiles::read() { return segment_->read(); }
std::vector<Site*> MemTiles::sites() { return segment_->sites(); }
LogicalResult MemTiles::lower(std::vector<DmaEnd>& ends) { return segment_->lower(ends); }
void MemTiles::createPrograms(Operation& before) { segment_->createPrograms(before); }

}  // namespace airlite::npu
