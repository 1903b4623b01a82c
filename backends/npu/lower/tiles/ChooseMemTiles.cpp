// Spreads groups of L2 memory over memory tiles.
#include "L2Memory.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

/// The memory tiles of a design while they fill up.
class TileChoice {
 public:
  TileChoice(const Design& design, std::deque<MemTile>& tiles)
      : design_(design),
        device_(design.device.device()),
        limits_(device_.limits(aie::TileKind::Mem)),
        tiles_(tiles) {}

  /// Each group goes where the fewest DMA channels are taken, on as many tiles as the design has
  /// columns of cores, or more where these are full. Those that ask for a column come first.
  LogicalResult choose(const std::vector<L2Group>& groups) {
    for (const L2Group& group : groups)
      if (group.col && failed(putOn(pinnedTile(*group.col), group))) return failure();
    size_t open = std::min(numColumns(), numMemTiles() - std::min(numMemTiles(), tiles_.size()));
    for (size_t i = 0; i < open; ++i)
      tiles_.emplace_back();
    std::vector<const L2Group*> free;
    for (const L2Group& group : groups)
      if (!group.col) free.push_back(&group);
    sortIntoRoom(free);
    for (const L2Group* group : free)
      if (failed(putOn(emptiestTile(*group), *group))) return failure();
    return success();
  }

 private:
  /// Where groups do not fit in the order of the program, the largest go first, else those with most channels.
  void sortIntoRoom(std::vector<const L2Group*>& groups) const {
    const auto bytes = [](const L2Group* group) { return size_t(group->bytes); };
    const auto channels = [](const L2Group* group) { return group->gets + group->puts; };
    if (haveRoom(groups)) return;
    std::vector<const L2Group*> sorted = groups;
    std::ranges::stable_sort(sorted, std::ranges::greater(), bytes);
    if (!haveRoom(sorted)) std::ranges::stable_sort(sorted, std::ranges::greater(), channels);
    if (haveRoom(sorted)) groups = std::move(sorted);
  }

  /// Whether all groups find room, one after the other: tried on tiles that hold nothing but numbers.
  bool haveRoom(const std::vector<const L2Group*>& groups) const {
    std::deque<MemTile> tried;
    for (const MemTile& tile : tiles_) {
      MemTile& copy = tried.emplace_back();
      copy.bytes = tile.bytes;
      copy.gets = tile.gets;
      copy.puts = tile.puts;
    }
    TileChoice choice(design_, tried);
    return std::ranges::all_of(groups, [&](const L2Group* group) {
      MemTile* tile = choice.emptiestTile(*group);
      if (tile) choice.count(*tile, *group);
      return tile != nullptr;
    });
  }

  bool fits(const MemTile& tile, const L2Group& group) const {
    return tile.bytes + group.bytes <= limits_.memoryBytes &&
           tile.gets + group.gets <= limits_.channels && tile.puts + group.puts <= limits_.channels;
  }

  MemTile* pinnedTile(int64_t col) {
    for (MemTile& tile : tiles_)
      if (tile.col == col) return &tile;
    tiles_.emplace_back().col = col;
    return &tiles_.back();
  }

  MemTile* emptiestTile(const L2Group& group) {
    MemTile* best = nullptr;
    for (MemTile& tile : tiles_)
      if (fits(tile, group) && (!best || tile.gets + tile.puts < best->gets + best->puts))
        best = &tile;
    bool helps = tiles_.size() < numMemTiles() && fits(MemTile(), group);
    if (!best && helps) best = &tiles_.emplace_back();
    return best;
  }

  LogicalResult putOn(MemTile* tile, const L2Group& group) {
    if (!tile || !fits(*tile, group)) return refuse(group);
    tile->memory.insert(tile->memory.end(), group.memory.begin(), group.memory.end());
    tile->sites.insert(tile->sites.end(), group.sites.begin(), group.sites.end());
    count(*tile, group);
    return success();
  }

  static void count(MemTile& tile, const L2Group& group) {
    tile.bytes += group.bytes;
    tile.gets += group.gets;
    tile.puts += group.puts;
  }

  size_t numMemTiles() const { return size_t(device_.columns) * device_.memRows; }

  size_t numColumns() const {
    return std::min(columnsOfCores(design_), std::max<size_t>(numMemTiles(), 1));
  }

  LogicalResult refuse(const L2Group& group) const {
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

  const Design& design_;
  const aie::Device& device_;
  const aie::TileLimits& limits_;
  std::deque<MemTile>& tiles_;
};

}  // namespace

size_t columnsOfCores(const Design& design) {
  std::set<int64_t> columns;
  for (const CoreProgram& core : design.cores)
    columns.insert(aie::TileOp(core.tile).id()->col);
  return std::max<size_t>(columns.size(), 1);
}

LogicalResult chooseMemTiles(const Design& design, const std::vector<L2Group>& groups,
                             std::deque<MemTile>& tiles) {
  return TileChoice(design, tiles).choose(groups);
}

}  // namespace airlite::npu
