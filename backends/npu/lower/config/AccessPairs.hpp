// Which buffers the loops of cores, or a loop and a DMA, access at the same time: they had better lie
// in different banks, since a bank serves one access in a cycle (docs/npu_sim.md).
#pragma once

#include "airlite/dialect/Aie.hpp"

#include <map>
#include <utility>

namespace airlite::npu {

class AccessPairs {
 public:
  explicit AccessPairs(aie::DeviceOp design);
  /// Accesses of the one beside accesses of the other in the bodies of innermost loops.
  int64_t together(const Operation* a, const Operation* b) const;
  /// Accesses of loops to the one, weighted by the bytes that a DMA moves of the other meanwhile, and
  /// the other way round: of buffers that take turns, such as the halves of a double buffer.
  int64_t beside(const Operation* a, const Operation* b) const;

 private:
  void addLoop(Operation& loop);

  std::map<std::pair<const Operation*, const Operation*>, int64_t> counts_;
  std::map<const Operation*, int64_t> accesses_;  ///< in bodies of innermost loops
  std::map<const Operation*, int64_t> moved_;     ///< bytes of what DMAs move
};

}  // namespace airlite::npu
