// Random numbers that are the same on every machine, which the distributions of the standard
// library are not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace airlite::testing {

/// splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// In [0, bound); bounds are small, so the bias does not matter.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(static_cast<size_t>(high - low + 1)));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class List> auto& pick(List& list) { return list[below(list.size())]; }

 private:
  uint64_t state_;
};

}  // namespace airlite::testing
