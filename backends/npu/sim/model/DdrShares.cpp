#include "sim/model/DdrShares.hpp"

#include <algorithm>
#include <cstddef>

namespace airlite::npu::sim::model {

std::vector<double> DdrShares::play(const std::vector<double>& periods) const {
  constexpr double kRequests = 256;  // of the slowest channel; as many before counting
  const double service = timing_.ddrBytesPerCycle == 0
                             ? 0
                             : double(timing_.ddrRequestBytes) / timing_.ddrBytesPerCycle;
  const double length = kRequests * std::max(periods.back(), service * double(periods.size()));
  struct User {
    double next = 0, from = 0, until = 0, count = 0;
  };
  std::vector<User> users(periods.size());
  for (double isFree = 0;;) {
    const auto first = std::ranges::min_element(users, {}, &User::next);
    const double start = std::max(isFree, first->next);
    if (start >= 2 * length) break;
    isFree = start + service;
    first->next = start + periods[size_t(first - users.begin())];
    if (start < length) continue;
    if (first->count++ == 0) first->from = start;
    first->until = start;
  }
  std::vector<double> shares;
  for (const User& user : users)
    shares.push_back((user.count - 1) / (user.until - user.from));
  return shares;
}

}  // namespace airlite::npu::sim::model
