#include "sim/array/Banks.hpp"

#include <algorithm>
#include <tuple>

namespace airlite::npu::sim {

void Banks::settle(uint64_t now) {
  std::ranges::sort(requests_, {}, [&](const Request& one) {
    return std::tuple(one.bank, one.key <= lastServed_[one.bank], one.key);
  });
  for (const Request& one : requests_) {
    uint64_t& freeFrom = freeFrom_[one.bank];
    freeFrom = std::max(freeFrom, now) + 1;
    one.client->blockedUntil = std::max(one.client->blockedUntil, freeFrom);
  }
  for (const Request& one : requests_)
    lastServed_[one.bank] = one.key;
  requests_.clear();
}

}  // namespace airlite::npu::sim
