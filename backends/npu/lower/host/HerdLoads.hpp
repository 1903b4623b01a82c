// What airrt.herd_load means for a runtime sequence: parameters and locks of the herd's cores.
#pragma once

#include "HostValues.hpp"
#include "SequenceWriter.hpp"
#include "airlite/dialect/Airrt.hpp"

#include <set>

namespace airlite::npu {

class HerdLoads {
 public:
  /// For each core of the herd, at the place that airrt.herd_metadata of `module` says: the scalar
  /// operands go into the words of `__air_herd_rtp_COL_ROW`, then `__air_herd_lock_COL_ROW` is set
  /// to 1, where the device has them. Failures have been reported.
  LogicalResult run(airrt::HerdLoadOp load, Operation& device, Operation& module,
                    HostValues& values, SequenceWriter& writer);
  /// The next load of a herd belongs to another iteration.
  void endLaunch() { loaded_.clear(); }

 private:
  std::set<std::string> loaded_;  // since the last end of a launch
};

}  // namespace airlite::npu
