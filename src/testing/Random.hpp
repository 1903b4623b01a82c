// The choices that a random program is made of.
#pragma once

#include "airlite/support/SplitMix64.hpp"

#include <cstddef>

namespace airlite::testing {

class Random : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;

  /// In [0, bound); bounds are small, so the bias does not matter.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(static_cast<size_t>(high - low + 1)));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class List> auto& pick(List& list) { return list[below(list.size())]; }
};

}  // namespace airlite::testing
