// A copy into a buffer that is filled around it, as loops that cores share (air-share-loops). Private to transform/.
//
//   fill P, 0; copy X -> P[0, 1, 1, 0]   ->   for i: (fill P[:, i + 1], 0; copy X[:, i] -> P[:, i + 1, 1:])
#pragma once

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace airlite::tiling {

/// A copy of a buffer of the host into a part of another one, with the fill that is all before it.
struct Padding {
  Operation *fill = nullptr, *copy = nullptr;
  memref::SubViewOp view;
  Value from, to;

  /// Of the part, along each dimension.
  std::vector<int64_t> offsets() const;
};
/// None: the op is no such copy.
std::optional<Padding> paddingOf(Operation& copy);

/// Element i of dimension `dims[d]` of `from` goes to element i + offsets[d] of dimension d of a buffer of `shape`.
struct FilledCopy {
  Value from;
  std::vector<int64_t> dims, offsets, shape;
  /// Of `from`: each round of the outer loop has one element of it, and fills what the buffer has there.
  unsigned outer = 0;

  /// The dimension of the buffer that rounds lie along.
  size_t place() const;
  /// Whether rounds have so much of both that DMAs move it: whole words, with room in `l1Bytes` for two rounds.
  bool canShare(int64_t l1Bytes) const;
  /// Whether rounds fill all of the buffer.
  bool fillsAll() const;
};

/// `to`: the buffer, whose last dimension may be all of `shape` from it on: a row that is filled at once.
void writeFilledCopy(const FilledCopy& copy, Value to, Value number, Builder& builder,
                     Location location);

}  // namespace airlite::tiling
