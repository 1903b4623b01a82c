// How several channels share the way to DDR: each asks for a request, moves its words as soon as it is
// served, and asks for the next one. Requests are served one after the other, in the order in which they
// come (array/DdrTraffic.hpp). Channels fall into step with each other, and with their own short requests
// at the ends of rows, in ways that no formula says, so a few hundred requests are played, once for each
// set of channels.
#pragma once

#include "airlite/npu/sim/array/Timing.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace airlite::npu::sim::model {

/// A channel that uses DDR.
struct DdrUser {
  uint64_t run = 0;    ///< words that are contiguous, which are cut into requests
  double fastest = 1;  ///< words in a cycle that it moves when it is served at once
  friend auto operator<=>(const DdrUser&, const DdrUser&) = default;
};

class DdrShares {
 public:
  explicit DdrShares(const Timing& timing) : timing_(timing) {}

  /// Words in a cycle that each channel moves; `users` in ascending order.
  const std::vector<double>& of(const std::vector<DdrUser>& users) {
    const auto [known, isNew] = known_.try_emplace(users);
    if (isNew) known->second = play(users);
    return known->second;
  }

 private:
  std::vector<double> play(const std::vector<DdrUser>& users) const;

  const Timing& timing_;
  std::map<std::vector<DdrUser>, std::vector<double>> known_;
};

}  // namespace airlite::npu::sim::model
