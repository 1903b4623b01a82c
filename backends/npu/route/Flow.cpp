#include "airlite/npu/route/Flow.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace airlite::npu {

std::string name(Tile tile) { return fmt::format("({},{})", tile.column, tile.row); }
std::string name(End end) { return name(end.port) + " of " + name(end.tile); }

std::string print(const Flow& flow) {
  std::string text = flow.name + ": " + name(flow.source) + " -> ";
  for (const auto& end : flow.destinations)
    text += (&end == flow.destinations.data() ? "" : ", ") + name(end);
  if (flow.isPacket()) text += fmt::format(" [packets {}]", fmt::join(flow.packetIds, ", "));
  if (flow.keepsHeader) text += " [keeps header]";
  return text;
}

Port switchPort(End end, PortSide side) {
  if (kindOfRow(end.tile.row) != TileKind::Shim || end.port.bundle != Bundle::Dma) return end.port;
  const auto* field = shimMuxFor(side == PortSide::Slave, end.port.channel);
  return field ? field->port : end.port;
}

bool getsHeader(bool keepsHeader, End destination) {
  const bool isShim = kindOfRow(destination.tile.row) == TileKind::Shim;
  const Bundle bundle = destination.port.bundle;
  return keepsHeader || !(bundle == Bundle::Dma || (isShim && bundle == Bundle::South));
}

}  // namespace airlite::npu
