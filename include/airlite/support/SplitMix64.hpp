// Random numbers that are the same on every machine, which the distributions of the standard
// library are not.
//
//   SplitMix64 random(seed);
//   uint64_t die = random.next() % 6;
#pragma once

#include <cstdint>

namespace airlite {

/// Steele's SplitMix64.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

}  // namespace airlite
