// Where registers lie in one array of bytes, so that a register that consists of others is a range.
#pragma once

#include "airlite/npu/isa/Tables.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace airlite::npu::sim::core {

/// The bits of an operand, the lowest byte first; 2,048 bits are the widest registers (AIE2P).
struct alignas(32) Value {
  std::array<uint8_t, 256> bytes{};

  template <typename T> T get(unsigned lane = 0) const {
    T value;
    std::memcpy(&value, bytes.data() + lane * sizeof(T), sizeof(T));
    return value;
  }
  template <typename T> void set(T value, unsigned lane = 0) {
    std::memcpy(bytes.data() + lane * sizeof(T), &value, sizeof(T));
  }
  uint32_t u32() const { return get<uint32_t>(); }
  int32_t s32() const { return get<int32_t>(); }
  uint64_t u64() const { return get<uint64_t>(); }
};

/// Of a vector register, and how many elements of a type that is.
inline constexpr unsigned kVectorBytes = 64;
template <typename T> constexpr unsigned lanesOf = kVectorBytes / sizeof(T);

/// A range of the register file. Registers narrower than their bytes have a mask.
struct Range {
  uint16_t offset = 0;
  uint16_t bytes = 0;
};

/// A register as a few ranges: sparse registers are a vector and a mask, those of block floating
/// point vectors and exponents, a pair of both six, all others one.
struct Place {
  std::array<Range, 6> ranges{};
  uint8_t count = 0;
  uint32_t mask = ~0u;  ///< of registers of up to 32 bits
  bool sticky = false;  ///< writes only set bits

  std::span<const Range> all() const { return {ranges.data(), count}; }
  unsigned bytes() const {
    unsigned sum = 0;
    for (const Range& range : all())
      sum += range.bytes;
    return sum;
  }
};

const Place& placeOf(isa::Reg reg);

class RegisterFile {
 public:
  uint32_t u32(isa::Reg reg) const;
  void setU32(isa::Reg reg, uint32_t value);
  uint8_t* at(Range range) { return bytes_.data() + range.offset; }
  const uint8_t* at(Range range) const { return bytes_.data() + range.offset; }
  void clear() { bytes_.fill(0); }

  static constexpr unsigned kBytes = 5120;  ///< the registers of both sets

 private:
  alignas(32) std::array<uint8_t, kBytes> bytes_{};
};

}  // namespace airlite::npu::sim::core
