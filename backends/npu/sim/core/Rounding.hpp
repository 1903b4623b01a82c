// Rounding and saturation as crRnd and crSat say (docs/hardware/vector_facts.md, section 7).
#pragma once

#include <cstdint>

namespace airlite::npu::sim::core {

/// value / 2^shift, rounded by a mode of crRnd; `shift` is at most 63. False: a reserved mode.
bool shiftRounded(int64_t value, unsigned shift, uint32_t mode, int64_t& result);

/// What crSat allows a result to be.
struct Limits {
  int64_t smallest, largest;
};
/// Of `bits` bits; crSat is 0 for no limit, 1, or 3 for a symmetric one.
Limits limitsOf(unsigned bits, bool isSigned, uint32_t crSat);

/// The value within the limits of `bits` bits when crSat asks for it; sets `overflow` when it was
/// not.
int64_t saturated(int64_t value, unsigned bits, bool isSigned, uint32_t crSat, bool& overflow);

}  // namespace airlite::npu::sim::core
