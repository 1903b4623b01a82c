// Brings an N-dimensional access into the fields of a buffer descriptor: as it is written where
// that fits, else with dimensions joined and split. Numbers only: nothing of the IR.
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu {

/// A transfer as a program writes it, in elements.
struct TransferShape {
  TileKind kind = TileKind::Shim;
  int64_t elementBytes = 4;
  /// Outermost first; one more than the tile's descriptors have: it repeats the rest, with an own
  /// step, as runs of the task. Empty: `length` elements one after the other.
  std::vector<AccessDim> dims;
  std::vector<AccessPad> pads = {};  ///< none, or one for each of `dims`
  int64_t length = 0;                ///< without `dims`: elements
  /// The innermost dimensions may be split such that a part of them becomes runs. Not so when each
  /// run would be a packet of its own, or when others of a chain run as often.
  bool mayRunMore = false;
};

/// A descriptor without its base, and how often a task has to run it for one whole transfer.
struct FittedTransfer {
  BdBuilder builder;
  int64_t runs = 1;
};

/// Refuses what no descriptor of that tile can do, with the field, the number and the limit.
Result<FittedTransfer> fitTransfer(const TransferShape& shape);

}  // namespace airlite::npu
