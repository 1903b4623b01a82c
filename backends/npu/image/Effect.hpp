// What an image does, as far as order matters and no further.
#pragma once

#include "airlite/npu/device/Registers.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace airlite::npu {

/// A register or memory word: bits that are known, and their value.
struct Cell {
  uint32_t known = 0;
  uint32_t value = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Effect {
  bool isArray = true;  ///< cells are the array's; those of a core ELF are the core's own addresses
  std::map<uint32_t, Cell> cells;
  /// Tasks with the BDs as they are then, waits, patches, and what airlite does not know: in order.
  std::vector<std::string> events;
  /// Everything of a container that is not configuration, a line each, without places.
  std::vector<std::string> facts;
};

Result<Effect> effectOf(ByteSpan bytes, Generation generation);

}  // namespace airlite::npu
