#include "SettingsCheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {
namespace {

class SwitchCheck {
 public:
  SwitchCheck(const SwitchSettings& tile, std::vector<RouteFinding>& findings)
      : tile_(tile), kind_(kindOfRow(tile.tile.row)), findings_(findings) {}

  void run() {
    for (const auto& circuit : tile_.circuits)
      checkCircuit(circuit);
    for (const auto& rule : tile_.rules)
      checkRule(rule);
    for (const auto& master : tile_.masters)
      checkMaster(master);
    for (const auto& setting : tile_.shim)
      checkShim(setting);
  }

 private:
  void add(RouteFault fault, const std::string& message) {
    findings_.push_back({fault, tile_.tile, message + " of " + name(tile_.tile)});
  }

  bool exists(PortSide side, Port port) {
    if (portIndex(kind_, side, port)) return true;
    add(RouteFault::NoSuchPort,
        fmt::format("no {} {}", side == PortSide::Master ? "master" : "slave", name(port)));
    return false;
  }

  void take(Port master) {
    if (!taken_.insert(master).second)
      add(RouteFault::MasterTwice,
          fmt::format("master {} is set twice: at the switch", name(master)));
  }

  void checkConnection(Port slave, Port master) {
    if (!exists(PortSide::Slave, slave) || !exists(PortSide::Master, master)) return;
    if (!canConnect(kind_, slave, master))
      add(RouteFault::IllegalConnection,
          fmt::format("no way from {} to {} in the switch", name(slave), name(master)));
  }

  void checkCircuit(const Connection& circuit) {
    checkConnection(circuit.slave, circuit.master);
    take(circuit.master);
    if (std::ranges::count(tile_.rules, circuit.slave, &PacketRule::slave))
      add(RouteFault::MixedModes,
          fmt::format("circuits and packet rules at slave {}", name(circuit.slave)));
  }

  void limit(const char* what, unsigned number, unsigned count) {
    if (number >= count)
      add(RouteFault::OutOfRange,
          fmt::format("{} is {}, the limit is {}: in the switch", what, number, count - 1));
  }

  void checkRule(const PacketRule& rule) {
    if (!exists(PortSide::Slave, rule.slave)) return;
    limit("a slot", rule.slot, slotCount);
    limit("a packet id", rule.id, packetIdCount);
    limit("a mask", rule.mask, packetIdCount);
    limit("an msel", rule.msel, mselCount);
    limit("an arbiter", rule.arbiter, arbiterCount);
    if (!slots_.insert({rule.slave, rule.slot}).second)
      add(RouteFault::OutOfRange,
          fmt::format("slot {} is used twice: slave {}", rule.slot, name(rule.slave)));
    checkListeners(rule);
  }

  void checkListeners(const PacketRule& rule) {
    bool heard = false;
    for (const auto& master : tile_.masters) {
      if (master.arbiter != rule.arbiter || !(master.msels >> rule.msel & 1)) continue;
      checkConnection(rule.slave, master.master);
      heard = true;
    }
    if (!heard)
      add(RouteFault::NobodyListens,
          fmt::format("no master has arbiter {} msel {}, which slot {} "
                      "of slave {} chooses: switch",
                      rule.arbiter, rule.msel, rule.slot, name(rule.slave)));
  }

  void checkMaster(const PacketMaster& master) {
    if (!exists(PortSide::Master, master.master)) return;
    take(master.master);
    limit("an arbiter", master.arbiter, arbiterCount);
    limit("the msel enables", master.msels, 1u << mselCount);
  }

  void checkShim(const ShimSetting& setting) {
    const auto isField = [&](const ShimMuxField& field) {
      return field.intoArray == setting.isIntoArray && field.port == setting.port;
    };
    const auto field = std::ranges::find_if(shimMuxFields(), isField);
    const char* what = setting.isIntoArray ? "multiplexer" : "demultiplexer";
    if (kind_ != TileKind::Shim || field == shimMuxFields().end())
      return add(RouteFault::ShimNotConnected,
                 fmt::format("no {} at {}", what, name(setting.port)));
    if (setting.source == ShimSource::Dma && field->channel < 0)
      add(RouteFault::ShimNotConnected,
          fmt::format("no DMA is connected to the {} at {}", what, name(setting.port)));
    if (std::ranges::count_if(tile_.shim, [&](const ShimSetting& other) {
          return other.isIntoArray == setting.isIntoArray && other.port == setting.port;
        }) > 1)
      add(RouteFault::ShimNotConnected,
          fmt::format("two settings of the {} at {}", what, name(setting.port)));
  }

  const SwitchSettings& tile_;
  TileKind kind_;
  std::vector<RouteFinding>& findings_;
  std::set<Port> taken_;
  std::set<std::pair<Port, uint8_t>> slots_;
};

}  // namespace

std::vector<RouteFinding> checkSettings(const Device& device, const Routes& routes) {
  std::vector<RouteFinding> findings;
  std::set<Tile> seen;
  for (const auto& tile : routes.tiles) {
    if (!device.has(tile.tile))
      findings.push_back({RouteFault::NoSuchTile, tile.tile,
                          fmt::format("{} has no tile {}", device.name, name(tile.tile))});
    else if (!seen.insert(tile.tile).second)
      findings.push_back(
          {RouteFault::NoSuchTile, tile.tile, "two lists of settings for " + name(tile.tile)});
    else
      SwitchCheck(tile, findings).run();
  }
  return findings;
}

const ShimSetting* shimSetting(const SwitchSettings& tile, bool isIntoArray, Port port) {
  for (const auto& setting : tile.shim)
    if (setting.isIntoArray == isIntoArray && setting.port == port) return &setting;
  return nullptr;
}

}  // namespace airlite::npu
