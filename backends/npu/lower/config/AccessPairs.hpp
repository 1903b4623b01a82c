// Which buffers the loops of cores access at the same time: they had better lie in different banks,
// since a bank serves one access in a cycle (docs/npu_sim.md).
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

 private:
  void addLoop(Operation& loop);

  std::map<std::pair<const Operation*, const Operation*>, int64_t> counts_;
};

}  // namespace airlite::npu
