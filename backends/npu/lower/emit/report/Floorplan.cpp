// The array as a picture. Each tile has its switch at the lower left, where all streams pass, its
// ports beside it, and above them what it uses; wires run straight from switch to switch, each flow
// in its colour.
#include "airlite/npu/lower/Report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {
namespace {

struct Point {
  double x, y;
};

// Pixels.
constexpr double tileWidth = 310, tileHeight = 190, gap = 26, margin = 16;
constexpr double switchLeft = 8, switchTop = 84, switchWidth = 108, switchHeight = 98;
constexpr double contentLeft = 126, barWidth = 174, barHeight = 14;
constexpr double padTop = 92, padStep = 14, padWidth = 62, lane = 5, lineHeight = 15;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// Neighbouring numbers get hues far apart.
std::string colourOf(size_t flow) {
  return fmt::format("hsl({:.0f},70%,{}%)", double(flow * 137 % 360), flow % 2 ? 38 : 48);
}

std::string text(Point at, std::string_view what, const char* kind) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", at.x, at.y, kind,
                     escaped(what));
}

std::string box(Point at, double width, double height, const char* kind,
                std::string_view tip = "") {
  const std::string title = tip.empty() ? "" : fmt::format("<title>{}</title>", escaped(tip));
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\">{}</rect>\n",
      at.x, at.y, width, height, kind, title);
}

std::string line(Point a, Point b, size_t flow) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", a.x, a.y,
      b.x, b.y, colourOf(flow));
}

/// Two tiles side by side, the smaller first.
using Edge = std::pair<Tile, Tile>;
Edge edgeOf(const Hop& hop) { return std::minmax(hop.from, hop.to); }

class Picture {
 public:
  Picture(const ArrayConfig& config, const ResourceReport& report)
      : config_(config), report_(report), columns_(config.device.columns) {}

  std::string draw() {
    for (size_t flow = 0; flow < report_.flows.size(); ++flow)
      for (const Hop& hop : report_.flows[flow].hops)
        giveLane(edgeOf(hop), flow);
    std::string out = head();
    for (unsigned column = 0; column < columns_; ++column)
      for (unsigned row = 0; row < Device::rows; ++row)
        out += drawTile({uint8_t(column), uint8_t(row)});
    for (size_t flow = 0; flow < report_.flows.size(); ++flow)
      out += drawFlow(flow);
    for (size_t flow = 0; flow < report_.flows.size(); ++flow)
      out += drawPads(*report_.flows[flow].flow, flow);  // over all lines
    return out + legend() + "</svg>\n";
  }

 private:
  // -- Places -----------------------------------------------------------------------------------

  Point cornerOf(Tile tile) const {
    return {margin + tile.column * (tileWidth + gap),
            margin + 2 * lineHeight + (Device::rows - 1 - tile.row) * (tileHeight + gap)};
  }

  double arrayHeight() const { return Device::rows * (tileHeight + gap); }

  void giveLane(Edge edge, size_t flow) {
    auto& lanes = lanes_[edge];
    lanes.try_emplace(flow, lanes.size());
  }

  /// Where the flow crosses the border of the switch of `tile` on its way to or from `other`.
  Point gateOf(Tile tile, Tile other, size_t flow) const {
    const auto& lanes = lanes_.at(std::minmax(tile, other));
    const double at = 5 + lane * double(lanes.at(flow) % 20);
    const Point corner = cornerOf(tile);
    const double left = corner.x + switchLeft, top = corner.y + switchTop;
    if (tile.column == other.column)
      return {left + at, other.row > tile.row ? top : top + switchHeight};
    return {other.column > tile.column ? left + switchWidth : left, top + switchHeight - at};
  }

  /// Ports that are ends: S2MM, MM2S, others, each a column.
  Point padOf(Tile tile, Port port, bool isSource) const {
    const Point corner = cornerOf(tile);
    const bool isDma = port.bundle == Bundle::Dma;
    const unsigned column = isDma ? unsigned(isSource) : 2;
    const unsigned row = isDma ? port.channel : unsigned(isSource);
    return {corner.x + contentLeft + column * padWidth, corner.y + padTop + row * padStep};
  }

  // -- Tiles ------------------------------------------------------------------------------------

  std::string drawTile(Tile tile) const {
    const Point corner = cornerOf(tile);
    const auto use = std::ranges::find(report_.tiles, tile, &TileUse::tile);
    const bool isUsed = use != report_.tiles.end() || config_.routes.of(tile);
    const char* kind = name(kindOfRow(tile.row));
    std::string out = box(corner, tileWidth, tileHeight, isUsed ? kind : "idle");
    out += text({corner.x + contentLeft, corner.y + 17}, name(tile) + " " + kind, "title");
    if (isUsed)
      out += box({corner.x + switchLeft, corner.y + switchTop}, switchWidth, switchHeight, "switch",
                 "stream switch");
    return use == report_.tiles.end() ? out : out + drawUse(*use, corner);
  }

  std::string drawUse(const TileUse& use, Point corner) const {
    std::string out;
    const double left = corner.x + contentLeft;
    if (use.memory.there) {
      out += drawMemory(use, {left, corner.y + 24});
      out += text({left, corner.y + 51},
                  fmt::format("{} of {} KB in {} buffers", kilobytes(use.memory.used),
                              use.memory.there / 1024, use.buffers),
                  "small");
    }
    std::string line = fmt::format("locks {}/{}, BDs {}/{}", use.locks.used, use.locks.there,
                                   use.bds.used, use.bds.there);
    out += text({left, corner.y + 64}, line, "small");
    if (use.program.used)
      out +=
          text({left, corner.y + 77},
               fmt::format("program {} of {} bytes", use.program.used, use.program.there), "small");
    return out;
  }

  static std::string kilobytes(int64_t bytes) {
    return fmt::format("{:.1f}", double(bytes) / 1024);
  }

  std::string drawMemory(const TileUse& use, Point at) const {
    std::string out = box(at, barWidth, barHeight, "bar");
    const TileConfig* tile = config_.of(use.tile);
    const double scale = barWidth / double(use.memory.there);
    const auto part = [&](Bytes offset, Bytes size, const char* kind, const std::string& tip) {
      out += box({at.x + double(offset.value) * scale, at.y},
                 std::max(3.0, double(size.value) * scale), barHeight, kind,
                 fmt::format("{}: {} bytes at {:#x}", tip, size.value, offset.value));
    };
    if (!tile) return out;
    if (tile->core) part(tile->core->stackOffset, tile->core->stackSize, "stack", "stack");
    for (const BufferConfig& buffer : tile->buffers)
      part(buffer.offset, buffer.size, "buffer", buffer.name);
    if (tile->core)
      for (const BufferConfig& data : tile->core->constants)
        part(data.offset, data.size, "data", data.name);
    return out;
  }

  // -- Flows ------------------------------------------------------------------------------------

  std::string drawFlow(size_t number) const {
    const FlowUse& use = report_.flows[number];
    std::string out =
        fmt::format("<g class=\"flow\"><title>{}</title>\n", escaped(print(*use.flow)));
    for (const Hop& hop : use.hops)
      out += line(gateOf(hop.from, hop.to, number), gateOf(hop.to, hop.from, number), number);
    for (const auto& [tile, gates] : gatesOf(use, number))
      for (size_t i = 1; i < gates.size(); ++i)
        out += line(gates[0], gates[i], number);
    return out + "</g>\n";
  }

  Point dotOf(End end, bool isSource) const {
    const Point pad = padOf(end.tile, end.port, isSource);
    return {pad.x, pad.y - 4};
  }

  /// For each tile the points that the flow connects there, where it comes in first.
  std::map<Tile, std::vector<Point>> gatesOf(const FlowUse& use, size_t number) const {
    std::map<Tile, std::vector<Point>> gates;
    const End& source = use.flow->source;
    gates[source.tile].push_back(dotOf(source, true));
    for (const Hop& hop : use.hops) {
      gates[hop.from].push_back(gateOf(hop.from, hop.to, number));
      gates[hop.to].push_back(gateOf(hop.to, hop.from, number));
    }
    for (const End& end : use.flow->destinations)
      gates[end.tile].push_back(dotOf(end, false));
    return gates;
  }

  static std::string labelOf(Port port, bool isSource) {
    if (port.bundle != Bundle::Dma) return name(port);
    return fmt::format("{} {}", name(isSource ? DmaDirection::Mm2s : DmaDirection::S2mm),
                       port.channel);
  }

  std::string drawPads(const Flow& flow, size_t number) const {
    std::string out = drawPad(flow.source, true, number);
    for (const End& end : flow.destinations)
      out += drawPad(end, false, number);
    return out;
  }

  std::string drawPad(End end, bool isSource, size_t number) const {
    const Point at = dotOf(end, isSource);
    return fmt::format(
               "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" stroke=\"{}\" fill=\"{}\"/>\n", at.x,
               at.y, colourOf(number), isSource ? colourOf(number) : "white") +
           text({at.x + 6, at.y + 4}, labelOf(end.port, isSource), "port");
  }

  // -- Around -----------------------------------------------------------------------------------

  std::string head() const {
    const double width = 2 * margin + columns_ * (tileWidth + gap) - gap;
    const double height =
        2 * margin + 2 * lineHeight + arrayHeight() + lineHeight * double(report_.flows.size() + 1);
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>\n"
        "text {{ font-family: sans-serif; fill: #222 }}\n"
        ".title {{ font-size: 13px; font-weight: bold }} .small {{ font-size: 11px }}\n"
        ".port {{ font-size: 9px; paint-order: stroke; stroke: #fff; stroke-width: 2px }} .legend "
        "{{ font-size: 12px }}\n"
        "rect {{ stroke: #999; stroke-width: 1 }}\n"
        ".core {{ fill: #eef4fb }} .memory {{ fill: #f1f8ee }} .shim {{ fill: #fbf3e6 }}\n"
        ".idle {{ fill: #fafafa; stroke: #ddd }} .switch {{ fill: #fff; stroke: #bbb }}\n"
        ".bar {{ fill: #fff }} .stack {{ fill: #999; stroke: none }}\n"
        ".buffer {{ fill: #3f78c0; stroke: #fff; stroke-width: 0.5 }}\n"
        ".data {{ fill: #d0a05b; stroke: none }} .flow line, circle {{ stroke-width: 2 }}\n"
        "</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\" stroke=\"none\"/>\n",
        width, height);
    return out + text({margin, margin + 12},
                      config_.name + " on " + std::string(config_.device.name), "title");
  }

  std::string legend() const {
    std::string out;
    double y = margin + 2 * lineHeight + arrayHeight() + lineHeight;
    for (size_t flow = 0; flow < report_.flows.size(); ++flow, y += lineHeight) {
      out += fmt::format("<g class=\"flow\">{}</g>\n",
                         line({margin, y - 4}, {margin + 24, y - 4}, flow));
      out += text({margin + 32, y}, print(*report_.flows[flow].flow), "legend");
    }
    return out;
  }

  const ArrayConfig& config_;
  const ResourceReport& report_;
  unsigned columns_;
  std::map<Edge, std::map<size_t, size_t>> lanes_;  // of each flow on an edge
};

}  // namespace

std::string floorplanSvg(const ArrayConfig& config, const ResourceReport& report) {
  return Picture(config, report).draw();
}

}  // namespace airlite::npu
