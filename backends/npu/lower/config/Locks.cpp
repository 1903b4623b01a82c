// Lock numbers: those that the design gives, the lowest free ones for the rest.
#include "DesignLayout.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

/// The locks of one tile.
class TileLocks {
 public:
  explicit TileLocks(Tile tile) : users_(limitsOf(kindOfRow(tile.row)).locks) {}

  /// A lock whose number is its own; false: another one has it.
  bool take(aie::LockOp lock, unsigned number) {
    if (users_[number]) return false;
    users_[number] = lock.op();
    return true;
  }
  std::optional<unsigned> takeFree(aie::LockOp lock) {
    auto free = std::ranges::find(users_, nullptr);
    if (free == users_.end()) return std::nullopt;
    *free = lock.op();
    return unsigned(free - users_.begin());
  }

  size_t count() const { return users_.size(); }

 private:
  std::vector<const Operation*> users_;  // by number; null: free
};

class Numbering {
 public:
  explicit Numbering(Layout& layout) : layout_(layout) {}

  LogicalResult run() {
    const auto locks = membersOf<aie::LockOp>(layout_.op);
    for (aie::LockOp lock : locks)
      ++needed_[layout_.tileOf(*lock)];
    for (aie::LockOp lock : locks)
      if (lock.lockId()) give(lock, unsigned(*lock.lockId()));
    for (aie::LockOp lock : locks)
      if (!layout_.locks.contains(lock.op()) && failed(giveFree(lock))) return failure();
    for (aie::LockOp lock : locks)
      layout_.at(layout_.tileOf(*lock))
          .locks.push_back(
              {uint8_t(layout_.locks.at(lock.op())), int8_t(lock.init()), lock->location()});
    for (TileConfig& tile : layout_.config.tiles)
      std::ranges::sort(tile.locks, {}, &LockConfig::number);
    return success();
  }

 private:
  TileLocks& on(Tile tile) { return tiles_.try_emplace(tile, tile).first->second; }

  /// Two locks of one number stand only on open tiles that share a tile (the verifier knows the
  /// others): there the second gets another number.
  void give(aie::LockOp lock, unsigned number) {
    if (on(layout_.tileOf(*lock)).take(lock, number)) layout_.locks[lock.op()] = number;
  }

  LogicalResult giveFree(aie::LockOp lock) {
    const Tile tile = layout_.tileOf(*lock);
    const auto number = on(tile).takeFree(lock);
    if (number) return layout_.locks[lock.op()] = *number, success();
    return lock->emitOpError() << "is one of " << needed_[tile] << " locks on " << name(tile)
                               << ", a " << name(kindOfRow(tile.row)) << " tile has "
                               << on(tile).count();
  }

  Layout& layout_;
  std::map<Tile, TileLocks> tiles_;
  std::map<Tile, unsigned> needed_;
};

}  // namespace

LogicalResult numberLocks(Layout& layout) { return Numbering(layout).run(); }

}  // namespace airlite::npu
