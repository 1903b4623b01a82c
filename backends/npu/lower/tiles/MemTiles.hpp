// L2 memory and its transfers.
#pragma once

#include "L2Memory.hpp"
#include "airlite/ir/Symbols.hpp"

#include <deque>
#include <vector>

namespace airlite::npu {

/// L2 memory on memory tiles, and its puts and gets.
class MemTiles {
 public:
  MemTiles(Design& design, const DesignOptions& options)
      : design_(design), options_(options), symbols_(*design.device) {}

  /// Failures have been reported, here and below.
  LogicalResult read() { return readL2Sites(*design_.source, sites_); }
  /// All puts and gets; they stay where they are.
  std::vector<Site*> sites();
  /// Spreads the memory over tiles, as many as there are columns of cores or more where these are
  /// full, and makes buffers and locks.
  LogicalResult lower(std::vector<DmaEnd>& ends);
  /// The DMA programs.
  void createPrograms(Operation& before);

 private:
  LogicalResult create(MemTile& tile, std::vector<DmaEnd>& ends);
  LogicalResult createMemory(MemTile& tile, Operation& place, Operation& memory, Operation& before,
                             int64_t& numLocks);
  /// Memory that shares DMA channels, and how its transfers wait for each other: in turns where that is not said.
  struct Shared {
    Operation* memory = nullptr;
    std::vector<Site*> turns;
    std::optional<Waits> waits;
  };
  /// That is there twice, all of it or nothing; none where each DMA channel of it moves only this memory.
  std::vector<Shared> sharedWith(const MemTile& tile, Operation& memory) const;
  bool planTwins(const MemTile& tile, std::vector<Shared>& memory, int64_t numLocks) const;
  LogicalResult createTwins(MemTile& tile, Operation& place, const std::vector<Shared>& memory,
                            Operation& before, int64_t& numLocks);
  Operation& createBuffer(Operation& place, Operation& memory, Operation& before);
  bool mayTwin(const MemTile& tile, Operation& memory, const std::vector<Site*>& turns,
               const std::vector<Block*>& roots) const;
  bool runAlike(const std::vector<Site*>& turns, const std::vector<Block*>& roots) const;
  /// The transfers of the copy `buffer`, which no DMA channel makes so far.
  std::vector<Site*> copies(MemTile& tile, Operation& buffer, const std::vector<Site*>& turns);
  /// The same, each after the one that its DMA channel makes.
  std::vector<Site*> twin(MemTile& tile, Operation& buffer, const std::vector<Site*>& turns);
  std::vector<Block*> roots() const { return {&design_.source->region().front()}; }

  Design& design_;
  const DesignOptions& options_;
  SymbolMap symbols_;        // of the device
  std::vector<Site> sites_;  // in program order
  std::deque<MemTile> tiles_;
  std::deque<Site> more_;  // further descriptors of a site
  unsigned numBuffers_ = 0;
};

}  // namespace airlite::npu
