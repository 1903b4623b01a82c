// Counts what tiles use, and follows flows through the settings of the switches.
#include "airlite/npu/lower/Report.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {
namespace {

/// Channels that start by themselves, and those that the host starts.
int64_t channelsOf(const ArrayConfig& config, Tile tile, DmaDirection direction) {
  std::set<unsigned> channels;
  if (const TileConfig* there = config.of(tile))
    for (const ChannelStart& start : there->starts)
      if (start.direction == direction) channels.insert(start.channel);
  for (const Flow& flow : config.flows) {
    const auto add = [&](const End& end) {
      if (end.tile == tile && end.port.bundle == Bundle::Dma) channels.insert(end.port.channel);
    };
    if (direction == DmaDirection::Mm2s)
      add(flow.source);
    else
      std::ranges::for_each(flow.destinations, add);
  }
  return int64_t(channels.size());
}

int64_t bytesOf(const std::vector<BufferConfig>& buffers) {
  int64_t sum = 0;
  for (const BufferConfig& buffer : buffers)
    sum += buffer.size.value;
  return sum;
}

TileUse useOf(const ArrayConfig& config, Tile tile) {
  const TileLimits& limits = limitsOf(kindOfRow(tile.row));
  TileUse use{tile,
              {0, limits.dataMemory.value},
              {0, limits.programMemory.value},
              {0, limits.locks},
              {0, limits.bds}};
  use.s2mm = {channelsOf(config, tile, DmaDirection::S2mm), limits.channels};
  use.mm2s = {channelsOf(config, tile, DmaDirection::Mm2s), limits.channels};
  const TileConfig* there = config.of(tile);
  if (!there) return use;
  use.buffers = there->buffers.size();
  use.memory.used = bytesOf(there->buffers);
  use.locks.used = int64_t(there->locks.size());
  use.bds.used = int64_t(there->bds.size());
  if (!there->core) return use;
  use.memory.used += bytesOf(there->core->constants) + there->core->stackSize.value;
  use.program.used = programBytes(*there->core).value;
  return use;
}

/// Follows one packet id, or a circuit.
class Follower {
 public:
  Follower(const Routes& routes, std::vector<Hop>& hops) : routes_(routes), hops_(hops) {}

  void follow(Tile tile, Port slave, std::optional<uint8_t> id) {
    const SwitchSettings* settings = routes_.of(tile);
    if (!settings || !seen_.insert({tile, slave}).second) return;
    for (const Connection& circuit : settings->circuits)
      if (!id && circuit.slave == slave) leave(tile, circuit.master, id);
    for (const PacketRule& rule : settings->rules) {
      if (!id || rule.slave != slave || ((rule.id ^ *id) & rule.mask) != 0) continue;
      for (const PacketMaster& master : settings->masters)
        if (master.arbiter == rule.arbiter && master.msels >> rule.msel & 1)
          leave(tile, master.master, id);
    }
  }

 private:
  void leave(Tile tile, Port master, std::optional<uint8_t> id) {
    const auto wire = wireOf(kindOfRow(tile.row), master);
    if (!wire) return;
    const Tile next{uint8_t(tile.column + wire->columns), uint8_t(tile.row + wire->rows)};
    const Hop hop{tile, next, master};
    if (std::ranges::find(hops_, hop) == hops_.end()) hops_.push_back(hop);
    follow(next, wire->slave, id);
  }

  const Routes& routes_;
  std::vector<Hop>& hops_;
  std::set<std::pair<Tile, Port>> seen_;
};

std::vector<Hop> hopsOf(const ArrayConfig& config, const Flow& flow) {
  std::vector<Hop> hops;
  const Port slave = switchPort(flow.source, PortSide::Slave);
  if (!flow.isPacket()) Follower(config.routes, hops).follow(flow.source.tile, slave, {});
  for (const uint8_t id : flow.packetIds)
    Follower(config.routes, hops).follow(flow.source.tile, slave, id);
  return hops;
}

}  // namespace

ResourceReport resourcesOf(const ArrayConfig& config) {
  std::set<Tile> tiles;
  for (const TileConfig& tile : config.tiles)
    tiles.insert(tile.tile);
  for (const Flow& flow : config.flows) {
    tiles.insert(flow.source.tile);
    for (const End& end : flow.destinations)
      tiles.insert(end.tile);
  }
  ResourceReport report;
  for (const Tile tile : tiles)
    report.tiles.push_back(useOf(config, tile));
  for (const Flow& flow : config.flows)
    report.flows.push_back({&flow, hopsOf(config, flow)});
  return report;
}

}  // namespace airlite::npu
