// Tiles of the array, and the addresses by which configuration reaches them.
//
//   Address address = addressOf({.column = 1, .row = 2}, 0x32000);
//   kindOfRow(address.tile().row);  // TileKind::Core
#pragma once

#include "airlite/device/AieDevices.hpp"

#include <compare>
#include <cstdint>

namespace airlite::npu {

enum class TileKind : uint8_t { Core, Mem, Shim };

/// "core", "memory" or "shim", as messages say it.
constexpr const char* name(TileKind kind) {
  return kind == TileKind::Core ? "core" : kind == TileKind::Mem ? "memory" : "shim";
}

/// As the table of devices has it: every shim of an NPU has a DMA.
constexpr aie::TileKind modelKind(TileKind kind) {
  if (kind == TileKind::Core) return aie::TileKind::Core;
  return kind == TileKind::Mem ? aie::TileKind::Mem : aie::TileKind::ShimNoc;
}
/// What the table of devices says of such tiles, in which AIE2 and AIE2P are alike.
constexpr const aie::TileLimits& modelOf(TileKind kind) {
  return aie::limitsOf(aie::Generation::Aie2, modelKind(kind));
}

/// A place in a partition. Columns count from the first column of the partition: the firmware adds
/// the physical one. Row 0 is the shim, row 1 the memory tile, rows 2 to 5 are cores.
struct Tile {
  uint8_t column = 0;
  uint8_t row = 0;
  friend constexpr auto operator<=>(Tile, Tile) = default;
};

/// What row `row` holds, on every device of the two generations.
constexpr TileKind kindOfRow(uint8_t row) {
  return row == 0 ? TileKind::Shim : row == 1 ? TileKind::Mem : TileKind::Core;
}

/// A configuration address: column << 25 | row << 20 | offset. Each tile has 1 MB.
/// Source: docs/hardware/formats.md, section 1.
struct Address {
  uint32_t value = 0;

  constexpr Tile tile() const {
    return {uint8_t(value >> columnShift), uint8_t(value >> rowShift & rowMask)};
  }
  constexpr uint32_t offset() const { return value & offsetMask; }
  friend constexpr auto operator<=>(Address, Address) = default;

  static constexpr unsigned columnShift = 25;
  static constexpr unsigned rowShift = 20;
  static constexpr uint32_t rowMask = 0x1F;
  static constexpr uint32_t offsetMask = 0xFFFFF;
};

/// The address of `offset` (below 1 MB) in `tile`.
constexpr Address addressOf(Tile tile, uint32_t offset) {
  return {uint32_t(tile.column) << Address::columnShift | uint32_t(tile.row) << Address::rowShift |
          (offset & Address::offsetMask)};
}

}  // namespace airlite::npu
