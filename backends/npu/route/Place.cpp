#include "airlite/npu/route/Place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <tuple>

namespace airlite::npu {
namespace {

constexpr unsigned maxSteps = 100'000;  // of the search: a fraction of a second
constexpr std::array directions = {DmaDirection::S2mm, DmaDirection::Mm2s};

/// Bit masks of channels, by direction.
using Channels = std::array<uint32_t, 2>;
/// Buffer descriptors, by the parity of channels.
using Banks = std::array<unsigned, 2>;

uint8_t rowOf(TileKind kind) { return kind == TileKind::Mem ? 1 : 0; }
unsigned count(uint32_t bits) { return unsigned(std::popcount(bits)); }

/// Two open tiles, or an open one and a column, that a flow ties.
struct Tie {
  size_t open;
  std::optional<size_t> other;
  unsigned column = 0;
};

/// One class: a search with steps back; what is free, what is placed and the best placement so far
/// are one state.
class Placer {
 public:
  Placer(const Device& device, const std::vector<OpenTile>& tiles,
         const std::vector<OpenFlow>& flows)
      : device_(device),
        tiles_(tiles),
        flows_(flows),
        needs_(tiles.size()),
        ties_(tiles.size()),
        columns_(tiles.size()),
        free_(2 * device.columns),
        placed_(tiles.size(), false) {}

  Result<Placement> run() {
    if (auto fine = check(); !fine) return fine.error();
    prepare();
    for (size_t t = 0; t < tiles_.size(); ++t)
      if (auto fine = checkNeed(t); !fine) return fine.error();
    search(0, fixedDistance_);
    if (!best_) return tooMuch();
    return finish();
  }

 private:
  struct Capacity {
    Channels channels{};
    Bytes memory;
    Banks descriptors{};
    unsigned tenants = 0;
  };

  /// What is left of the tile of that kind in that column.
  Capacity& at(TileKind kind, unsigned column) { return free_[2 * column + rowOf(kind)]; }

  Result<void> check() const {
    for (size_t t = 0; t < tiles_.size(); ++t)
      if (tiles_[t].kind == TileKind::Core)
        return Error{
            "open tile " + tiles_[t].name + " is a core: only memory tiles and shims are open", t};
    for (size_t f = 0; f < flows_.size(); ++f) {
      if (auto fine = checkEnd(f, flows_[f].source); !fine) return fine.error();
      for (const auto& end : flows_[f].destinations)
        if (auto fine = checkEnd(f, end); !fine) return fine.error();
    }
    return {};
  }

  Result<void> checkEnd(size_t f, const OpenEnd& end) const {
    const auto& flow = flows_[f].name;
    if (end.open && *end.open >= tiles_.size())
      return Error{fmt::format("flow {}: there is no open tile {}", flow, *end.open), f};
    if (!end.open && !device_.has(end.tile))
      return Error{fmt::format("flow {}: {} has no tile {}", flow, device_.name, name(end.tile)),
                   f};
    if (end.open && end.port.bundle == Bundle::Dma && end.port.channel >= 32)
      return Error{fmt::format("flow {}: open tile {} has no channel {}", flow,
                               tiles_[*end.open].name, end.port.channel),
                   f};
    return {};
  }

  void prepare() {
    for (unsigned column = 0; column < device_.columns; ++column)
      for (const auto kind : {TileKind::Mem, TileKind::Shim}) {
        const uint32_t all = (1u << limitsOf(kind).channels) - 1;
        const unsigned bank = limitsOf(kind).bds / 2;
        at(kind, column) = {{all, all}, limitsOf(kind).dataMemory, {bank, bank}};
      }
    for (const auto& flow : flows_) {
      take(flow.source, DmaDirection::Mm2s);
      for (const auto& end : flow.destinations) {
        take(end, DmaDirection::S2mm);
        tie(flow.source, end);
      }
    }
    makeOrder();
  }

  void take(const OpenEnd& end, DmaDirection direction) {
    if (end.port.bundle != Bundle::Dma || end.port.channel >= 32) return;
    const uint32_t bit = 1u << end.port.channel;
    if (end.open) needs_[*end.open][size_t(direction)] |= bit;
    if (!end.open && kindOfRow(end.tile.row) != TileKind::Core)
      at(kindOfRow(end.tile.row), end.tile.column).channels[size_t(direction)] &= ~bit;
  }

  void tie(const OpenEnd& a, const OpenEnd& b) {
    if (!a.open && !b.open) fixedDistance_ += unsigned(std::abs(a.tile.column - b.tile.column));
    if (a.open && a.open == b.open) return;
    if (a.open) ties_[*a.open].push_back({*a.open, b.open, b.tile.column});
    if (b.open) ties_[*b.open].push_back({*b.open, a.open, a.tile.column});
  }

  /// Those that know where they want to be come first, then those tied to these.
  void makeOrder() {
    std::vector<bool> chosen(tiles_.size(), false);
    const auto known = [&](size_t t) {
      return std::ranges::count_if(
          ties_[t], [&](const Tie& tie) { return !tie.other || chosen[*tie.other]; });
    };
    while (order_.size() < tiles_.size()) {
      size_t best = tiles_.size();
      for (size_t t = 0; t < tiles_.size(); ++t)
        if (!chosen[t] && (best == tiles_.size() || known(t) > known(best))) best = t;
      chosen[best] = true;
      order_.push_back(best);
    }
  }

  Result<void> checkNeed(size_t t) const {
    const auto& limits = limitsOf(tiles_[t].kind);
    for (const auto direction : directions)
      if (count(needs_[t][size_t(direction)]) > limits.channels)
        return Error{fmt::format("open tile {} needs {} {} channels, a {} tile has {}",
                                 tiles_[t].name, count(needs_[t][size_t(direction)]),
                                 name(direction), name(tiles_[t].kind), limits.channels),
                     t};
    if (tiles_[t].memory > limits.dataMemory)
      return Error{
          fmt::format("open tile {} needs {} bytes, a {} tile has {}", tiles_[t].name,
                      tiles_[t].memory.value, name(tiles_[t].kind), limits.dataMemory.value),
          t};
    return {};
  }

  bool fits(size_t t, unsigned column) {
    const auto& there = at(tiles_[t].kind, column);
    if (count(needs_[t][0]) > count(there.channels[0]) ||
        count(needs_[t][1]) > count(there.channels[1]) || tiles_[t].memory > there.memory)
      return false;
    // A tile for itself has what it asks for, or nobody has: the descriptors are numbered later.
    if (there.tenants == 0 || tiles_[t].kind != TileKind::Mem) return true;
    const Banks taken = descriptorsAt(t, there);
    return taken[0] <= there.descriptors[0] && taken[1] <= there.descriptors[1];
  }

  /// That it would take with the channels that it would get.
  Banks descriptorsAt(size_t t, const Capacity& there) const {
    Banks banks{};
    for (const auto direction : directions) {
      const auto& known = tiles_[t].descriptors[size_t(direction)];
      uint32_t left = there.channels[size_t(direction)];
      takeChannels(t, direction, left, [&](unsigned logical, unsigned physical) {
        const auto found = known.find(logical);
        if (found != known.end()) banks[physical % 2] += found->second;
      });
    }
    return banks;
  }

  /// To what is placed already; the others count when their turn comes.
  unsigned distanceAt(size_t t, unsigned column) const {
    unsigned distance = 0;
    for (const auto& tie : ties_[t]) {
      if (tie.other && !placed_[*tie.other]) continue;
      const unsigned other = tie.other ? columns_[*tie.other] : tie.column;
      distance += unsigned(std::abs(int(column) - int(other)));
    }
    return distance;
  }

  void search(size_t depth, unsigned distance) {
    if (best_ && distance >= bestDistance_) return;
    if (depth == order_.size()) {
      best_ = columns_;
      bestDistance_ = distance;
      return;
    }
    const size_t t = order_[depth];
    for (const auto& [step, tenants, column] : choices(t)) {
      if (++steps_ > maxSteps && best_) return;
      if (steps_ > 4 * maxSteps) return;
      place(t, column, distance + step, depth);
    }
  }

  std::vector<std::array<unsigned, 3>> choices(size_t t) {
    std::vector<std::array<unsigned, 3>> list;
    for (unsigned column = 0; column < device_.columns; ++column)
      if (fits(t, column))
        list.push_back({distanceAt(t, column), at(tiles_[t].kind, column).tenants, column});
    std::ranges::sort(list);
    return list;
  }

  void place(size_t t, unsigned column, unsigned distance, size_t depth) {
    const Capacity before = at(tiles_[t].kind, column);
    auto& there = at(tiles_[t].kind, column);
    const Banks taken = descriptorsAt(t, before);
    for (size_t bank = 0; bank < taken.size(); ++bank)
      there.descriptors[bank] -= std::min(taken[bank], there.descriptors[bank]);
    for (const auto direction : directions)
      takeChannels(t, direction, there.channels[size_t(direction)], [](unsigned, unsigned) {});
    there.memory = there.memory - tiles_[t].memory;
    ++there.tenants;
    placed_[t] = true;
    columns_[t] = column;
    search(depth + 1, distance);
    placed_[t] = false;
    there = before;
  }

  /// Takes the channels that it gets from those that are `left`: its own numbers when they are free, else the lowest. `use` is told
  /// each number of its own, and which one it gets.
  template <typename Use>
  void takeChannels(size_t t, DmaDirection direction, uint32_t& left, Use&& use) const {
    for (uint32_t need = needs_[t][size_t(direction)]; need; need &= need - 1) {
      const int logical = std::countr_zero(need);
      const uint32_t pick = pickChannel(logical, left);
      left &= ~pick;
      use(unsigned(logical), unsigned(std::countr_zero(pick)));
    }
  }

  static uint32_t pickChannel(int wanted, uint32_t left) {
    return left >> wanted & 1 ? 1u << wanted : left & (~left + 1);
  }

  Error tooMuch() const {
    if (steps_ > 4 * maxSteps)
      return {
          fmt::format("no place for {} open tiles was found in {} steps", tiles_.size(), steps_)};
    std::string text = fmt::format("the open tiles do not fit into {} columns:", device_.columns);
    for (const auto kind : {TileKind::Mem, TileKind::Shim}) {
      unsigned need[2] = {}, number = 0, descriptors = 0;
      for (size_t t = 0; t < tiles_.size(); ++t) {
        if (tiles_[t].kind != kind) continue;
        ++number, need[0] += count(needs_[t][0]), need[1] += count(needs_[t][1]);
        for (const auto& channels : tiles_[t].descriptors)
          for (const auto& [channel, used] : channels)
            descriptors += used;
      }
      text += fmt::format(" {} {} tiles need {} S2MM and {} MM2S channels, a column has {} each;",
                          number, name(kind), need[0], need[1], limitsOf(kind).channels);
      if (kind == TileKind::Mem && descriptors)
        text += fmt::format(" their channels need {} buffer descriptors, a column has {} for those "
                            "with even numbers "
                            "and {} for the others;",
                            descriptors, limitsOf(kind).bds / 2, limitsOf(kind).bds / 2);
    }
    text.pop_back();
    return {text};
  }

  Placement finish() {
    Placement placement;  // the search left the free channels as it found them
    placement.distance = bestDistance_;
    for (size_t t = 0; t < tiles_.size(); ++t)
      placement.tiles.push_back({uint8_t((*best_)[t]), rowOf(tiles_[t].kind)});
    for (const size_t t : order_)
      for (const auto direction : directions)
        assignChannels(t, direction, placement);
    std::ranges::sort(placement.channels, {}, [](const ChannelChoice& choice) {
      return std::tuple(choice.open, choice.direction, choice.logical);
    });
    for (const auto& flow : flows_)
      placement.flows.push_back(fix(flow, placement));
    return placement;
  }

  void assignChannels(size_t t, DmaDirection direction, Placement& placement) {
    uint32_t& left = at(tiles_[t].kind, (*best_)[t]).channels[size_t(direction)];
    takeChannels(t, direction, left, [&](unsigned logical, unsigned physical) {
      placement.channels.push_back({t, direction, logical, physical});
    });
  }

  static End fixEnd(const OpenEnd& end, DmaDirection direction, const Placement& placement) {
    if (!end.open) return {end.tile, end.port};
    End fixed{placement.tiles[*end.open], end.port};
    if (end.port.bundle != Bundle::Dma) return fixed;
    for (const auto& choice : placement.channels)
      if (choice.open == *end.open && choice.direction == direction &&
          choice.logical == end.port.channel)
        fixed.port.channel = uint8_t(choice.physical);
    return fixed;
  }

  static Flow fix(const OpenFlow& flow, const Placement& placement) {
    Flow fixed{flow.name,
               fixEnd(flow.source, DmaDirection::Mm2s, placement),
               {},
               flow.packetIds,
               flow.keepsHeader};
    for (const auto& end : flow.destinations)
      fixed.destinations.push_back(fixEnd(end, DmaDirection::S2mm, placement));
    return fixed;
  }

  const Device& device_;
  const std::vector<OpenTile>& tiles_;
  const std::vector<OpenFlow>& flows_;
  std::vector<Channels> needs_;
  std::vector<std::vector<Tie>> ties_;  // of each open tile
  std::vector<unsigned> columns_;
  std::vector<Capacity> free_;  // shim and memory tile of each column
  std::vector<bool> placed_;
  std::vector<size_t> order_;
  unsigned fixedDistance_ = 0;
  unsigned steps_ = 0;
  std::optional<std::vector<unsigned>> best_;
  unsigned bestDistance_ = 0;
};

}  // namespace

Result<Placement> placeOpenTiles(const Device& device, const std::vector<OpenTile>& tiles,
                                 const std::vector<OpenFlow>& flows) {
  return Placer(device, tiles, flows).run();
}

}  // namespace airlite::npu
