// L2 memory and its transfers.
#pragma once

#include "Dma.hpp"

#include <memory>

namespace airlite::npu {

class SegmentTransfers;

/// L2 memory on memory tiles, and its puts and gets.
class MemTiles {
 public:
  MemTiles(Design& design, const DesignOptions& options);
  ~MemTiles();

  /// Failures have been reported, here and below.
  LogicalResult read();
  /// All puts and gets; they stay where they are.
  std::vector<Site*> sites();
  /// Spreads the memory over tiles, as many as there are columns of cores or more where these are
  /// full, and makes buffers and locks.
  LogicalResult lower(std::vector<DmaEnd>& ends);
  /// The DMA programs.
  void createPrograms(Operation& before);

 private:
  std::unique_ptr<SegmentTransfers> segment_;
};

}  // namespace airlite::npu
