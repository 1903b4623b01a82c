// A configuration as text.
#include "airlite/npu/lower/ArrayConfig.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

void append(std::string& out, const BufferConfig& buffer, const char* what) {
  out += fmt::format(
      "  {} {}: {} bytes at {:#x}{}\n", what, buffer.name, buffer.size.value, buffer.offset.value,
      buffer.initial.empty() ? "" : fmt::format(" = {} words", buffer.initial.size()));
}

/// All fields that are not as nobody set them, but those that every descriptor has.
std::string fieldsOf(const BufferDescriptor& bd) {
  std::string text;
  for (unsigned i = 0; i < bdFieldCount; ++i) {
    const auto field = BdField(i);
    const bool isSaid = field == BdField::Valid || bd.get(field) == defaultOf(field);
    if (!isSaid) text += fmt::format(" {}={}", name(field), bd.get(field));
  }
  return text;
}

void append(std::string& out, const ChannelStart& start) {
  if (start.isOutOfOrder) {
    out += fmt::format("  start {} {} out of order, {} packets\n", name(start.direction),
                       start.channel, start.repeats + 1);
    return;
  }
  out += fmt::format("  start {} {} at bd {}{}{}\n", name(start.direction), start.channel, start.bd,
                     start.repeats ? fmt::format(", {} times more", start.repeats) : "",
                     start.issuesToken ? ", token" : "");
}

void append(std::string& out, const CoreConfig& core) {
  out += fmt::format("  stack: {} bytes at {:#x}\n", core.stackSize.value, core.stackOffset.value);
  for (const BufferConfig& data : core.constants)
    append(out, data, "data");
  out += fmt::format("  program: {} bytes, entry {:#x}{}\n", programBytes(core).value, core.entry,
                     core.elf.empty()               ? ""
                     : core.program.bundles.empty() ? ", from a file"
                                                    : ", linked");
}

void append(std::string& out, const TileConfig& tile) {
  out += fmt::format("{} {}\n", name(kindOfRow(tile.tile.row)), name(tile.tile));
  for (const BufferConfig& buffer : tile.buffers)
    append(out, buffer, "buffer");
  for (const LockConfig& lock : tile.locks)
    out += fmt::format("  lock {} = {}\n", lock.number, lock.initial);
  for (const BdConfig& bd : tile.bds)
    out += fmt::format("  bd {}:{}\n", bd.number, fieldsOf(bd.bd));
  for (const ChannelStart& start : tile.starts)
    append(out, start);
  if (tile.cascadeControl)
    out += fmt::format("  cascade: from {} to {}\n", *tile.cascadeControl & 1 ? "west" : "north",
                       *tile.cascadeControl & 2 ? "east" : "south");
  if (tile.core) append(out, *tile.core);
}

}  // namespace

std::string print(const ArrayConfig& config) {
  std::string out = fmt::format("array {} on {}\n", config.name, config.device.name);
  for (const TileConfig& tile : config.tiles)
    append(out, tile);
  out += "flows\n";
  for (const Flow& flow : config.flows)
    out += "  " + print(flow) + "\n";
  out += "routes\n" + print(config.routes);
  for (const ShimChannel& shim : config.shims)
    out += fmt::format("shim {}: {} {} of {}{}\n", shim.name, name(shim.direction), shim.channel,
                       name(shim.tile),
                       shim.packetId ? fmt::format(", packets {}", *shim.packetId) : "");
  return out;
}

}  // namespace airlite::npu
