#include "sim/model/DdrShares.hpp"

#include <algorithm>
#include <cstddef>

namespace airlite::npu::sim::model {

std::vector<double> DdrShares::play(const std::vector<double>& periods) const {
  constexpr double kRequests = 128;  // of the slowest channel; as many before counting
  const double service = timing_.ddrBytesPerCycle == 0
                             ? 0
                             : double(timing_.ddrRequestBytes) / timing_.ddrBytesPerCycle;
  const double length =
      kRequests * std::max(periods.back(), service * double(periods.size()));
  std::vector<double> next(periods.size(), 0), counts(periods.size(), 0);
  double isFree = 0;
  while (true) {
    const size_t first = size_t(std::ranges::min_element(next) - next.begin());
    const double start = std::max(isFree, next[first]);
    if (start >= 2 * length) break;
    isFree = start + service;
    next[first] = start + periods[first];
    counts[first] += start >= length;
  }
  for (double& count : counts)
    count /= length;
  return counts;
}

}  // namespace airlite::npu::sim::model
