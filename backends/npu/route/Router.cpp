#include "airlite/npu/route/Router.hpp"

#include "Settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace airlite::npu {
namespace {

// Costs: whoever meets others where that is not allowed pays more from round to round, and a port
// that was contested stays dearer.
constexpr int firstPressure = hopCost / 2;
constexpr int maxPressure = hopCost << 12;
constexpr int contestedCost = hopCost;
/// Packets that may share a wire halve its bandwidth: a free wire next to it is better.
constexpr int sharingCost = hopCost / 2;
/// Flows that fight over the last port in turns need all of them to move now and then.
constexpr unsigned everybodyEach = 8;

class Negotiation {
 public:
  Negotiation(const Device& device, std::span<const Flow> flows)
      : graph_(device),
        flows_(flows),
        search_(graph_),
        trees_(flows.size()),
        users_(graph_.size()),
        history_(graph_.size(), 0),
        tileHistory_(graph_.tileCount(), 0),
        costs_(graph_.size()) {
    for (const auto& flow : flows)
      ids_.push_back(idBits(flow));
  }

  RouteResult run(RouteLimits limits) {
    for (size_t f = 0; f < flows_.size(); ++f)
      if (!routeFlow(f)) return {std::nullopt, unreachable(f)};
    unsigned round = 1;
    for (; findCongestion(); ++round) {
      if (round >= limits.rounds) return {std::nullopt, tooCrowded(), round};
      remember();
      pressure_ = std::min(maxPressure, pressure_ + pressure_ / 2);
      routeAgain(round % everybodyEach == 0);
    }
    return {settingsOf(graph_, flows_, trees_), {}, round};
  }

 private:
  bool areCircuits(size_t a, size_t b) const { return ids_[a] == 0 || ids_[b] == 0; }
  /// May not be in one place, whatever the rest of the switch looks like.
  bool clash(size_t a, size_t b) const { return areCircuits(a, b) || (ids_[a] & ids_[b]); }

  int costFor(size_t flow, int node) const {
    const auto n = size_t(node);
    int cost = hopCost + history_[n];
    if (ids_[flow]) cost += tileHistory_[graph_.tileNumber(graph_[node].end.tile)];
    if (!graph_[node].isWire) return cost;
    int clashes = 0, sharers = 0;
    for (const auto other : users_[n])
      ++(clash(flow, other) ? clashes : sharers);
    if (sharers >= int(slotCount)) ++clashes;
    return cost + sharers * sharingCost + clashes * pressure_;
  }

  bool routeFlow(size_t f) {
    for (int node = 0; node < int(graph_.size()); ++node)
      costs_[size_t(node)] = costFor(f, node);
    const auto& flow = flows_[f];
    search_.start(slaveOf(flow), costs_);
    for (const int target : targetsOf(flow))
      if (!search_.extendTo(target)) return false;
    trees_[f] = search_.take();
    for (const auto& branch : trees_[f])
      users_[size_t(branch.node)].push_back(f);
    return true;
  }

  int slaveOf(const Flow& flow) const {
    return graph_.slave({flow.source.tile, switchPort(flow.source, PortSide::Slave)});
  }

  /// Near ones first: the far ones then grow from the branches that are there.
  std::vector<int> targetsOf(const Flow& flow) const {
    auto ends = flow.destinations;
    const Tile from = flow.source.tile;
    const auto distance = [&](const End& end) {
      return std::abs(end.tile.column - from.column) + std::abs(end.tile.row - from.row);
    };
    std::ranges::stable_sort(ends, {}, distance);
    std::vector<int> targets;
    for (const auto& end : ends)
      targets.push_back(graph_.master({end.tile, switchPort(end, PortSide::Master)}));
    return targets;
  }

  void ripUp(size_t f) {
    for (const auto& branch : trees_[f])
      std::erase(users_[size_t(branch.node)], f);
    trees_[f].clear();
  }

  void routeAgain(bool everybody) {
    std::set<size_t> moving;
    for (const auto& place : congestion_)
      moving.insert(place.flows.begin(), place.flows.end());
    for (size_t f = 0; f < flows_.size(); ++f) {
      if (!everybody && !moving.contains(f)) continue;
      ripUp(f);
      routeFlow(f);  // it was possible before, and costs forbid nothing
    }
  }

  /// Fills congestion_; false when there is none.
  bool findCongestion() {
    congestion_.clear();
    for (int node = 0; node < int(graph_.size()); ++node)
      findClash(node);
    if (std::ranges::any_of(ids_, [](uint32_t ids) { return ids != 0; })) findFullSwitches();
    return !congestion_.empty();
  }

  void findClash(int node) {
    if (!graph_[node].isWire) return;  // ends were checked before
    const auto& users = users_[size_t(node)];
    std::set<size_t> clashing;
    bool circuits = false;
    for (const auto a : users)
      for (const auto b : users)
        if (a != b && clash(a, b)) clashing.insert(a), circuits |= areCircuits(a, b);
    if (clashing.empty()) return;
    add(node, circuits ? "a circuit shares no wire" : "packets of the same id share no wire",
        {clashing.begin(), clashing.end()});
  }

  void findFullSwitches() {
    const auto uses = packetUses(graph_, flows_, trees_);
    for (size_t t = 0; t < uses.size(); ++t) {
      if (uses[t].empty()) continue;
      const auto plan = planPackets(uses[t]);
      const Tile tile{uint8_t(t / Device::rows), uint8_t(t % Device::rows)};
      for (const Port port : plan.crowdedSlaves)
        addCrowded(graph_.slave({tile, port}));
      if (plan.isShortOfArbiters) addFull(tile);
    }
  }

  void addCrowded(int node) {
    add(node, fmt::format("its slave needs more than {} packet rules", slotCount),
        users_[size_t(node)]);
  }

  /// A switch whose sets of masters do not fit: every packet flow there competes.
  void addFull(Tile tile) {
    std::set<size_t> flows;
    const auto here = [&](const Branch& branch) { return graph_[branch.node].end.tile == tile; };
    for (size_t f = 0; f < flows_.size(); ++f)
      if (ids_[f] && std::ranges::any_of(trees_[f], here)) flows.insert(f);
    for (int node = 0; node < int(graph_.size()); ++node) {
      const bool isHere = graph_[node].end.tile == tile && !graph_[node].isEnding;
      const auto& users = users_[size_t(node)];
      if (!isHere || users.empty() || !ids_[users.front()]) continue;
      add(node,
          fmt::format("the switch of {} has {} arbiters of {} msels", name(tile), arbiterCount,
                      mselCount),
          {flows.begin(), flows.end()});
      break;  // one entry names the tile and its flows
    }
    fullTiles_.insert(graph_.tileNumber(tile));
  }

  void add(int node, std::string why, std::vector<size_t> flows) {
    std::ranges::sort(flows);
    const bool isSlave = !graph_[node].isWire;
    congestion_.push_back({graph_[node].driver, isSlave, std::move(why), std::move(flows)});
    contested_.push_back(node);
  }

  void remember() {
    for (const int node : contested_)
      history_[size_t(node)] += contestedCost;
    for (const auto tile : fullTiles_)
      tileHistory_[tile] += contestedCost;
    contested_.clear();
    fullTiles_.clear();
  }

  RouteFailure unreachable(size_t f) const {
    return {fmt::format("flow {}: no legal connections lead from its source to all destinations",
                        print(flows_[f])),
            {}};
  }

  RouteFailure tooCrowded() const {
    std::string text = "the flows do not fit:";
    for (const auto& place : congestion_) {
      std::vector<std::string_view> names;
      for (const auto f : place.flows)
        names.push_back(flows_[f].name);
      text += fmt::format("\n  {} {}: {}, and here compete {}", place.isSlave ? "slave" : "master",
                          name(place.master), place.why, fmt::join(names, ", "));
    }
    return {std::move(text), congestion_};
  }

  RouteGraph graph_;
  std::span<const Flow> flows_;
  std::vector<uint32_t> ids_;  // of each flow, 0 for circuits
  TreeSearch search_;
  std::vector<RouteTree> trees_;
  std::vector<std::vector<size_t>> users_;  // of each node
  std::vector<int> history_;                // of each node
  std::vector<int> tileHistory_;            // for packets
  std::vector<int> costs_;
  int pressure_ = firstPressure;
  std::vector<Congestion> congestion_;
  std::vector<int> contested_;
  std::set<size_t> fullTiles_;
};

}  // namespace

RouteResult route(const Device& device, std::span<const Flow> flows, RouteLimits limits) {
  if (auto fine = checkFlows(device, flows); !fine)
    return {std::nullopt, {fine.error().message, {}}};
  return Negotiation(device, flows).run(limits);
}

}  // namespace airlite::npu
