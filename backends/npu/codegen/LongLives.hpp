// In a pipelined loop a value may not live longer than one interval: its register is written again
// in the next round. A value that has to live longer, since what reads it comes late, is copied on
// the way.
#pragma once

#include "Machine.hpp"

#include <vector>

namespace airlite::npu::codegen {

/// A body that may have the interval, as far as slots and lives matter.
struct ShortLives {
  std::vector<MachineInst> body;
  int interval = 0;
  bool hasCopies = false;
  uint32_t leftOut = 0;  ///< as LoopSchedule has it, copies included
};

/// The body with such copies as let it have an interval of `least` or a little more; the classes of
/// the registers that they write are added to `classes`. As it is where copies do not help. The first `leftOut`
/// instructions are left out of the first round.
ShortLives shortenLives(const std::vector<MachineInst>& body, std::vector<RegClass>& classes,
                        int least, uint32_t leftOut);

}  // namespace airlite::npu::codegen
