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
  /// All puts and gets; they stay where they are until `readWords`.
  std::vector<Site*> sites();
  /// Places that a core gets from become one, as if air-fuse-channels had done it, where they are more than it has DMA
  /// channels. So do those of all cores, or those that they put into, where the memory tiles have too few
  /// at the other end. `ofL2` are the transfers of the segment.
  /// Only where the order is the same at all ends, and the cores wait for what comes in that order:
  /// then nothing that they do in between can be what the sender of an earlier one waits for.
  void fusePlaces(bool again, const std::vector<Site*>& ofL2);
  /// Cores that put into more places than they have DMA channels: those places become packets, which share one.
  /// A broadcast stays a circuit.
  void sendPackets(const std::vector<Site*>& ofL2);
  /// Cores that still get from too many read one of them themselves, word by word.
  void readWords();
  /// Makes descriptors and locks. `again`: the cores begin again at their end.
  LogicalResult lower(bool again, std::vector<DmaEnd>& ends);

 private:
  bool areTooMany(const std::vector<Site*>& ofL2, bool isPut) const;
  bool fuseOnce(const std::vector<ChannelPlace>& places, bool again,
                const std::vector<Site*>& ofL2);
  bool mayFuse(const ChannelPlace& a, const ChannelPlace& b, bool again,
               const std::vector<Site*>& ofL2);

  Design& design_;
  std::vector<std::unique_ptr<TileTransfers>> tiles_;
};

}  // namespace airlite::npu
