// How several channels share the way to DDR: each asks for a request, moves its words as soon as it is
// served, and asks for the next one. Requests are served one after the other, in the order in which they
// come (array/DdrTraffic.hpp). Channels with requests of different lengths fall into step with each other
// in ways that no formula says, so a few hundred requests are played, once for each set of channels.
#pragma once

#include "airlite/npu/sim/array/Timing.hpp"

#include <map>
#include <vector>

namespace airlite::npu::sim::model {

class DdrShares {
 public:
  explicit DdrShares(const Timing& timing) : timing_(timing) {}

  /// Requests in a cycle that each channel gets. `periods`: cycles from the start of a request of each
  /// until it asks for the next one; in ascending order.
  const std::vector<double>& of(const std::vector<double>& periods) {
    const auto [known, isNew] = known_.try_emplace(periods);
    if (isNew) known->second = play(periods);
    return known->second;
  }

 private:
  std::vector<double> play(const std::vector<double>& periods) const;

  const Timing& timing_;
  std::map<std::vector<double>, std::vector<double>> known_;
};

}  // namespace airlite::npu::sim::model
