// Who waits for whom when an array hangs. A lock is waited for by whoever could release it:
// channels whose descriptors do, cores whose programs do. A word is waited for by what the switches
// connect. A chain of such waits ends in a circle, or at something that does nothing.
#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace airlite::npu::sim {
namespace {

/// A channel or a core: what can act.
struct Actor {
  Tile tile;
  bool isCore = false;
  DmaDirection direction = DmaDirection::S2mm;
  unsigned channel = 0;
  friend constexpr auto operator<=>(const Actor&, const Actor&) = default;

  std::string who() const {
    return isCore ? "core" : fmt::format("{} {}", name(direction), channel);
  }
};

/// A port of a switch.
struct PortPlace {
  Tile tile;
  unsigned index = 0;
  friend constexpr auto operator<=>(const PortPlace&, const PortPlace&) = default;
};

class Chain {
 public:
  explicit Chain(ArrayState& array) : array_(array) {}

  void fill(RunResult& result) {
    waits_ = &result.waits;
    if (waits_->empty()) return;
    follow(waits_->back().who == "sync" ? waits_->back() : waits_->front());
    result.chain = std::move(best_);
    result.circleFrom = circleFrom_;
  }

 private:
  // -- The search: the first circle, else the longest chain

  void follow(const Wait& start) {
    path_ = {start};
    step(nextOf(start));
  }

  void step(const std::vector<Actor>& actors) {
    if (circleFrom_) return;
    if (path_.size() > best_.size()) best_ = path_;
    for (const Actor& actor : actors) {
      const auto known = std::ranges::find(actors_, actor);
      if (known != actors_.end()) return close(size_t(known - actors_.begin()));
      if (!visited_.insert(actor).second) continue;
      actors_.push_back(actor);
      path_.push_back(waitOf(actor));
      if (path_.back().kind == WaitKind::Idle)
        best_ = path_.size() > best_.size() ? path_ : best_;
      else
        step(nextOf(path_.back()));
      if (circleFrom_) return;
      path_.pop_back(), actors_.pop_back();
    }
  }

  /// The path comes back to the actor at `index`; what started it stands in front.
  void close(size_t index) {
    best_ = path_;
    circleFrom_ = index + (path_.size() - actors_.size());
  }

  Wait waitOf(const Actor& actor) const {
    for (const Wait& wait : *waits_)
      if (wait.tile == actor.tile && wait.who == actor.who()) return wait;
    Wait idle{
        .tile = actor.tile, .who = actor.who(), .kind = WaitKind::Idle, .other = {}, .text = {}};
    idle.text = fmt::format("({},{}) {} {}", actor.tile.column, actor.tile.row, actor.who(),
                            whyIdle(actor));
    return idle;
  }

  std::string whyIdle(const Actor& actor) const {
    TileState& tile = *array_.at(actor.tile);
    if (!actor.isCore)
      return tile.channel(actor.direction, actor.channel).isIdle()
                 ? "has no task: nothing starts it"
                 : "continues";
    const auto state = tile.core ? tile.core->status().state : CoreState::Disabled;
    return state == CoreState::Done      ? "has ended its program"
           : state == CoreState::Running ? "runs, and does not come to it"
                                         : "is not enabled";
  }

  // -- What a wait waits for

  std::vector<Actor> nextOf(const Wait& wait) {
    if (wait.kind == WaitKind::Lock) return releasersOf(wait.other, wait.lock);
    if (wait.who == "sync") return {{wait.tile, false, wait.direction, wait.channel}};
    if (wait.who == "poll") return {};
    TileState& tile = *array_.at(wait.tile);
    if (wait.who == "core") return aroundCore(tile);
    if (wait.who.starts_with("slave ")) return destinations(tile, portNamed(tile, wait.who));
    const Actor self = channelNamed(wait);
    const auto port = tile.portOf(self.direction, self.channel);
    if (!port) return {};
    return self.direction == DmaDirection::S2mm ? sources(tile, *port) : destinations(tile, *port);
  }

  static Actor channelNamed(const Wait& wait) {
    const auto direction = wait.who.starts_with("MM2S") ? DmaDirection::Mm2s : DmaDirection::S2mm;
    return {wait.tile, false, direction, unsigned(wait.who.back() - '0')};
  }
  static unsigned portNamed(const TileState& tile, const std::string& who) {
    for (unsigned i = 0; i < portCount(tile.kind, PortSide::Slave); ++i)
      if (who == "slave " + name(*portAt(tile.kind, PortSide::Slave, i))) return i;
    return 0;
  }

  std::vector<Actor> releasersOf(Tile owner, unsigned lock) {
    std::vector<Actor> found;
    for (auto& tile : array_.tiles) {
      for (Channel& channel : tile->channels)
        if (channel.willRelease(owner, lock))
          found.push_back({tile->place, false, channel.direction(), channel.number()});
      if (tile->core && mayRelease(*tile, owner, lock)) found.push_back({tile->place, true});
    }
    return found;
  }

  /// Whether the program of a core could: only what is enabled has one.
  bool mayRelease(const TileState& tile, Tile owner, unsigned lock) const {
    if (tile.core->status().state == CoreState::Disabled) return false;
    for (const auto side : {Neighbour::South, Neighbour::West, Neighbour::North, Neighbour::Own}) {
      const auto base = coreLockBase(side);
      const TileState* reached = array_.neighbour(tile.place, side);
      if (base && reached && reached->place == owner && tile.core->mayRelease(*base + lock))
        return true;
    }
    return false;
  }

  std::vector<Actor> aroundCore(TileState& tile) {
    const auto state = tile.core->status().state;
    const Port core{Bundle::Core, 0};
    if (state == CoreState::StalledOnStreamIn)
      return sources(tile, *portIndex(tile.kind, PortSide::Master, core));
    if (state == CoreState::StalledOnStreamOut)
      return destinations(tile, *portIndex(tile.kind, PortSide::Slave, core));
    const bool isIn = state == CoreState::StalledOnCascadeIn;
    if (!isIn && state != CoreState::StalledOnCascadeOut) return {};
    const Tile other = tile.host.cascadePartner(isIn);
    const TileState* partner = array_.at(other);
    if (!partner || !partner->core) return {};
    return {{other, true}};
  }

  // -- Along the switches

  std::vector<Actor> sources(TileState& tile, unsigned master) {
    std::vector<Actor> found;
    std::set<PortPlace> seen;
    into(tile, master, seen, found);
    return found;
  }

  void into(TileState& tile, unsigned master, std::set<PortPlace>& seen,
            std::vector<Actor>& found) {
    if (!seen.insert({tile.place, master}).second) return;
    for (uint32_t left = tile.streams.slavesInto(master); left != 0; left &= left - 1) {
      const auto slave = unsigned(std::countr_zero(left));
      if (const auto actor = actorAt(tile, PortSide::Slave, slave)) found.push_back(*actor);
      for (auto& other : array_.tiles)
        for (unsigned m = 0; m < portCount(other->kind, PortSide::Master); ++m)
          if (leadsTo(*other, m, tile, slave)) into(*other, m, seen, found);
    }
  }

  std::vector<Actor> destinations(TileState& tile, unsigned slave) {
    std::vector<Actor> found;
    std::set<PortPlace> seen;
    outOf(tile, slave, seen, found);
    return found;
  }

  void outOf(TileState& tile, unsigned slave, std::set<PortPlace>& seen,
             std::vector<Actor>& found) {
    if (!seen.insert({tile.place, slave}).second) return;
    for (uint32_t left = tile.streams.mastersFrom(slave); left != 0; left &= left - 1) {
      const auto master = unsigned(std::countr_zero(left));
      if (const auto actor = actorAt(tile, PortSide::Master, master)) found.push_back(*actor);
      for (auto& other : array_.tiles)
        for (unsigned s = 0; s < portCount(other->kind, PortSide::Slave); ++s)
          if (leadsTo(tile, master, *other, s)) outOf(*other, s, seen, found);
    }
  }

  static bool leadsTo(const TileState& from, unsigned master, const TileState& to, unsigned slave) {
    const auto wire = wireOf(from.kind, *portAt(from.kind, PortSide::Master, master));
    if (!wire) return false;
    const Tile next{uint8_t(from.place.column + wire->columns),
                    uint8_t(from.place.row + wire->rows)};
    return next == to.place && portIndex(to.kind, PortSide::Slave, wire->slave) == slave;
  }

  /// The core or the channel at a port of a switch.
  static std::optional<Actor> actorAt(TileState& tile, PortSide side, unsigned index) {
    const Port port = *portAt(tile.kind, side, index);
    if (port.bundle == Bundle::Core) return Actor{tile.place, true};
    const auto direction = side == PortSide::Slave ? DmaDirection::Mm2s : DmaDirection::S2mm;
    for (unsigned i = 0; i < limitsOf(tile.kind).channels; ++i)
      if (tile.portOf(direction, i) == index) return Actor{tile.place, false, direction, i};
    return std::nullopt;
  }

  ArrayState& array_;
  const std::vector<Wait>* waits_ = nullptr;
  std::vector<Wait> path_, best_;
  std::vector<Actor> actors_;  ///< of the path, but for what starts it
  std::set<Actor> visited_;
  std::optional<size_t> circleFrom_;
};

}  // namespace

void findChain(ArrayState& array, RunResult& result) { Chain(array).fill(result); }

}  // namespace airlite::npu::sim
