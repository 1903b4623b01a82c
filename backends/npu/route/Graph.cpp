#include "Graph.hpp"

#include <array>

namespace airlite::npu {
namespace {

/// The legal connections of a tile kind, as lists of masters: asking for each again is slow.
using MasterLists = std::vector<std::vector<Port>>;

MasterLists connectionsOf(TileKind kind) {
  MasterLists lists(portCount(kind, PortSide::Slave));
  for (unsigned s = 0; s < lists.size(); ++s)
    for (unsigned m = 0; m < portCount(kind, PortSide::Master); ++m) {
      const auto master = *portAt(kind, PortSide::Master, m);
      if (canConnect(kind, *portAt(kind, PortSide::Slave, s), master)) lists[s].push_back(master);
    }
  return lists;
}

const std::vector<Port>& mastersOf(TileKind kind, Port slave) {
  static const std::array<MasterLists, 3> lists = {
      connectionsOf(TileKind::Core), connectionsOf(TileKind::Mem), connectionsOf(TileKind::Shim)};
  return lists[size_t(kind)][*portIndex(kind, PortSide::Slave, slave)];
}

}  // namespace

RouteGraph::RouteGraph(const Device& device) : device_(device) {
  slaves_.assign(tileCount() * portsPerTile, -1);
  endings_ = slaves_;
  for (uint8_t column = 0; column < device.columns; ++column)
    for (uint8_t row = 0; row < Device::rows; ++row)
      addSlaves({column, row}), addMasters({column, row});
  for (uint8_t column = 0; column < device.columns; ++column)
    for (uint8_t row = 0; row < Device::rows; ++row)
      for (unsigned m = 0; m < portCount(kindOfRow(row), PortSide::Master); ++m) {
        const End master{{column, row}, *portAt(kindOfRow(row), PortSide::Master, m)};
        const auto end = reachedFrom(master);
        if (end)
          nodes_[size_t(slave(*end))].driver = master, nodes_[size_t(slave(*end))].isWire = true;
      }
  for (int node = 0; node < int(nodes_.size()); ++node)
    connect(node);
  firstTarget_.push_back(targets_.size());
}

size_t RouteGraph::place(End end, PortSide side) const {
  return tileNumber(end.tile) * portsPerTile + *portIndex(kindOfRow(end.tile.row), side, end.port);
}

/// The slave at the other end of a master's wire; none when it ends or leaves the array.
std::optional<End> RouteGraph::reachedFrom(End master) const {
  const auto wire = wireOf(kindOfRow(master.tile.row), master.port);
  if (!wire) return std::nullopt;
  const Tile other{uint8_t(master.tile.column + wire->columns),
                   uint8_t(master.tile.row + wire->rows)};
  return device_.has(other) ? std::optional(End{other, wire->slave}) : std::nullopt;
}

void RouteGraph::addNode(std::vector<int>& places, PortSide side, RouteNode node) {
  places[place(node.end, side)] = int(nodes_.size());
  nodes_.push_back(node);
}

void RouteGraph::addSlaves(Tile tile) {
  const auto kind = kindOfRow(tile.row);
  for (unsigned s = 0; s < portCount(kind, PortSide::Slave); ++s) {
    const End end{tile, *portAt(kind, PortSide::Slave, s)};
    addNode(slaves_, PortSide::Slave, {end, end, false, false});
  }
}

void RouteGraph::addMasters(Tile tile) {
  const auto kind = kindOfRow(tile.row);
  for (unsigned m = 0; m < portCount(kind, PortSide::Master); ++m) {
    const End end{tile, *portAt(kind, PortSide::Master, m)};
    if (!wireOf(kind, end.port)) addNode(endings_, PortSide::Master, {end, end, false, true});
  }
}

void RouteGraph::connect(int node) {
  firstTarget_.push_back(targets_.size());
  const auto& from = nodes_[size_t(node)];
  if (from.isEnding) return;
  for (const Port port : mastersOf(kindOfRow(from.end.tile.row), from.end.port)) {
    const End driver{from.end.tile, port};
    if (const auto end = reachedFrom(driver)) targets_.push_back(slave(*end));
    if (!wireOf(kindOfRow(driver.tile.row), port)) targets_.push_back(master(driver));
  }
}

std::span<const int> RouteGraph::next(int node) const {
  const size_t begin = firstTarget_[size_t(node)], end = firstTarget_[size_t(node) + 1];
  return std::span(targets_).subspan(begin, end - begin);
}

}  // namespace airlite::npu
