// Configuration commands. Contents and order: docs/hardware/formats.md section 6.4; what the
// hardware needs is that BDs and locks come before start queues and everything before a core is
// enabled.
#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/lower/Images.hpp"
#include "airlite/npu/route/SwitchWords.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr uint32_t coreControl = 0x32000, coreEnable = 1, coreReset = 2;
constexpr uint32_t channelReset = 2, channelOutOfOrder = 8;
constexpr uint32_t accumulatorControl = 0x36060;  // cascade

/// Commands for one part, tile by tile.
class Commands {
 public:
  void write(Tile tile, uint32_t offset, uint32_t value) {
    appendAligned(cdo_, cdoWrite(addressOf(tile, offset).value, value));
  }
  void mask(Tile tile, uint32_t offset, uint32_t mask, uint32_t value) {
    appendAligned(cdo_, cdoMaskWrite(addressOf(tile, offset).value, mask, value));
  }
  void block(Tile tile, uint32_t offset, std::vector<uint32_t> words) {
    if (words.empty()) return;
    appendAligned(cdo_, cdoBlockWrite(addressOf(tile, offset).value, std::move(words)));
  }
  Cdo take() { return std::move(cdo_); }

 private:
  Cdo cdo_{.commands = {cdoNop(0)}};  // as every file of the library begins
};

/// Sends first, as the tools do.
void resetChannels(Commands& out, Tile tile, bool isHeld) {
  const TileKind kind = kindOfRow(tile.row);
  for (const DmaDirection direction : {DmaDirection::Mm2s, DmaDirection::S2mm})
    for (unsigned channel = 0; channel < limitsOf(kind).channels; ++channel)
      out.mask(tile, controlOffset(kind, direction, channel), channelReset,
               isHeld ? channelReset : 0);
}

std::vector<uint32_t> wordsOf(std::span<const std::byte> bytes) {
  std::vector<uint32_t> words((bytes.size() + 3) / 4);
  for (size_t i = 0; i < bytes.size(); ++i)
    words[i / 4] |= uint32_t(bytes[i]) << i % 4 * 8;
  return words;
}

std::optional<Error> loadProgram(Commands& out, const TileConfig& tile) {
  const CoreConfig& core = *tile.core;
  if (core.elf.empty()) {
    out.block(tile.tile, limitsOf(TileKind::Core).programOffset, wordsOf(programImage(core)));
    for (const BufferConfig& data : core.constants)
      out.block(tile.tile, uint32_t(data.offset.value), data.initial);
    return std::nullopt;
  }
  const auto elf = readCoreElf(core.elf);
  if (!elf) return elf.error();
  const auto loads = loadsOf(*elf, tile.tile);
  if (!loads) return loads.error();
  for (const CoreLoad& load : *loads)
    out.block(load.tile, load.offset, load.words);
  return std::nullopt;
}

Result<Cdo> makePrograms(const ArrayConfig& config) {
  Commands out;
  for (const TileConfig& tile : config.tiles) {
    if (!tile.core) continue;
    out.mask(tile.tile, coreControl, coreEnable, 0);
    resetChannels(out, tile.tile, true);
    if (auto wrong = loadProgram(out, tile)) return *wrong;
    resetChannels(out, tile.tile, false);
  }
  return out.take();
}

/// All locks of a core tile, those of the design elsewhere: a memory tile's others nobody uses.
void setLocks(Commands& out, const TileConfig& tile) {
  const TileLimits& limits = limitsOf(kindOfRow(tile.tile.row));
  if (limits.kind == TileKind::Core)
    for (unsigned lock = 0; lock < limits.locks; ++lock)
      out.write(tile.tile, limits.lockValue.at(lock), 0);
  for (const LockConfig& lock : tile.locks)
    if (limits.kind != TileKind::Core || lock.initial != 0)
      out.write(tile.tile, limits.lockValue.at(lock.number), uint32_t(lock.initial));
}

void setMemory(Commands& out, const TileConfig& tile) {
  for (const BufferConfig& buffer : tile.buffers)
    out.block(tile.tile, uint32_t(buffer.offset.value), buffer.initial);
}

void setDescriptors(Commands& out, const TileConfig& tile) {
  const TileLimits& limits = limitsOf(kindOfRow(tile.tile.row));
  for (const BdConfig& bd : tile.bds)
    out.block(tile.tile, limits.bd.at(bd.number), encodeBd(bd.bd));
}

std::optional<Error> setSwitches(Commands& out, const ArrayConfig& config) {
  const auto writes = encodeRoutes(config.device, config.routes);
  if (!writes) return writes.error();
  for (const SwitchWrite& write : *writes) {
    const Tile tile = write.address.tile();
    if (write.mask == ~0u)
      out.write(tile, write.address.offset(), write.value);
    else
      out.mask(tile, write.address.offset(), write.mask, write.value);
  }
  return std::nullopt;
}

std::optional<Error> startChannels(Commands& out, const TileConfig& tile) {
  const TileKind kind = kindOfRow(tile.tile.row);
  for (const ChannelStart& start : tile.starts) {
    const auto entry =
        encode(kind, QueueEntry{start.bd, uint16_t(start.repeats + 1), start.issuesToken});
    if (!entry) return entry.error();
    if (start.isOutOfOrder) {
      const uint32_t control = controlOffset(kind, start.direction, start.channel);
      out.mask(tile.tile, control, channelOutOfOrder, channelOutOfOrder);
    }
    out.write(tile.tile, startQueueOffset(kind, start.direction, start.channel), *entry);
  }
  return std::nullopt;
}

Result<Cdo> makeSetup(const ArrayConfig& config) {
  Commands out;
  for (const TileConfig& tile : config.tiles) {
    if (!tile.core) continue;
    out.mask(tile.tile, coreControl, coreReset, coreReset);
    out.mask(tile.tile, coreControl, coreReset, 0);
  }
  for (const auto& step : {setLocks, setMemory, setDescriptors})
    for (const TileConfig& tile : config.tiles)
      step(out, tile);
  if (auto wrong = setSwitches(out, config)) return *wrong;
  for (const TileConfig& tile : config.tiles)
    if (tile.cascadeControl) out.write(tile.tile, accumulatorControl, *tile.cascadeControl);
  for (const TileConfig& tile : config.tiles)
    if (auto wrong = startChannels(out, tile)) return *wrong;
  return out.take();
}

Cdo makeEnable(const ArrayConfig& config) {
  Commands out;
  for (const TileConfig& tile : config.tiles)
    if (tile.core) out.mask(tile.tile, coreControl, coreEnable, coreEnable);
  return out.take();
}

}  // namespace

Cdo ConfigParts::merged() const { return mergeCdos(std::array{programs, setup, enable}); }

Result<ConfigParts> makeParts(const ArrayConfig& config) {
  auto programs = makePrograms(config);
  if (!programs) return programs.error();
  auto setup = makeSetup(config);
  if (!setup) return setup.error();
  return ConfigParts{std::move(*programs), std::move(*setup), makeEnable(config)};
}

}  // namespace airlite::npu
