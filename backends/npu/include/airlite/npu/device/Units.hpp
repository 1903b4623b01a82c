// Bytes, words and elements are different types: the hardware counts in all three, and a length in
// the wrong one is the classic mistake of this back-end.
//
//   Bytes size = toBytes(Elements(100), 2);
//   if (isWhole(size)) length = toWords(size);  // 50 words
#pragma once

#include "airlite/device/AieDevices.hpp"

#include <compare>
#include <cstdint>

namespace airlite::npu {

/// A number of units of one kind, without implicit conversions.
template <class Tag> struct Count {
  int64_t value = 0;

  constexpr Count() = default;
  constexpr explicit Count(int64_t number) : value(number) {}
  friend constexpr auto operator<=>(Count, Count) = default;
  friend constexpr Count operator+(Count a, Count b) { return Count(a.value + b.value); }
  friend constexpr Count operator-(Count a, Count b) { return Count(a.value - b.value); }
  friend constexpr Count operator*(Count a, int64_t n) { return Count(a.value * n); }
};

using Bytes = Count<struct BytesTag>;
/// 32-bit words: what streams carry and what most DMA fields count.
using Words = Count<struct WordsTag>;
/// Elements of some type; converting to bytes requires the size of an element.
using Elements = Count<struct ElementsTag>;

constexpr int64_t bytesPerWord = aie::kWordBytes;

constexpr Bytes toBytes(Words words) { return Bytes(words.value * bytesPerWord); }
constexpr Bytes toBytes(Elements elements, int64_t bytesPerElement) {
  return Bytes(elements.value * bytesPerElement);
}
constexpr bool isWhole(Bytes bytes) { return bytes.value % bytesPerWord == 0; }
/// Only for whole words: check isWhole first.
constexpr Words toWords(Bytes bytes) { return Words(bytes.value / bytesPerWord); }

}  // namespace airlite::npu
