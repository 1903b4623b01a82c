// The transfers of the cores of a design.
#pragma once

#include "Dma.hpp"

#include <memory>

namespace airlite::npu {

class TileTransfers;

class CoreTransfers {
 public:
  explicit CoreTransfers(Design& design);
  ~CoreTransfers();

  /// Reads the programs of all cores. Failures have been reported, here and below.
  LogicalResult read();
  /// All puts and gets; they stay where they are.
  std::vector<Site*> sites();
  /// Makes descriptors and locks. `again`: the cores begin again at their end.
  LogicalResult lower(bool again, std::vector<DmaEnd>& ends);

 private:
  Design& design_;
  std::vector<std::unique_ptr<TileTransfers>> tiles_;
};

}  // namespace airlite::npu
