// The map from configuration words and bundles to source lines.
#include "airlite/ir/Context.hpp"
#include "airlite/npu/lower/Images.hpp"

namespace airlite::npu {
namespace {

/// The first place in a file among the parts of a location; `budget` bounds strange ones.
std::optional<SourcePlace> findPlace(const Context& context, Location location, int& budget) {
  if (location.isUnknown() || budget-- <= 0) return std::nullopt;
  if (location.isInSource()) {
    const LineColumn at = context.sources().lineColumn(location);
    return SourcePlace{std::string(context.sources().name(location.source())), at.line, at.column};
  }
  const ComposedLocation& composed = context.composed(location);
  if (composed.kind == ComposedLocation::Kind::FileLineCol)
    return SourcePlace{std::string(composed.name.str()), composed.line, composed.column};
  for (const Location& child : composed.children)
    if (auto place = findPlace(context, child, budget)) return place;
  return std::nullopt;
}

class Mapping {
 public:
  explicit Mapping(const Context& context) : context_(context) {}

  void addTile(const TileConfig& tile) {
    const TileLimits& limits = limitsOf(kindOfRow(tile.tile.row));
    for (const BufferConfig& buffer : tile.buffers)
      if (!buffer.initial.empty())
        add(tile.tile, uint32_t(buffer.offset.value), buffer.initial.size(), buffer.location);
    for (const LockConfig& lock : tile.locks)
      add(tile.tile, limits.lockValue.at(lock.number), 1, lock.location);
    for (const BdConfig& bd : tile.bds)
      add(tile.tile, limits.bd.at(bd.number), limits.bdWords, bd.location);
    for (const ChannelStart& start : tile.starts)
      add(tile.tile, startQueueOffset(limits.kind, start.direction, start.channel), 1,
          start.location);
    if (tile.core) addProgram(tile.tile, *tile.core);
  }

  LocationMap take() { return std::move(map_); }

 private:
  void add(Tile tile, uint32_t offset, size_t words, Location location) {
    if (auto place = sourcePlace(context_, location))
      map_.config.push_back({addressOf(tile, offset), uint32_t(words), *place});
  }

  /// Bundles that follow each other and come from one place share an entry.
  void addProgram(Tile tile, const CoreConfig& core) {
    for (const BufferConfig& data : core.constants)
      if (!data.initial.empty())
        add(tile, uint32_t(data.offset.value), data.initial.size(), data.location);
    const size_t first = map_.program.size();
    for (size_t i = 0; i < core.program.bundles.size() && i < core.bundleLocations.size(); ++i) {
      const isa::ProgramBundle& bundle = core.program.bundles[i];
      auto place = sourcePlace(context_, core.bundleLocations[i]);
      if (!place) continue;
      ProgramPlace* last = map_.program.size() > first ? &map_.program.back() : nullptr;
      if (last && last->end == bundle.address && last->source == *place)
        last->end = bundle.end();
      else
        map_.program.push_back({tile, bundle.address, bundle.end(), std::move(*place)});
    }
  }

  const Context& context_;
  LocationMap map_;
};

}  // namespace

std::optional<SourcePlace> sourcePlace(const Context& context, Location location) {
  int budget = 100;
  return findPlace(context, location, budget);
}

LocationMap locationsOf(const ArrayConfig& config, const Context& context) {
  Mapping mapping(context);
  for (const TileConfig& tile : config.tiles)
    mapping.addTile(tile);
  return mapping.take();
}

}  // namespace airlite::npu
