// The DMA programs of tiles: which transfers there are, and their descriptors.
#pragma once

#include "Transfers.hpp"
#include "airlite/ir/Builder.hpp"

#include <array>
#include <map>

namespace airlite::npu {

/// What a descriptor says about memory, in elements.
struct Pattern {
  int64_t offset = 0, length = 0;
  std::vector<std::pair<int64_t, int64_t>> dims;  // size and stride, outermost first; empty: linear
};

/// One put or get.
struct Site {
  air::ChannelAccessOp op;
  bool isPut = false;
  Operation* memory = nullptr;  // the op that makes it
  Value buffer;                 // what it is on the tile
  ChannelPlace place;           // of the put; a get of a broadcast has one with others
  Pattern pattern;
  Value acquired, released;  // the locks that its descriptor takes and gives
};

/// Reads all but `buffer` and the locks. What descriptors cannot say has been reported.
LogicalResult readSite(Operation& op, Site& site);

/// The DMA of one tile.
class TileDma {
 public:
  TileDma(Operation& tile, aie::TileKind kind) : tile_(tile), kind_(kind) {}

  /// Gives each place of a channel a DMA channel, in the order of `sites`, which must stay where
  /// they are. Too many, and transfers of one channel that do not follow each other round and
  /// round, have been reported.
  LogicalResult choosePorts(std::vector<Site*> sites, Operation& tileUser);
  /// Makes the program, `aie.mem` or `aie.memtile_dma`.
  void create(Builder builder, Location location) const;
  void appendEnds(std::vector<DmaEnd>& ends) const;

 private:
  /// A DMA channel: the transfers that it makes in turn.
  struct Port {
    int64_t channel = 0;
    std::vector<Site*> sites;
  };

  std::vector<const Port*> inOrder(bool isPut) const;
  Block* createChain(Builder builder, Region& region, Block& start, bool isPut,
                     const Port& port) const;
  void createDescriptor(Block& block, const Site& site, Block& next) const;

  Operation& tile_;
  aie::TileKind kind_;
  std::array<std::map<ChannelPlace, Port>, 2> ports_;  // gets, puts
};

/// A lock of a tile before `before`.
Value createLock(Operation& before, Operation& tile, int64_t id, int64_t init);
/// Takes 1 from a lock, waiting until it is there.
void acquire(Builder builder, Location location, Value lock);
/// Adds 1 to a lock.
void release(Builder builder, Location location, Value lock);

}  // namespace airlite::npu
