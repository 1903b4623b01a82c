#include "airlite/npu/route/Flow.hpp"
#include "airlite/npu/route/SwitchWords.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {
namespace {

constexpr uint32_t muxFieldBits = 3;

class Encoder {
 public:
  explicit Encoder(const Device& device) : device_(device) {}

  Result<std::vector<SwitchWrite>> run(const Routes& routes) {
    for (const auto& tile : routes.tiles)
      encodeTile(tile);
    if (!refusal_.message.empty()) return refusal_;
    return std::move(writes_);
  }

 private:
  void encodeTile(const SwitchSettings& settings) {
    tile_ = settings.tile;
    kind_ = kindOfRow(tile_.row);
    if (!device_.has(tile_)) return refuse(std::string(device_.name) + " has no such tile");
    encodeCircuits(settings.circuits);
    for (const auto& master : settings.masters)
      write(PortSide::Master, master.master,
            encode(MasterConfig{.isPacket = true,
                                .dropsHeader = master.dropsHeader,
                                .arbiter = master.arbiter,
                                .msels = master.msels}));
    encodeRules(settings.rules);
    for (const auto& setting : settings.shim)
      encodeShim(setting);
  }

  void encodeCircuits(const std::vector<Connection>& circuits) {
    std::set<Port> slaves;
    for (const auto& circuit : circuits) {
      const auto slave = index(PortSide::Slave, circuit.slave);
      write(PortSide::Master, circuit.master, encode(MasterConfig{.slave = uint8_t(slave)}));
      slaves.insert(circuit.slave);
    }
    for (const Port slave : slaves)
      write(PortSide::Slave, slave, encode(SlaveConfig{}));
  }

  void encodeRules(const std::vector<PacketRule>& rules) {
    std::set<Port> slaves;
    for (const auto& rule : rules) {
      if (slaves.insert(rule.slave).second)
        write(PortSide::Slave, rule.slave, encode(SlaveConfig{.isPacket = true}));
      if (rule.slot >= slotCount) return refuse("no slot " + std::to_string(rule.slot));
      const auto word = encode(SlotConfig{true, rule.id, rule.mask, rule.msel, rule.arbiter});
      put(slotOffset(kind_, index(PortSide::Slave, rule.slave), rule.slot), word);
    }
  }

  void encodeShim(const ShimSetting& setting) {
    for (const auto& field : shimMuxFields()) {
      if (field.intoArray != setting.isIntoArray || field.port != setting.port) continue;
      if (kind_ != TileKind::Shim) break;
      const auto offset = field.intoArray ? shimMuxOffset : shimDemuxOffset;
      writes_.push_back({addressOf(tile_, offset), uint32_t(setting.source) << field.lsb,
                         muxFieldBits << field.lsb});
      return;
    }
    refuse("no multiplexer at " + name(setting.port));
  }

  void refuse(const std::string& why) {
    if (refusal_.message.empty()) refusal_.message = why + ", at " + name(tile_);
  }

  unsigned index(PortSide side, Port port) {
    const auto number = portIndex(kind_, side, port);
    if (!number) refuse((side == PortSide::Master ? "no master " : "no slave ") + name(port));
    return number.value_or(0);
  }

  void write(PortSide side, Port port, const Result<uint32_t>& word) {
    const auto number = index(side, port);
    put(side == PortSide::Master ? masterOffset(kind_, number) : slaveOffset(kind_, number), word);
  }

  void put(uint32_t offset, const Result<uint32_t>& word) {
    if (!word) return refuse(word.error().message);
    writes_.push_back({addressOf(tile_, offset), *word});
  }

  const Device& device_;
  Tile tile_;
  TileKind kind_ = TileKind::Core;
  std::vector<SwitchWrite> writes_;
  Error refusal_;
};

}  // namespace

Result<std::vector<SwitchWrite>> encodeRoutes(const Device& device, const Routes& routes) {
  return Encoder(device).run(routes);
}

}  // namespace airlite::npu
