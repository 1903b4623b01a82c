// Where the words of each source go, by the settings of the switches.
#include "sim/model/Model.hpp"

#include <optional>
#include <set>
#include <utility>

namespace airlite::npu::sim::model {
namespace {

/// Follows the words of a source, of packets of one id, from switch to switch.
class WayWalk {
 public:
  WayWalk(Model& model, int packet) : model_(model), packet_(packet) {}

  /// From that slave on; `capacity` and `latency` are what lies before it.
  void run(TileState& tile, unsigned slave, double capacity, uint64_t latency) {
    open_.push_back({&tile, slave, capacity, latency});
    while (!open_.empty()) {
      const Reached at = open_.back();
      open_.pop_back();
      if (!seen_.insert({at.tile->place, at.slave}).second) continue;
      const uint32_t masters = at.tile->streams.mastersFor(at.slave, packet_);
      for (unsigned master = 0; masters >> master; ++master)
        if (masters >> master & 1) leave(at, master);
    }
  }

  std::vector<Way> ways;
  std::vector<Passage> passages;

 private:
  /// A place that words reach: the slave of a switch.
  struct Reached {
    TileState* tile;
    unsigned slave;
    double capacity;
    uint64_t latency;
  };

  void leave(const Reached& at, unsigned master) {
    passages.push_back({at.tile->place, master});
    const Switch::Passing passing = at.tile->streams.passing(at.slave, master);
    const double capacity = at.capacity + passing.words;
    const uint64_t latency = at.latency + passing.cycles;
    const Port port = *portAt(at.tile->kind, PortSide::Master, master);
    if (const auto receiver = receiverAt(*at.tile, master)) {
      const uint32_t end = model_.channel(at.tile->place, DmaDirection::S2mm, *receiver).end();
      ways.push_back({end, capacity + model_.state.options.timing.ingressDepth, latency + 1});
    } else if (port.bundle == Bundle::Core) {
      ways.push_back({model_.core(at.tile->place).ends().streamIn, capacity, latency});
    } else if (port.bundle == Bundle::Fifo) {
      const unsigned back = *portIndex(at.tile->kind, PortSide::Slave, {Bundle::Fifo, 0});
      open_.push_back({at.tile, back, capacity, latency});
    } else if (const auto wire = wireOf(at.tile->kind, port)) {
      enter(at, *wire, capacity, latency);
    }
  }

  void enter(const Reached& at, const Wire& wire, double capacity, uint64_t latency) {
    const Tile place = at.tile->place;
    TileState* next =
        model_.state.at({uint8_t(place.column + wire.columns), uint8_t(place.row + wire.rows)});
    if (!next) return;
    if (const auto slave = portIndex(next->kind, PortSide::Slave, wire.slave))
      open_.push_back({next, *slave, capacity, latency});
  }

  /// The DMA channel that a master leads to.
  static std::optional<unsigned> receiverAt(const TileState& tile, unsigned master) {
    for (unsigned i = 0; i < limitsOf(tile.kind).channels; ++i)
      if (tile.portOf(DmaDirection::S2mm, i) == master) return i;
    return std::nullopt;
  }

  Model& model_;
  int packet_;
  std::vector<Reached> open_;
  std::set<std::pair<Tile, unsigned>> seen_;
};

}  // namespace

void Model::findWays() {
  const Timing& timing = state.options.timing;
  for (const auto& tile : state.tiles) {
    for (unsigned i = 0; i < limitsOf(tile->kind).channels; ++i)
      if (const auto slave = tile->portOf(DmaDirection::Mm2s, i))
        addWaysOf(channel(tile->place, DmaDirection::Mm2s, i).end(), *tile, *slave,
                  timing.egressDepth, timing.memoryLatency);
    if (tile->kind != TileKind::Core) continue;
    const unsigned slave = *portIndex(TileKind::Core, PortSide::Slave, {Bundle::Core, 0});
    addWaysOf(core(tile->place).ends().streamOut, *tile, slave, 0, 1);
  }
}

void Model::addWaysOf(uint32_t source, TileState& tile, unsigned slave, double capacity,
                      uint64_t latency) {
  const bool takesPackets = tile.streams.takesPackets(slave);
  for (int packet = takesPackets ? 0 : -1; packet < (takesPackets ? int(packetIdCount) : 0);
       ++packet) {
    WayWalk walk(*this, packet);
    walk.run(tile, slave, capacity, latency);
    if (walk.ways.empty()) continue;
    streams.addWays(source, packet, walk.ways);
    passages_[{source, packet}] = std::move(walk.passages);
  }
}

void Model::addCascades() {
  const Timing& timing = state.options.timing;
  for (const CoreModel& from : cores_) {
    const auto to = coreOf_.find(from.tile().host.cascadePartner(false));
    if (to == coreOf_.end()) continue;
    const CoreModel& receiver = cores_[to->second];
    if (receiver.tile().host.cascadePartner(true) != from.tile().place) continue;
    const Way way{receiver.ends().cascadeIn, double(timing.cascadeDepth), timing.cascadeLatency};
    streams.addWays(from.ends().cascadeOut, -1, {way});
  }
}

}  // namespace airlite::npu::sim::model
