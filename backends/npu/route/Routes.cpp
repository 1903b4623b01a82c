#include "airlite/npu/route/Routes.hpp"

#include "airlite/npu/route/Flow.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

void printCircuits(std::string& text, const std::vector<Connection>& circuits) {
  for (size_t i = 0; i < circuits.size(); ++i) {
    const bool goesOn = i > 0 && circuits[i - 1].slave == circuits[i].slave;
    if (!goesOn) text += fmt::format("\n  circuit {} ->", name(circuits[i].slave));
    text += (goesOn ? ", " : " ") + name(circuits[i].master);
  }
}

std::string printMsels(uint8_t msels) {
  std::string text;
  for (unsigned m = 0; m < mselCount; ++m)
    if (msels >> m & 1) text += fmt::format(" {}", m);
  return text;
}

void printTile(std::string& text, const SwitchSettings& tile) {
  text += fmt::format("{} tile {}", name(kindOfRow(tile.tile.row)), name(tile.tile));
  printCircuits(text, tile.circuits);
  for (const auto& rule : tile.rules)
    text += fmt::format("\n  rule {} slot {}: id {} mask {} -> arbiter {} msel {}",
                        name(rule.slave), rule.slot, rule.id, rule.mask, rule.arbiter, rule.msel);
  for (const auto& master : tile.masters)
    text += fmt::format("\n  master {}: arbiter {} msel{}{}", name(master.master), master.arbiter,
                        printMsels(master.msels), master.dropsHeader ? " drops header" : "");
  constexpr const char* sources[] = {"fabric", "DMA", "NoC", "3"};
  for (const auto& shim : tile.shim)
    text += fmt::format("\n  {} {}: {}", shim.isIntoArray ? "mux" : "demux", name(shim.port),
                        sources[unsigned(shim.source) & 3]);
  text += '\n';
}

auto placeOf(auto& tiles, Tile tile) {
  return std::ranges::lower_bound(tiles, tile, {}, &SwitchSettings::tile);
}

}  // namespace

const SwitchSettings* Routes::of(Tile tile) const {
  const auto it = placeOf(tiles, tile);
  return it != tiles.end() && it->tile == tile ? &*it : nullptr;
}

SwitchSettings& Routes::at(Tile tile) {
  const auto it = placeOf(tiles, tile);
  if (it != tiles.end() && it->tile == tile) return *it;
  return *tiles.insert(it, SwitchSettings{tile});
}

void normalize(Routes& routes) {
  std::erase_if(routes.tiles, [](const auto& tile) { return tile.isEmpty(); });
  std::ranges::sort(routes.tiles, {}, &SwitchSettings::tile);
  for (auto& tile : routes.tiles) {
    std::ranges::sort(tile.circuits);
    std::ranges::sort(tile.rules);
    std::ranges::sort(tile.masters);
    std::ranges::sort(tile.shim);
  }
}

std::string print(const Routes& routes) {
  std::string text;
  for (const auto& tile : routes.tiles)
    printTile(text, tile);
  return text;
}

}  // namespace airlite::npu
