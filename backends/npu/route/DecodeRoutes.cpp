#include "airlite/npu/route/Flow.hpp"
#include "airlite/npu/route/SwitchWords.hpp"

#include <map>
#include <set>

namespace airlite::npu {
namespace {

/// The last word written to a register, and by which write.
struct Word {
  uint32_t value = 0;
  uint64_t write = 0;
};
using TileWords = std::map<uint32_t, Word>;  // by offset

/// The registers of one tile that belong to its switch.
std::set<uint32_t> switchOffsets(TileKind kind) {
  std::set<uint32_t> offsets;
  for (unsigned m = 0; m < portCount(kind, PortSide::Master); ++m)
    offsets.insert(masterOffset(kind, m));
  for (unsigned s = 0; s < portCount(kind, PortSide::Slave); ++s) {
    offsets.insert(slaveOffset(kind, s));
    for (unsigned slot = 0; slot < slotCount; ++slot)
      offsets.insert(slotOffset(kind, s, slot));
  }
  if (kind == TileKind::Shim) offsets.insert({shimMuxOffset, shimDemuxOffset});
  return offsets;
}

class TileDecoder {
 public:
  TileDecoder(Tile tile, const TileWords& words)
      : kind_(kindOfRow(tile.row)), words_(words), settings_{tile} {}

  Result<SwitchSettings> run() {
    readSlaves();
    readMasters();
    if (kind_ == TileKind::Shim) readShim();
    if (!refusal_.message.empty()) return refusal_;
    return std::move(settings_);
  }

 private:
  /// The decoded register, or all off when nothing was written there.
  template <class T> T read(uint32_t offset, Result<T> (*decode)(uint32_t)) {
    const auto it = words_.find(offset);
    if (it == words_.end()) return T{.isEnabled = false};
    const auto config = decode(it->second.value);
    if (config) return *config;
    refuse(it->second, config.error().message);
    return T{.isEnabled = false};
  }

  void refuse(const Word& word, const std::string& why) {
    if (refusal_.message.empty())
      refusal_ = {why + ", in the switch of " + name(settings_.tile), word.write};
  }

  void readSlaves() {
    for (unsigned s = 0; s < portCount(kind_, PortSide::Slave); ++s) {
      const auto slave = read(slaveOffset(kind_, s), decodeSlave);
      slaves_.push_back(slave);
      if (slave.isEnabled && slave.isPacket) readSlots(s);
    }
  }

  void readSlots(unsigned slave) {
    for (unsigned n = 0; n < slotCount; ++n) {
      const auto slot = read(slotOffset(kind_, slave, n), decodeSlot);
      if (slot.isEnabled)
        settings_.rules.push_back({*portAt(kind_, PortSide::Slave, slave), uint8_t(n), slot.id,
                                   slot.mask, slot.msel, slot.arbiter});
    }
  }

  void readMasters() {
    for (unsigned m = 0; m < portCount(kind_, PortSide::Master); ++m) {
      const uint32_t offset = masterOffset(kind_, m);
      const auto config = read(offset, decodeMaster);
      const Port port = *portAt(kind_, PortSide::Master, m);
      if (!config.isEnabled) continue;
      if (config.isPacket)
        settings_.masters.push_back({port, config.arbiter, config.msels, config.dropsHeader});
      else
        readCircuit(config, port, words_.at(offset));
    }
  }

  void readCircuit(const MasterConfig& config, Port master, const Word& word) {
    if (config.slave >= slaves_.size())
      return refuse(word, "master " + name(master) + " takes slave " +
                              std::to_string(config.slave) + ", which does not exist");
    const auto& slave = slaves_[config.slave];
    if (slave.isEnabled && !slave.isPacket)
      settings_.circuits.push_back({*portAt(kind_, PortSide::Slave, config.slave), master});
  }

  void readShim() {
    for (const auto& field : shimMuxFields()) {
      const auto it = words_.find(field.intoArray ? shimMuxOffset : shimDemuxOffset);
      if (it == words_.end()) continue;
      const unsigned source = it->second.value >> field.lsb & 3;
      if (source > unsigned(ShimSource::Noc))
        refuse(it->second, "the multiplexer at " + name(field.port) + " has 3, which is nothing");
      else if (source != unsigned(ShimSource::Fabric))
        settings_.shim.push_back({field.intoArray, field.port, ShimSource(source)});
    }
  }

  TileKind kind_;
  const TileWords& words_;
  SwitchSettings settings_;
  std::vector<SlaveConfig> slaves_;
  Error refusal_;
};

bool isSwitchRegister(Address address) {
  static const std::set<uint32_t> offsets[] = {
      switchOffsets(TileKind::Core), switchOffsets(TileKind::Mem), switchOffsets(TileKind::Shim)};
  return offsets[size_t(kindOfRow(address.tile().row))].contains(address.offset());
}

}  // namespace

Result<Routes> decodeRoutes(const Device& device, std::span<const SwitchWrite> writes) {
  std::map<Tile, TileWords> tiles;
  for (size_t i = 0; i < writes.size(); ++i) {
    const auto& write = writes[i];
    if (!isSwitchRegister(write.address)) continue;
    const Tile tile = write.address.tile();
    if (!device.has(tile)) return Error{std::string(device.name) + " has no tile " + name(tile), i};
    auto& word = tiles[tile][write.address.offset()];
    word = {(word.value & ~write.mask) | (write.value & write.mask), i};
  }
  Routes routes;
  for (const auto& [tile, words] : tiles) {
    auto settings = TileDecoder(tile, words).run();
    if (!settings) return settings.error();
    routes.tiles.push_back(std::move(*settings));
  }
  normalize(routes);
  return routes;
}

}  // namespace airlite::npu
