// The configuration word of the instructions of the slot vec (docs/hardware/vector_facts.md,
// section 3).
#pragma once

#include <cstdint>

namespace airlite::npu::sim::core {

struct Config {
  uint32_t word = 0;

  constexpr unsigned bits(unsigned from, unsigned count) const {
    return word >> from & ((1u << count) - 1);
  }
  bool zeroAcc() const { return bits(0, 1); }
  unsigned accMode() const { return bits(1, 2); }  ///< 0: 32-bit lanes, 1: 64-bit, 2: float
  /// accMode, the element widths and the shape: what a row of the table of shapes is for.
  unsigned shape() const { return bits(1, 7); }
  bool signY() const { return bits(8, 1); }
  bool signX() const { return bits(9, 1); }
  bool shift16() const { return bits(10, 1); }
  bool negateProduct() const { return bits(11, 1); }
  bool negateAcc1() const { return bits(12, 1); }
  bool negateAcc2() const { return bits(13, 1); }
  unsigned elementMask() const { return bits(16, 16); }
};

inline constexpr unsigned kAcc32 = 0, kAcc64 = 1, kAccFloat = 2;

}  // namespace airlite::npu::sim::core
