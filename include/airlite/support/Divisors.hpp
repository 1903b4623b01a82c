// Divisors of sizes.
//
//   const int64_t tile = divisorUpTo(96, 40);  // 32
#pragma once

#include <algorithm>
#include <cstdint>

namespace airlite {

/// The largest divisor of `size`, which is positive, that is not above `most`; at least 1.
inline int64_t divisorUpTo(int64_t size, int64_t most) {
  int64_t best = 1;
  for (int64_t d = 1; d <= size / d; ++d) {
    if (size % d != 0) continue;
    for (int64_t divisor : {d, size / d})
      if (divisor <= most) best = std::max(best, divisor);
  }
  return best;
}

}  // namespace airlite
