// The two halves of an air.dma_memcpy_nd: a put of what it reads and a get of what it writes.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"

#include <span>
#include <string>
#include <unordered_set>

namespace airlite::air {

/// Declares channels `channel_N` with the first N that are free, after the channels that are at the
/// top of the module. Looks at the module once.
class ChannelMaker {
 public:
  explicit ChannelMaker(Operation& module);
  /// `broadcastShape` empty: one destination for each place.
  std::string declare(Location location, std::span<const int64_t> sizes,
                      std::span<const int64_t> broadcastShape);

 private:
  Block& body_;
  Operation* last_ = nullptr;  // channels come after it
  std::unordered_set<std::string> names_;
  unsigned next_ = 0;
};

/// What a half is made with, beside what the dma says.
struct HalfPlace {
  std::string_view channel;
  std::span<const Value> indices;
  std::span<const Value> dependencies;
  Type tokenType;  // null: synchronous
};

/// The put (`isSource`) or get of `dma`; its values are looked up in `mapping`. Padding goes with
/// the put. A null builder position is not allowed.
Operation* createHalf(Builder& builder, DmaMemcpyNdOp dma, bool isSource, const HalfPlace& place,
                      const IRMapping& mapping);

}  // namespace airlite::air
