#include "sim/array/BdLocks.hpp"

#include "sim/array/State.hpp"

#include <vector>

namespace airlite::npu::sim {
namespace {

bool releases(const TileState& tile, const BufferDescriptor& bd, TileLock lock) {
  return bd.get(BdField::LockReleaseValue) != 0 &&
         lockOfDma(tile, unsigned(bd.get(BdField::LockReleaseId))) == lock;
}

}  // namespace

Tile windowTile(const TileState& tile, int64_t window) {
  constexpr Tile nowhere{0xFF, 0xFF};
  if (window > 2) return nowhere;
  return {uint8_t(tile.place.column + window - 1), tile.place.row};
}

TileLock lockOfDma(const TileState& tile, unsigned lock) {
  if (tile.kind != TileKind::Mem) return {tile.place, lock};
  const unsigned count = limitsOf(TileKind::Mem).locks;
  return {windowTile(tile, lock / count), lock % count};
}

bool someBdReleases(TileState& tile, unsigned channel, TileLock lock) {
  const Range bank = bdsOfChannel(tile.kind, channel);
  for (unsigned id = bank.begin; id < bank.end; ++id) {
    const auto bd = decodeBd(tile.kind, tile.bd(id));
    if (bd && bd->get(BdField::Valid) && releases(tile, *bd, lock)) return true;
  }
  return false;
}

bool chainReleases(TileState& tile, unsigned first, unsigned task, TileLock lock) {
  std::vector<bool> seen(limitsOf(tile.kind).bds);
  for (unsigned id = first; !seen[id];) {
    seen[id] = true;
    const auto bd = decodeBd(tile.kind, tile.bd(id));
    if (!bd) return false;
    if (releases(tile, *bd, lock)) return true;
    id = unsigned(bd->get(BdField::UseNextBd) ? bd->get(BdField::NextBd) : task);
    if (id >= seen.size()) return false;
  }
  return false;
}

}  // namespace airlite::npu::sim
