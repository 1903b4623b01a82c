// The report as a table and as JSON.
#include "airlite/npu/lower/Report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace airlite::npu {
namespace {

/// What a row says of a tile: the head of the table, the name in JSON.
struct Column {
  const char* head;
  const char* key;
  ResourceUse TileUse::*use;
};
constexpr std::array columns = {
    Column{"memory", "memory_bytes", &TileUse::memory},
    Column{"program", "program_bytes", &TileUse::program},
    Column{"locks", "locks", &TileUse::locks},
    Column{"BDs", "bds", &TileUse::bds},
    Column{"S2MM", "s2mm_channels", &TileUse::s2mm},
    Column{"MM2S", "mm2s_channels", &TileUse::mm2s},
};

using Row = std::vector<std::string>;

std::string aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const Row& row : rows) {
    out += fmt::format("{:<{}}", row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i)
      out += fmt::format("  {:>{}}", row[i], widths[i]);
    out += "\n";
  }
  return out;
}

std::string cell(ResourceUse use) {
  return use.there == 0 ? "-" : fmt::format("{}/{}", use.used, use.there);
}

/// "(0,0) NORTH0 (0,1) NORTH2 (0,2)"; a branch begins again after a comma.
std::string wayOf(const FlowUse& use) {
  if (use.hops.empty()) return "inside " + name(use.flow->source.tile);
  std::string text;
  std::optional<Tile> at;
  for (const Hop& hop : use.hops) {
    if (at != hop.from) text += (text.empty() ? "" : ", ") + name(hop.from);
    text += fmt::format(" {} {}", name(hop.master), name(hop.to));
    at = hop.to;
  }
  return text;
}

// -- JSON ---------------------------------------------------------------------------------------

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (uint8_t(c) < 0x20)
      out += fmt::format("\\u{:04x}", int(uint8_t(c)));
    else
      out += c;
  }
  return out + "\"";
}

std::string jsonOf(Tile tile) { return fmt::format("[{}, {}]", tile.column, tile.row); }

std::string jsonOf(End end) {
  return fmt::format("{{\"tile\": {}, \"port\": \"{}\"}}", jsonOf(end.tile), name(end.port));
}

template <class Range, class Print> std::string listOf(const Range& range, Print print) {
  std::string out;
  for (const auto& element : range)
    out += (out.empty() ? "" : ", ") + print(element);
  return "[" + out + "]";
}

std::string jsonOf(const BufferConfig& buffer) {
  return fmt::format("{{\"name\": {}, \"offset\": {}, \"bytes\": {}}}", quoted(buffer.name),
                     buffer.offset.value, buffer.size.value);
}

/// What a core has of its memory beside the buffers of the design.
std::string jsonOf(const CoreConfig& core) {
  std::string out = fmt::format(", \"stack_offset\": {}, \"stack_bytes\": {}",
                                core.stackOffset.value, core.stackSize.value);
  if (core.constants.empty()) return out;
  return out + ", \"data\": " + listOf(core.constants, [](const BufferConfig& data) {
           return jsonOf(data);
         });
}

std::string jsonOf(const ArrayConfig& config, const TileUse& use) {
  std::string out = fmt::format("    {{\"tile\": {}, \"kind\": \"{}\"", jsonOf(use.tile),
                                name(kindOfRow(use.tile.row)));
  for (const Column& column : columns)
    if ((use.*column.use).there != 0)
      out += fmt::format(", \"{}\": {{\"used\": {}, \"there\": {}}}", column.key,
                         (use.*column.use).used, (use.*column.use).there);
  const TileConfig* tile = config.of(use.tile);
  if (tile && !tile->buffers.empty())
    out += ", \"buffers\": " +
           listOf(tile->buffers, [](const BufferConfig& buffer) { return jsonOf(buffer); });
  if (tile && tile->core) out += jsonOf(*tile->core);
  return out + "}";
}

std::string jsonOf(const FlowUse& use) {
  const Flow& flow = *use.flow;
  std::string out = fmt::format("    {{\"name\": {}, \"source\": {}, \"destinations\": {}",
                                quoted(flow.name), jsonOf(flow.source),
                                listOf(flow.destinations, [](End end) { return jsonOf(end); }));
  if (flow.isPacket())
    out += ", \"packet_ids\": " +
           listOf(flow.packetIds, [](uint8_t id) { return std::to_string(id); });
  return out + ", \"route\": " +
         listOf(use.hops,
                [](const Hop& hop) {
                  return fmt::format("{{\"from\": {}, \"port\": \"{}\", \"to\": {}}}",
                                     jsonOf(hop.from), name(hop.master), jsonOf(hop.to));
                }) +
         "}";
}

template <class List, class Print> std::string linesOf(const List& list, Print print) {
  std::string out;
  for (const auto& element : list)
    out += (out.empty() ? "\n" : ",\n") + print(element);
  return out.empty() ? "[]" : "[" + out + "\n  ]";
}

}  // namespace

std::string resourceTable(const ArrayConfig& config, const ResourceReport& report) {
  std::vector<Row> rows{{"tile", "kind", "buffers"}};
  for (const Column& column : columns)
    rows[0].push_back(column.head);
  for (const TileUse& use : report.tiles) {
    Row& row = rows.emplace_back(
        Row{name(use.tile), name(kindOfRow(use.tile.row)), std::to_string(use.buffers)});
    for (const Column& column : columns)
      row.push_back(cell(use.*column.use));
  }
  std::string out = fmt::format("design {} on {}\n", config.name, config.device.name);
  out += aligned(rows);
  if (!report.flows.empty()) out += "flows\n";
  for (const FlowUse& use : report.flows)
    out += fmt::format("  {}\n    by {}\n", print(*use.flow), wayOf(use));
  return out;
}

std::string resourceJson(const ArrayConfig& config, const ResourceReport& report) {
  return fmt::format(
      "{{\n  \"format\": \"airlite-npu-resources\",\n  \"version\": 1,\n  \"design\": {},\n"
      "  \"device\": \"{}\",\n  \"tiles\": {},\n  \"flows\": {}\n}}\n",
      quoted(config.name), config.device.name,
      linesOf(report.tiles, [&](const TileUse& use) { return jsonOf(config, use); }),
      linesOf(report.flows, [](const FlowUse& use) { return jsonOf(use); }));
}

}  // namespace airlite::npu
