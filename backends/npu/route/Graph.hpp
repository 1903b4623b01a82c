// The array as a graph for the router: a node for everything that one flow takes from the others.
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/route/Flow.hpp"

#include <optional>
#include <span>
#include <vector>

namespace airlite::npu {

/// A slave port, with the wire that leads to it where there is one; or a master that leaves the
/// streams (DMA, CORE, SOUTH of the shim ...).
struct RouteNode {
  End end;      ///< where data arrives: the slave, or the master that ends
  End driver;   ///< the master that drives it: of the tile before for a wire, else `end`
  bool isWire;  ///< between two tiles
  bool isEnding;
};

class RouteGraph {
 public:
  explicit RouteGraph(const Device& device);

  size_t size() const { return nodes_.size(); }
  const RouteNode& operator[](int node) const { return nodes_[size_t(node)]; }
  /// Where data of that node may go next: its switch's masters, as nodes.
  std::span<const int> next(int node) const;
  /// -1: no such slave / no such ending master.
  int slave(End end) const { return slaves_[place(end, PortSide::Slave)]; }
  int master(End end) const { return endings_[place(end, PortSide::Master)]; }
  /// Dense number of a tile.
  size_t tileNumber(Tile tile) const { return size_t(tile.column) * Device::rows + tile.row; }
  size_t tileCount() const { return size_t(device_.columns) * Device::rows; }

 private:
  static constexpr size_t portsPerTile = 32;

  size_t place(End end, PortSide side) const;
  std::optional<End> reachedFrom(End master) const;
  void addSlaves(Tile tile);
  void addMasters(Tile tile);
  void connect(int node);
  void addNode(std::vector<int>& places, PortSide side, RouteNode node);

  const Device& device_;
  std::vector<RouteNode> nodes_;
  std::vector<int> slaves_, endings_;  // by place
  std::vector<int> targets_;
  std::vector<size_t> firstTarget_;
};

}  // namespace airlite::npu
