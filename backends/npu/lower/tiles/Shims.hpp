// DMA channels of shims, for what the host sends and takes.
#pragma once

#include "Transfers.hpp"

#include <map>
#include <optional>
#include <vector>

namespace airlite::npu {

/// A DMA channel of a tile, or a stream of its core.
struct TilePort {
  Operation* tile = nullptr;
  int64_t channel = 0;
  aie::Bundle bundle = aie::Bundle::DMA;
};

/// A place of a channel that goes through a shim.
struct ShimDemand {
  const DmaEnd* end = nullptr;  // on the other tile
  bool isTaken = false;         // by the host; else sent
  bool isPacket = false;
  bool isDedicated = false;       // shares its DMA channel with nothing
  std::optional<int64_t> column;  // that the program asks for
};

/// Gives each demand a DMA channel of a shim. Where there are enough shims, each memory tile and each
/// column of cores has its own, since two shims have twice the bandwidth of one; else shims fill up one
/// after the other. Which column each becomes is chosen with the routes, but for those that the program asks
/// for. When there are not enough, packets that the host sends share: they go one after the other.
class Shims {
 public:
  explicit Shims(Design& design) : design_(design) {}

  /// In the order of `demands`. Too many have been reported.
  LogicalResult assign(const std::vector<ShimDemand>& demands, std::vector<TilePort>& ports);

 private:
  /// The demands of one direction on one column, or on those that are open.
  struct Bucket {
    size_t most = 0;     // DMA channels
    size_t sharing = 0;  // DMA channels for packets that may share; 0: no need to share
    size_t used = 0, shared = 0;
    std::vector<size_t> slots = {};  // DMA channels of the packets that share
    std::vector<Operation*>* shims = nullptr;
  };
  /// Where a demand goes: the column that it asks for, or the tile (a column of cores) that has its own
  /// shims; neither: any shim.
  struct Place {
    std::optional<int64_t> column = {};
    int64_t far = 0;
    auto operator<=>(const Place&) const = default;
  };
  using Key = std::pair<Place, bool>;

  Place placeOf(const ShimDemand& demand);
  int64_t farOf(const ShimDemand& demand);
  void spread(const std::vector<ShimDemand>& demands);
  size_t perShim() const;
  LogicalResult count(const std::vector<ShimDemand>& demands);
  LogicalResult checkColumn(const ShimDemand& demand) const;
  size_t numOpen(const std::vector<ShimDemand>& demands) const;
  TilePort take(Bucket& bucket, const ShimDemand& demand);
  Operation* createShim(const ShimDemand& demand);
  LogicalResult refuse(const ShimDemand& demand, const Bucket& bucket) const;

  Design& design_;
  std::map<Key, Bucket> buckets_;
  std::map<Place, std::vector<Operation*>> shims_;
  std::map<int64_t, size_t> spread_;  // shims of each place of its own; none: they fill up
  std::vector<Operation*> memTiles_;  // without a column, numbered after the columns
};

}  // namespace airlite::npu
