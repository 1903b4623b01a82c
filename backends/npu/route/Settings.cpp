#include "Settings.hpp"

#include <algorithm>
#include <map>

namespace airlite::npu {
namespace {

class Writer {
 public:
  Writer(const RouteGraph& graph, std::span<const Flow> flows, std::span<const RouteTree> trees)
      : graph_(graph), flows_(flows), trees_(trees) {}

  Routes run() {
    for (size_t f = 0; f < flows_.size(); ++f) {
      if (!flows_[f].isPacket()) addCircuit(trees_[f]);
      addShim(flows_[f]);
    }
    addPackets();
    for (const auto& flow : flows_)
      if (flow.isPacket()) dropHeaders(flow);
    normalize(routes_);
    return std::move(routes_);
  }

 private:
  void addCircuit(const RouteTree& tree) {
    for (const auto& branch : tree) {
      if (branch.parent < 0) continue;
      const End master = graph_[branch.node].driver;
      routes_.at(master.tile).circuits.push_back({graph_[branch.parent].end.port, master.port});
    }
  }

  void addShim(const Flow& flow) {
    addShimEnd(flow.source, true);
    for (const auto& end : flow.destinations)
      addShimEnd(end, false);
  }

  void addShimEnd(End end, bool isIntoArray) {
    if (kindOfRow(end.tile.row) != TileKind::Shim || end.port.bundle != Bundle::Dma) return;
    const auto port = switchPort(end, isIntoArray ? PortSide::Slave : PortSide::Master);
    auto& shim = routes_.at(end.tile).shim;
    const ShimSetting setting{isIntoArray, port, ShimSource::Dma};
    if (!std::ranges::count(shim, setting)) shim.push_back(setting);  // packets share ends
  }

  void addPackets() {
    const auto uses = packetUses(graph_, flows_, trees_);
    for (size_t t = 0; t < uses.size(); ++t) {
      if (uses[t].empty()) continue;
      auto plan = planPackets(uses[t]);
      auto& tile = routes_.at({uint8_t(t / Device::rows), uint8_t(t % Device::rows)});
      tile.rules = std::move(plan.rules);
      tile.masters = std::move(plan.masters);
    }
  }

  void dropHeaders(const Flow& flow) {
    for (const auto& end : flow.destinations) {
      const Port port = switchPort(end, PortSide::Master);
      for (auto& master : routes_.at(end.tile).masters)
        if (master.master == port) master.dropsHeader = !getsHeader(flow.keepsHeader, end);
    }
  }

  const RouteGraph& graph_;
  std::span<const Flow> flows_;
  std::span<const RouteTree> trees_;
  Routes routes_;
};

/// The masters that each node of the tree feeds.
std::map<int, std::vector<Port>> mastersByNode(const RouteGraph& graph, const RouteTree& tree) {
  std::map<int, std::vector<Port>> masters;
  for (const auto& branch : tree)
    if (branch.parent >= 0) masters[branch.parent].push_back(graph[branch.node].driver.port);
  for (auto& [node, ports] : masters)
    std::ranges::sort(ports);
  return masters;
}

}  // namespace

uint32_t idBits(const Flow& flow) {
  uint32_t bits = 0;
  for (const auto id : flow.packetIds)
    bits |= 1u << id;
  return bits;
}

std::vector<std::vector<PacketUse>> packetUses(const RouteGraph& graph, std::span<const Flow> flows,
                                               std::span<const RouteTree> trees) {
  std::vector<std::vector<PacketUse>> uses(graph.tileCount());
  for (size_t f = 0; f < flows.size(); ++f) {
    if (!flows[f].isPacket() || trees[f].empty()) continue;
    for (auto& [node, masters] : mastersByNode(graph, trees[f])) {
      const End slave = graph[node].end;
      uses[graph.tileNumber(slave.tile)].push_back(
          {slave.port, !graph[node].isWire, idBits(flows[f]), std::move(masters)});
    }
  }
  return uses;
}

Routes settingsOf(const RouteGraph& graph, std::span<const Flow> flows,
                  std::span<const RouteTree> trees) {
  return Writer(graph, flows, trees).run();
}

}  // namespace airlite::npu
