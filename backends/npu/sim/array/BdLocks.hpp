// The locks that buffer descriptors name: whose they are, and which descriptors release them.
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/Tile.hpp"

#include <cstdint>

namespace airlite::npu::sim {

struct TileState;

/// A lock as its own tile counts.
struct TileLock {
  Tile tile;
  unsigned number = 0;
  friend constexpr bool operator==(TileLock, TileLock) = default;
};

/// The tile that a window of a memory tile's DMA shows: west, own, east. No tile for what is beyond.
Tile windowTile(const TileState& tile, int64_t window);
/// The lock that the DMA of `tile` counts as `lock`.
TileLock lockOfDma(const TileState& tile, unsigned lock);

/// Whether some descriptor of the channel's bank releases `lock`: packets may ask for any of them.
bool someBdReleases(TileState& tile, unsigned channel, TileLock lock);
/// Whether the descriptors from `first` on release `lock`; a chain that ends begins again at
/// `task`.
bool chainReleases(TileState& tile, unsigned first, unsigned task, TileLock lock);

}  // namespace airlite::npu::sim
