// Channels of type npu_mmio: constants that lie in the memory of cores from the start.
#pragma once

#include "Transfers.hpp"

#include <map>
#include <vector>

namespace airlite::npu {

/// What the host puts into channels of type npu_mmio is the contents of a memref.global, the same in
/// each run, so the cores have it when the device is loaded: no DMA, no flow. The buffer of a get
/// begins with the contents where nothing else writes it; else the contents have a buffer of their own,
/// and the core copies them where the get stands.
///
/// Refused, at the put: memory that is no global with known contents, or one that something may write;
/// a part of it; several globals for one place; an index that is not known; a place that no core gets
/// from. At the get: another element type or number of elements.
class MmioChannels {
 public:
  /// Reads the puts of the host, before there are designs.
  LogicalResult read(Operation& module);
  /// Lowers the gets of the cores of a design, which run in order by now.
  LogicalResult lower(Design& design);
  /// After all designs: each put must have been got. Takes puts and gets out of the host's program.
  LogicalResult finish(Operation& module);
  bool isOne(const std::string& channel) const;

 private:
  struct Source {
    Operation* put = nullptr;
    Operation* global = nullptr;
    bool isGot = false;
  };

  LogicalResult addPut(Operation& module, air::ChannelAccessOp put);
  LogicalResult fill(Design& design, const CoreProgram& program, air::ChannelAccessOp get);

  std::map<ChannelPlace, Source> sources_;
  std::vector<Location> unmatchedGets_;
};

}  // namespace airlite::npu
