// Walks the words of a BD in stream order without dividing: what wordOf says, one after the other.
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace airlite::npu::sim {

class BdCursor {
 public:
  BdCursor() = default;
  explicit BdCursor(const BufferDescriptor& bd);

  /// Where the next word is after the base, in words; none for a zero of padding.
  std::optional<int64_t> next();

 private:
  struct Dim {
    int64_t step = 1, before = 0, size = 0, run = 0, at = 0;
  };
  std::array<Dim, 4> dims_{};
  unsigned open_ = 0;  ///< the dimension that never ends
};

}  // namespace airlite::npu::sim
