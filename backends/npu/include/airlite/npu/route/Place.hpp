// Placement: flows may name memory tiles and shims whose column is still open; here they get one,
// near the tiles they talk to.
//
//   Result<Placement> placed = placeOpenTiles(device, tiles, flows);
//   RouteResult routes = route(device, placed->flows);
#pragma once

#include "airlite/npu/route/Flow.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

/// A memory tile or shim of which only the row is known. Several may be placed on one tile.
struct OpenTile {
  std::string name;
  TileKind kind = TileKind::Mem;
  Bytes memory{};  ///< what it needs of the tile's memory
  /// Buffer descriptors of its DMA programs, by direction and channel. Those of a memory tile are in two banks, for channels with
  /// even and with odd numbers (docs/hardware/formats.md, 1.2).
  std::array<std::map<unsigned, unsigned>, 2> descriptors = {};
};

/// An end on a fixed tile, or on an open one (its number in the list). DMA channels of an open tile
/// are counted separately, from 0: the placement gives each a free channel of the tile.
/// Other ports are not changed.
struct OpenEnd {
  std::optional<size_t> open = std::nullopt;
  Tile tile{};  ///< when it is not open
  Port port;
  friend bool operator==(const OpenEnd&, const OpenEnd&) = default;
};
using OpenFlow = BasicFlow<OpenEnd>;

/// Channel `logical` of an open tile became channel `physical` of its tile.
struct ChannelChoice {
  size_t open;
  DmaDirection direction;
  unsigned logical;
  unsigned physical;
  friend bool operator==(const ChannelChoice&, const ChannelChoice&) = default;
};

struct Placement {
  std::vector<Tile> tiles;  ///< of each open tile
  std::vector<ChannelChoice> channels;
  std::vector<Flow> flows;  ///< with all ends fixed
  unsigned distance = 0;    ///< columns between sources and destinations, of all flows together
};

/// Chooses the columns with the least distance, and among these the earliest found, trying near and
/// little used tiles first. Channels that fixed ends use are never given away. The best of all
/// placements for up to some 10 open tiles; beyond, the best of the first hundred thousand steps.
/// Refuses when channels or memory of the device do not suffice, naming the tile and the numbers.
Result<Placement> placeOpenTiles(const Device& device, const std::vector<OpenTile>& tiles,
                                 const std::vector<OpenFlow>& flows);

}  // namespace airlite::npu
