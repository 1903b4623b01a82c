#include "sim/array/Locks.hpp"

#include "airlite/npu/device/Device.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::sim {

void LockBank::acquire(unsigned key, LockClient& client) {
  client.state = LockClient::State::Waiting;
  waiting_.push_back({key, &client});
  touch();
}

void LockBank::withdraw(const LockClient& client) {
  std::erase_if(waiting_, [&](const Request& request) { return request.client == &client; });
}

void LockBank::release(unsigned lock, int change) {
  releases_.push_back({lock, change});
  touch();
}

/// Waiting for a value leaves it as it is: "doesn't modify the value in the state of the lock"
/// [UG1583, acquire_equal]; AMD's designs let several channels wait for one value after the other.
bool LockBank::grant(LockClient& client) {
  const int have = values_[client.lock], want = client.value;
  if (want < 0 ? have < -want : have != want) return false;
  if (want < 0) values_[client.lock] = uint8_t(have + want);
  client.state = LockClient::State::Granted;
  return true;
}

std::optional<std::string> LockBank::settle(unsigned& granted) {
  isDirty_ = false;
  std::ranges::sort(waiting_, {}, [&](const Request& one) { return one.key - lastKey_ - 1; });
  std::erase_if(waiting_, [&](const Request& request) {
    if (!grant(*request.client)) return false;
    lastKey_ = request.key, ++granted;
    return true;
  });
  std::ranges::sort(releases_, {},
                    [](const Release& one) { return std::pair(one.lock, one.change); });
  std::vector<Release> releases;
  releases.swap(releases_);
  for (const auto& [lock, change] : releases) {
    const int sum = values_[lock] + change;
    if (sum < 0 || sum > maxLockValue)
      return fmt::format("lock {} holds {}, a release of {} leaves 0..{}", lock, values_[lock],
                         change, maxLockValue);
    values_[lock] = uint8_t(sum);
    if (!waiting_.empty()) touch();
  }
  return std::nullopt;
}

}  // namespace airlite::npu::sim
