#include "sim/array/DdrTraffic.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::sim {

void DdrTraffic::settle(uint64_t now, const Timing& timing) {
  const uint64_t rate = timing.ddrBytesPerCycle;
  std::ranges::sort(requests_, {},
                    [&](const Request& one) { return std::pair(one.key <= lastServed_, one.key); });
  for (const Request& one : requests_) {
    const uint64_t start = std::max(freeFrom_, now * rate);
    freeFrom_ = start + timing.ddrRequestBytes;
    if (rate != 0) one.client->blockedUntil = (start + rate - 1) / rate;
  }
  served_ += requests_.size();
  if (!requests_.empty()) lastServed_ = requests_.back().key;
  requests_.clear();
}

}  // namespace airlite::npu::sim
