#include "airlite/npu/route/Retrace.hpp"

#include "SettingsCheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace airlite::npu {
namespace {

/// The slave that a master's wire leads to; a tile that the device lacks when it leaves the array.
std::optional<End> otherEnd(End master) {
  const auto wire = wireOf(kindOfRow(master.tile.row), master.port);
  if (!wire) return std::nullopt;
  return End{{uint8_t(master.tile.column + wire->columns), uint8_t(master.tile.row + wire->rows)},
             wire->slave};
}

/// Whether the wire into this slave begins in a tile of the device.
bool isFed(const Device& device, End slave) {
  constexpr struct {
    Bundle side;
    int columns, rows;
    Bundle master;
  } sides[] = {{Bundle::South, 0, -1, Bundle::North},
               {Bundle::North, 0, 1, Bundle::South},
               {Bundle::West, -1, 0, Bundle::East},
               {Bundle::East, 1, 0, Bundle::West}};
  for (const auto& side : sides) {
    if (slave.port.bundle != side.side) continue;
    const Tile from{uint8_t(slave.tile.column + side.columns), uint8_t(slave.tile.row + side.rows)};
    return device.has(from) && otherEnd({from, {side.master, slave.port.channel}}) == slave;
  }
  return false;
}

class Tracer {
 public:
  Tracer(const Device& device, const Routes& routes) : device_(device), routes_(routes) {}

  Trace run() {
    trace_.findings = checkSettings(device_, routes_);
    const bool isSound = std::ranges::none_of(trace_.findings, [](const RouteFinding& finding) {
      return finding.fault == RouteFault::NoSuchTile;
    });
    if (!isSound) return std::move(trace_);
    for (const auto& tile : routes_.tiles)
      for (const Port slave : slavesOf(tile))
        if (!isFed(device_, {tile.tile, slave})) followSource({tile.tile, slave});
    for (const auto& tile : routes_.tiles)
      findUnused(tile);
    std::ranges::sort(trace_.reaches, {},
                      [](const Reach& reach) { return std::tuple(reach.source, reach.packetId); });
    return std::move(trace_);
  }

 private:
  static std::set<Port> slavesOf(const SwitchSettings& tile) {
    std::set<Port> slaves;
    for (const auto& circuit : tile.circuits)
      slaves.insert(circuit.slave);
    for (const auto& rule : tile.rules)
      slaves.insert(rule.slave);
    return slaves;
  }

  void add(RouteFault fault, Tile tile, std::string message) {
    if (said_.insert({fault, tile, message}).second)
      trace_.findings.push_back({fault, tile, std::move(message)});
  }

  static bool matches(const PacketRule& rule, unsigned id) {
    return ((id ^ rule.id) & rule.mask) == 0;
  }

  void followSource(End slave) {
    const auto& tile = *routes_.of(slave.tile);
    if (std::ranges::count(tile.circuits, slave.port, &Connection::slave))
      followAs(slave, std::nullopt);
    for (unsigned id = 0; id < packetIdCount; ++id)
      if (std::ranges::any_of(tile.rules, [&](const PacketRule& rule) {
            return rule.slave == slave.port && matches(rule, id);
          }))
        followAs(slave, uint8_t(id));
  }

  void followAs(End slave, std::optional<uint8_t> id) {
    reach_ = {outside(slave, true), id, {}};
    passed_.clear();
    follow(slave);
    std::ranges::sort(reach_.arrivals);
    trace_.reaches.push_back(std::move(reach_));
  }

  std::string stream() const {
    return reach_.packetId ? fmt::format("packet {} from {}", *reach_.packetId, name(reach_.source))
                           : "the circuit from " + name(reach_.source);
  }

  void follow(End slave) {
    if (!passed_.insert(slave).second)
      return add(RouteFault::Loop, slave.tile,
                 fmt::format("{} comes to {} twice", stream(), name(slave)));
    const auto* tile = routes_.of(slave.tile);
    static const SwitchSettings empty{};
    if (reach_.packetId)
      followPacket(tile ? *tile : empty, slave);
    else
      followCircuit(tile ? *tile : empty, slave);
  }

  void followCircuit(const SwitchSettings& tile, End slave) {
    bool goesOn = false;
    for (const auto& circuit : tile.circuits) {
      if (circuit.slave != slave.port) continue;
      goesOn = true;
      used_.insert({slave.tile, slave.port, 0});
      leave({slave.tile, circuit.master}, false);
    }
    if (goesOn) return;
    if (std::ranges::count(tile.rules, slave.port, &PacketRule::slave))
      return add(RouteFault::MixedModes, slave.tile,
                 fmt::format("{} comes to {}, which takes packets", stream(), name(slave)));
    add(RouteFault::DeadEnd, slave.tile, fmt::format("{} ends at {}", stream(), name(slave)));
  }

  void followPacket(const SwitchSettings& tile, End slave) {
    std::set<std::pair<uint8_t, uint8_t>> targets;
    for (const auto& rule : tile.rules) {
      if (rule.slave != slave.port || !matches(rule, *reach_.packetId)) continue;
      usedRules_.insert({slave.tile, rule});
      targets.insert({rule.arbiter, rule.msel});
    }
    if (targets.empty()) return lost(tile, slave);
    if (targets.size() > 1)
      add(RouteFault::AmbiguousRules, slave.tile,
          fmt::format("{} matches several rules of {}", stream(), name(slave)));
    for (const auto& [arbiter, msel] : targets)
      for (const auto& master : tile.masters) {
        if (master.arbiter != arbiter || !(master.msels >> msel & 1)) continue;
        used_.insert({slave.tile, master.master, uint8_t(msel + 1)});
        leave({slave.tile, master.master}, !master.dropsHeader);
      }
  }

  void lost(const SwitchSettings& tile, End slave) {
    if (std::ranges::count(tile.circuits, slave.port, &Connection::slave))
      return add(RouteFault::MixedModes, slave.tile,
                 fmt::format("{} comes to {}, which is a circuit", stream(), name(slave)));
    add(RouteFault::UnmatchedPacket, slave.tile,
        fmt::format("{} comes to {}, which has no rule for it", stream(), name(slave)));
  }

  /// Out of the switch: on to the next tile, or at an end.
  void leave(End master, bool hasHeader) {
    const auto next = otherEnd(master);
    if (!next) return arrive(outside(master, false), hasHeader);
    if (!device_.has(next->tile))
      return add(RouteFault::DeadEnd, master.tile,
                 fmt::format("{} leaves the partition at {}", stream(), name(master)));
    if (reach_.packetId && !hasHeader)
      add(RouteFault::WrongHeader, master.tile,
          fmt::format("{} loses its header on the way at {}", stream(), name(master)));
    follow(*next);
  }

  void arrive(End end, bool hasHeader) {
    if (std::ranges::count(reach_.arrivals, end, &Arrival::end))
      return add(RouteFault::Loop, end.tile,
                 fmt::format("{} comes to {} twice", stream(), name(end)));
    reach_.arrivals.push_back({end, hasHeader});
  }

  /// SOUTH of a shim is a DMA when the multiplexer says so.
  End outside(End end, bool isIntoArray) {
    const auto* tile = routes_.of(end.tile);
    const auto* setting = tile ? shimSetting(*tile, isIntoArray, end.port) : nullptr;
    if (!setting || kindOfRow(end.tile.row) != TileKind::Shim) return end;
    usedShim_.insert({end.tile, *setting});
    if (setting->source != ShimSource::Dma) return end;
    for (const auto& field : shimMuxFields())
      if (field.intoArray == isIntoArray && field.port == end.port && field.channel >= 0)
        return {end.tile, {Bundle::Dma, uint8_t(field.channel)}};
    return end;
  }

  void unused(Tile tile, const std::string& what) {
    add(RouteFault::Unused, tile, fmt::format("nothing comes to {} of {}", what, name(tile)));
  }

  void findUnused(const SwitchSettings& tile) {
    for (const auto& circuit : tile.circuits)
      if (!used_.contains({tile.tile, circuit.slave, 0}))
        unused(tile.tile, fmt::format("{} -> {}", name(circuit.slave), name(circuit.master)));
    for (const auto& rule : tile.rules)
      if (!usedRules_.contains({tile.tile, rule}))
        unused(tile.tile, fmt::format("slot {} of slave {}", rule.slot, name(rule.slave)));
    for (const auto& master : tile.masters)
      findUnusedMsels(tile.tile, master);
    for (const auto& setting : tile.shim)
      if (!usedShim_.contains({tile.tile, setting}))
        unused(tile.tile, fmt::format("the {} at {}", setting.isIntoArray ? "mux" : "demux",
                                      name(setting.port)));
  }

  void findUnusedMsels(Tile tile, const PacketMaster& master) {
    if (!master.msels) unused(tile, fmt::format("master {}", name(master.master)));
    for (unsigned msel = 0; msel < mselCount; ++msel)
      if ((master.msels >> msel & 1) && !used_.contains({tile, master.master, uint8_t(msel + 1)}))
        unused(tile, fmt::format("msel {} of master {}", msel, name(master.master)));
  }

  const Device& device_;
  const Routes& routes_;
  Trace trace_;
  Reach reach_;           // the stream being followed
  std::set<End> passed_;  // slaves it came to
  std::set<std::tuple<RouteFault, Tile, std::string>> said_;
  std::set<std::tuple<Tile, Port, uint8_t>> used_;  // circuit slaves; masters with their msel + 1
  std::set<std::pair<Tile, PacketRule>> usedRules_;
  std::set<std::pair<Tile, ShimSetting>> usedShim_;
};

}  // namespace

std::string_view name(RouteFault fault) {
  constexpr std::string_view names[] = {"no such tile",
                                        "no such port",
                                        "illegal connection",
                                        "out of range",
                                        "master set twice",
                                        "mixed modes",
                                        "ambiguous rules",
                                        "nobody listens",
                                        "dead end",
                                        "unmatched packet",
                                        "loop",
                                        "unused setting",
                                        "shim not connected",
                                        "undeclared source",
                                        "missing destination",
                                        "extra destination",
                                        "wrong header"};
  return names[unsigned(fault)];
}

Trace retrace(const Device& device, const Routes& routes) { return Tracer(device, routes).run(); }

std::string print(std::span<const RouteFinding> findings) {
  std::string text;
  for (const auto& finding : findings)
    text += fmt::format("{}: {}\n", name(finding.fault), finding.message);
  return text;
}

}  // namespace airlite::npu
