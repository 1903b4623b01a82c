// Floats that are hard on arithmetic: borders, ties, specials, and random ones near them.
#pragma once

#include "airlite/support/SplitMix64.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu {

/// Zeros, subnormals, borders of the normal numbers, neighbours of powers of two, infinities, NaN
/// with other payloads, both signs.
inline std::vector<uint32_t> specialFloats() {
  std::vector<uint32_t> numbers;
  for (uint32_t number :
       {0x00000000u, 0x00000001u, 0x00000002u, 0x00000003u, 0x003fffffu, 0x00400000u, 0x007ffffeu,
        0x007fffffu, 0x00800000u, 0x00800001u, 0x00ffffffu, 0x01000000u, 0x01000001u, 0x0c000000u,
        0x0c800001u, 0x33800000u, 0x34000000u, 0x34000001u, 0x3effffffu, 0x3f000000u, 0x3f7fffffu,
        0x3f800000u, 0x3f800001u, 0x3f800002u, 0x3fc00000u, 0x3fffffffu, 0x40000000u, 0x40490fdbu,
        0x4affffffu, 0x4b000000u, 0x4b000001u, 0x4b7fffffu, 0x4b800000u, 0x4effffffu, 0x4f000000u,
        0x5f000000u, 0x7e800000u, 0x7effffffu, 0x7f000000u, 0x7f7ffffeu, 0x7f7fffffu, 0x7f800000u,
        0x7f800001u, 0x7fbfffffu, 0x7fc00000u, 0x7fc12345u, 0x7fffffffu})
    for (uint32_t sign : {0u, 0x80000000u})
      numbers.push_back(number | sign);
  return numbers;
}

/// Mostly plain bits; often few bits set, special, or close to `other`.
inline uint32_t randomFloat(SplitMix64& random, uint32_t other = 0) {
  static const std::vector<uint32_t> specials = specialFloats();
  uint64_t r = random.next();
  auto bits = static_cast<uint32_t>(r >> 32);
  switch (r & 7) {
    case 0: return specials[bits % specials.size()];
    case 1: return bits & 0xfff80000u;                               // few digits
    case 2: return (other ^ (bits & 0x80000000u)) + (bits & 7) - 3;  // cancels
    case 3: return (bits & 0x807fffffu) | (other & 0x7f800000u);     // same exponent
    case 4: return (bits & 0x800fffffu) | 0x3f000000u;               // around 1
    case 5: return ((bits & 0x807fffffu) | (other & 0x7f800000u)) + ((bits & 31) << 23);
    default: return bits;
  }
}

}  // namespace airlite::npu
