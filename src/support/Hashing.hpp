// Hash functions of the uniquing tables: fast on short keys, well spread in all bits.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace airlite::detail {

inline constexpr uint64_t kHashSeed = 0x9e6c63d0876a9a47ull;

/// Folds the 128-bit product of both: every input bit reaches every output bit.
inline uint64_t hashMix(uint64_t a, uint64_t b) {
  unsigned __int128 product =
      static_cast<unsigned __int128>(a ^ kHashSeed) * (b ^ 0xc2b2ae3d27d4eb4full);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hashLoad(const char* at, size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

inline uint64_t hashBytes(std::string_view text, uint64_t seed = kHashSeed) {
  const char* at = text.data();
  size_t left = text.size();
  uint64_t hash = seed ^ (left * 0xd6e8feb86659fd93ull);
  for (; left > 8; at += 8, left -= 8)
    hash = hashMix(hash, hashLoad(at, 8));
  return hashMix(hash, left == 0 ? 0 : hashLoad(at, left));
}

/// One word per value: integers, enums, pointers, doubles by their bits, handles by their pointer.
template <class T> uint64_t hashWord(const T& value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uintptr_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
    return static_cast<uint64_t>(value);
  else if constexpr (requires { value.storage(); })
    return hashWord(value.storage());
  else
    return hashWord(value.pointer());
}

/// Hash of a key that is built field by field.
class Hasher {
 public:
  template <class T> Hasher& add(const T& value) {
    hash_ = hashMix(hash_, hashWord(value));
    return *this;
  }
  Hasher& addText(std::string_view text) {
    hash_ = hashBytes(text, hash_);
    return *this;
  }
  template <class T> Hasher& addAll(std::span<const T> values) {
    add(values.size());
    for (const T& value : values)
      add(value);
    return *this;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0;  // not the seed: hashMix would lose the first field
};

}  // namespace airlite::detail
