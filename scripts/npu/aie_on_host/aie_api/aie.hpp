// What kernels for AIE2 need of their compiler's headers, on the host: enough to run the sources of
// kernels as a reference (scripts/prove_foreign.py). Written from the documentation of the public
// interface; a kernel that needs more does not compile, and says of what.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// From float it is rounded as the core's register crRnd says. Kernels that leave it alone find 0
/// there: towards minus infinity.
struct bfloat16 {
  uint16_t bits = 0;

  bfloat16() = default;
  bfloat16(float value) : bits(rounded(value)) {}
  bfloat16(double value) : bfloat16(float(value)) {}
  bfloat16(int value) : bfloat16(float(value)) {}
  operator float() const {
    const uint32_t word = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }

  static uint16_t rounded(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    const bool isNegative = word >> 31, isFinite = (word >> 23 & 0xFF) != 0xFF;
    if (isNegative && isFinite) word += 0xFFFF;
    return uint16_t(word >> 16);
  }
};

inline void event0() {}
inline void event1() {}

struct accfloat {};

namespace aie {

template <class T, unsigned N> struct vector { std::array<T, N> lanes{}; };

template <class Tag, unsigned N> struct accum {
  std::array<float, N> lanes{};
  template <class T> vector<T, N> to_vector() const {
    vector<T, N> out;
    for (unsigned i = 0; i < N; ++i)
      out.lanes[i] = T(lanes[i]);
    return out;
  }
};

template <class Tag, unsigned N> auto zeros() {
  if constexpr (std::is_same_v<Tag, accfloat>)
    return accum<accfloat, N>();
  else
    return vector<Tag, N>();
}

template <class T, unsigned N> vector<T, N> broadcast(T value) {
  vector<T, N> out;
  out.lanes.fill(value);
  return out;
}

template <unsigned N, class T> vector<T, N> load_v(const T* from) {
  vector<T, N> out;
  std::memcpy(out.lanes.data(), from, sizeof(T) * N);
  return out;
}

template <class T, unsigned N> void store_v(T* to, const vector<T, N>& from) {
  std::memcpy(to, from.lanes.data(), sizeof(T) * N);
}

template <unsigned N>
accum<accfloat, N> mac(accum<accfloat, N> sum, const vector<bfloat16, N>& a,
                       const vector<bfloat16, N>& b) {
  for (unsigned i = 0; i < N; ++i)
    sum.lanes[i] += float(a.lanes[i]) * float(b.lanes[i]);
  return sum;
}

}  // namespace aie
