// Where the words of each source go, by the settings of the switches.
#include "sim/model/Model.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace airlite::npu::sim::model {
namespace {

/// A place that words reach: the slave of a switch, with what lies behind them.
struct Reached {
  TileState* tile;
  unsigned slave;
  double capacity;
  uint64_t latency;
};

/// The DMA channel that a master leads to.
std::optional<unsigned> receiverAt(const TileState& tile, unsigned master) {
  for (unsigned i = 0; i < limitsOf(tile.kind).channels; ++i)
    if (tile.portOf(DmaDirection::S2mm, i) == master) return i;
  return std::nullopt;
}

}  // namespace

void Model::findWays() {
  for (const auto& tile : state.tiles) {
    for (unsigned i = 0; i < limitsOf(tile->kind).channels; ++i)
      if (const auto slave = tile->portOf(DmaDirection::Mm2s, i))
        addWaysOf(firstChannel_.at(tile->place) + limitsOf(tile->kind).channels + i, *tile, *slave);
    if (tile->kind != TileKind::Core) continue;
    addWaysOf(kNone, *tile, *portIndex(TileKind::Core, PortSide::Slave, {Bundle::Core, 0}));
  }
}

/// `number`: of the channel; kNone: the core of the tile.
void Model::addWaysOf(uint32_t number, TileState& tile, unsigned slave) {
  const Timing& timing = state.options.timing;
  const bool isCore = number == kNone;
  const uint32_t source =
      isCore ? cores_[coreOf_.at(tile.place)].ends().streamOut : channels_[number].end();
  std::vector<int> packets = {-1};
  if (tile.streams.takesPackets(slave)) {
    packets.clear();
    for (int id = 0; id < int(packetIdCount); ++id)
      packets.push_back(id);
  }
  for (const int packet : packets) {
    std::vector<Way> ways;
    std::vector<Passage>& passages = passages_[{source, packet}];
    std::vector<Reached> open = {{&tile, slave, isCore ? 0.0 : timing.egressDepth,
                                  isCore ? 1 : uint64_t{timing.memoryLatency}}};
    std::set<std::pair<Tile, unsigned>> seen;
    while (!open.empty()) {
      const Reached at = open.back();
      open.pop_back();
      if (!seen.insert({at.tile->place, at.slave}).second) continue;
      const uint32_t masters = at.tile->streams.mastersFor(at.slave, packet);
      for (unsigned master = 0; master < 32; ++master) {
        if (!(masters >> master & 1)) continue;
        passages.push_back({at.tile->place, master});
        const Switch::Passing passing = at.tile->streams.passing(at.slave, master);
        const double capacity = at.capacity + passing.words;
        const uint64_t latency = at.latency + passing.cycles;
        const Port port = *portAt(at.tile->kind, PortSide::Master, master);
        if (const auto receiver = receiverAt(*at.tile, master)) {
          ways.push_back({channel(at.tile->place, DmaDirection::S2mm, *receiver).end(),
                          capacity + timing.ingressDepth, latency + 1});
        } else if (port.bundle == Bundle::Core) {
          ways.push_back(
              {cores_[coreOf_.at(at.tile->place)].ends().streamIn, capacity, latency});
        } else if (port.bundle == Bundle::Fifo) {
          const unsigned back = *portIndex(at.tile->kind, PortSide::Slave, {Bundle::Fifo, 0});
          open.push_back({at.tile, back, capacity, latency});
        } else if (const auto wire = wireOf(at.tile->kind, port)) {
          TileState* next = state.at({uint8_t(at.tile->place.column + wire->columns),
                                      uint8_t(at.tile->place.row + wire->rows)});
          const auto into =
              next ? portIndex(next->kind, PortSide::Slave, wire->slave) : std::nullopt;
          if (into) open.push_back({next, *into, capacity, latency});
        }
      }
    }
    if (!ways.empty()) streams.addWays(source, packet, ways);
  }
}

void Model::addCascades() {
  const Timing& timing = state.options.timing;
  for (const CoreModel& core : cores_) {
    const auto to = coreOf_.find(core.tile().host.cascadePartner(false));
    if (to == coreOf_.end()) continue;
    const CoreModel& receiver = cores_[to->second];
    if (receiver.tile().host.cascadePartner(true) != core.tile().place) continue;
    streams.addWays(core.ends().cascadeOut, -1,
                    {{receiver.ends().cascadeIn, double(timing.cascadeDepth),
                      uint64_t{timing.cascadeLatency}}});
  }
}

}  // namespace airlite::npu::sim::model
