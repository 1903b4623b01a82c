// What writes mean in a few words: BDs, routes, tasks. Comments for people, never read back.
#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "image/RegisterText.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

std::string dimsText(const BufferDescriptor& bd) {
  std::string out;
  const unsigned dims = limitsOf(bd.kind()).dims, wraps = limitsOf(bd.kind()).wraps;
  for (unsigned dim = dims; dim-- > 0;) {
    const auto step = bd.get(BdField(unsigned(BdField::D0Step) + dim));
    const auto wrap = dim < wraps ? bd.get(BdField(unsigned(BdField::D0Wrap) + dim)) : 0;
    if (step == 1 && wrap == 0) continue;
    out += fmt::format("{}D{}: ", out.empty() ? "" : ", ", dim);
    out += wrap ? fmt::format("{} x {}", wrap, step) : fmt::format("steps of {}", step);
  }
  return out.empty() ? out : "; " + out;
}

std::string paddingText(const BufferDescriptor& bd) {
  if (bd.kind() != TileKind::Mem) return "";
  std::string out;
  for (unsigned dim = 3; dim-- > 0;) {
    const auto before = bd.get(BdField(unsigned(BdField::D0Before) + dim));
    const auto after = bd.get(BdField(unsigned(BdField::D0After) + dim));
    if (before || after) out += fmt::format("; D{} padded by {} and {}", dim, before, after);
  }
  return out;
}

std::string locksText(const BufferDescriptor& bd) {
  std::string out;
  if (bd.get(BdField::LockAcquireEnable)) {
    const auto value = bd.get(BdField::LockAcquireValue);
    out += fmt::format("; acquires lock {} {} {}", bd.get(BdField::LockAcquireId),
                       value < 0 ? ">=" : "==", value < 0 ? -value : value);
  }
  if (const auto change = bd.get(BdField::LockReleaseValue))
    out += fmt::format("; releases lock {} by {:+}", bd.get(BdField::LockReleaseId), change);
  return out;
}

std::string restText(const BufferDescriptor& bd) {
  std::string out;
  if (bd.get(BdField::IterationWrap) > 1)
    out += fmt::format("; {} iterations, {} words apart", bd.get(BdField::IterationWrap),
                       bd.get(BdField::IterationStep));
  if (bd.get(BdField::EnablePacket)) out += fmt::format("; packet {}", bd.get(BdField::PacketId));
  if (const auto asked = bd.get(BdField::OutOfOrderId)) out += fmt::format(" for BD {}", asked);
  if (bd.get(BdField::EnableCompression)) out += "; compressed";
  if (bd.get(BdField::UseNextBd)) out += fmt::format("; then BD {}", bd.get(BdField::NextBd));
  return out;
}

std::string bdText(unsigned id, const BufferDescriptor& bd) {
  const bool isShim = bd.kind() == TileKind::Shim;
  const int64_t base = bd.get(BdField::Base) * (isShim ? 1 : bytesPerWord);
  return fmt::format("BD {}: {} words from byte {:#x}", id, bd.get(BdField::Length), base) +
         dimsText(bd) + paddingText(bd) + locksText(bd) + restText(bd);
}

std::string bdMeaning(TileKind kind, uint32_t offset, std::span<const uint32_t> words) {
  const auto& limits = limitsOf(kind);
  const uint32_t from = offset - limits.bd.base;
  if (offset < limits.bd.base || from % limits.bd.stride || from / limits.bd.stride >= limits.bds)
    return "";
  if (words.size() != limits.bdWords) return "";
  const auto bd = decodeBd(kind, words);
  return bd ? bdText(from / limits.bd.stride, *bd) : "not a BD: " + bd.error().message;
}

std::string taskMeaning(TileKind kind, uint32_t offset, uint32_t word) {
  const auto channel = channelOfStartQueue(kind, offset);
  if (!channel) return "";
  const auto entry = decodeQueueEntry(kind, word);
  if (!entry) return "";
  return fmt::format("{} {} starts BD {}{}{}", name(channel->direction), channel->channel,
                     entry->bd, entry->repeat > 1 ? fmt::format(", {} times", entry->repeat) : "",
                     entry->issuesToken ? ", token" : "");
}

std::string masterMeaning(TileKind kind, Port master, uint32_t word) {
  const auto config = decodeMaster(word);
  if (!config || !config->isEnabled) return "";
  if (config->isPacket)
    return fmt::format("{} takes packets of arbiter {}, msels {:#x}{}", name(master),
                       config->arbiter, config->msels,
                       config->dropsHeader ? ", drops the header" : "");
  const auto slave = portAt(kind, PortSide::Slave, config->slave);
  if (!slave) return fmt::format("{} takes a port that does not exist", name(master));
  return fmt::format("{} -> {}{}", name(*slave), name(master),
                     canConnect(kind, *slave, master) ? "" : ": no such connection");
}

std::string slotMeaning(Port slave, uint32_t word) {
  const auto slot = decodeSlot(word);
  if (!slot || !slot->isEnabled) return "";
  return fmt::format("{}: packets {} (mask {:#x}) to arbiter {}, msel {}", name(slave), slot->id,
                     slot->mask, slot->arbiter, slot->msel);
}

std::string switchMeaning(TileKind kind, uint32_t offset, uint32_t word) {
  for (unsigned i = 0; i < portCount(kind, PortSide::Master); ++i)
    if (masterOffset(kind, i) == offset)
      return masterMeaning(kind, *portAt(kind, PortSide::Master, i), word);
  for (unsigned i = 0; i < portCount(kind, PortSide::Slave); ++i)
    for (unsigned slot = 0; slot < slotCount; ++slot)
      if (slotOffset(kind, i, slot) == offset)
        return slotMeaning(*portAt(kind, PortSide::Slave, i), word);
  return "";
}

}  // namespace

std::string meaningOf(Address address, std::span<const uint32_t> words) {
  const Tile tile = address.tile();
  if (tile.row >= Device::rows) return "";
  const auto kind = kindOfRow(tile.row);
  if (words.size() != 1) return bdMeaning(kind, address.offset(), words);
  const auto task = taskMeaning(kind, address.offset(), words[0]);
  return task.empty() ? switchMeaning(kind, address.offset(), words[0]) : task;
}

}  // namespace airlite::npu
