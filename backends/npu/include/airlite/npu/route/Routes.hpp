// Routes: how the stream switches are set, as plain data. Made by the router or read from register
// words; a re-trace needs nothing else.
//
//   Routes routes;
//   routes.at({0, 2}).circuits.push_back({{Bundle::South, 0}, {Bundle::Dma, 1}});
//   std::cout << print(routes);
#pragma once

#include "airlite/npu/device/StreamSwitch.hpp"

#include <string>
#include <vector>

namespace airlite::npu {

/// Circuit: all that comes in at the slave goes out at the master.
struct Connection {
  Port slave;
  Port master;
  friend constexpr auto operator<=>(const Connection&, const Connection&) = default;
};

/// Packets at `slave` with ((packet id ^ id) & mask) == 0 go to every master that listens to this
/// arbiter and msel.
struct PacketRule {
  Port slave;
  uint8_t slot = 0;  ///< 0..3
  uint8_t id = 0;
  uint8_t mask = 31;
  uint8_t msel = 0;
  uint8_t arbiter = 0;
  friend constexpr auto operator<=>(const PacketRule&, const PacketRule&) = default;
};

/// A master in packet mode.
struct PacketMaster {
  Port master;
  uint8_t arbiter = 0;
  uint8_t msels = 0;  ///< bit m: listens to msel m
  bool dropsHeader = false;
  friend constexpr auto operator<=>(const PacketMaster&, const PacketMaster&) = default;
};

/// What a SOUTH port of the shim is connected to.
struct ShimSetting {
  bool isIntoArray = true;  ///< slave SOUTHn; otherwise master SOUTHn
  Port port;
  ShimSource source = ShimSource::Dma;
  friend constexpr auto operator<=>(const ShimSetting&, const ShimSetting&) = default;
};

/// One tile's switch. The lists are in ascending order when the router or the reader made them.
struct SwitchSettings {
  Tile tile;
  std::vector<Connection> circuits = {};
  std::vector<PacketRule> rules = {};
  std::vector<PacketMaster> masters = {};
  std::vector<ShimSetting> shim = {};

  bool isEmpty() const {
    return circuits.empty() && rules.empty() && masters.empty() && shim.empty();
  }
  friend bool operator==(const SwitchSettings&, const SwitchSettings&) = default;
};

/// The switches that are used, ordered by tile.
struct Routes {
  std::vector<SwitchSettings> tiles;

  const SwitchSettings* of(Tile tile) const;
  /// The tile's entry, made when it is missing.
  SwitchSettings& at(Tile tile);
  friend bool operator==(const Routes&, const Routes&) = default;
};

/// Sorts every list and removes empty tiles, so that equal settings compare equal.
void normalize(Routes& routes);

/// A block for each tile, a line for each setting.
std::string print(const Routes& routes);

}  // namespace airlite::npu
