// Access lists of transfers as data: what elements a put, get or dma touches and in which order,
// and rewrites of the lists that change neither.
//
// Element (i0, i1, ...) of a list is at sum(offset_k * stride_k) + sum(i_k * stride_k), the last
// dimension the fastest. The canonical form has as few dimensions as can be: the fewer there are,
// the more of a transfer fits into one buffer descriptor.
//
//   std::optional<AccessList> list = readAccessList(put.access(), reader);
//   if (list) canonicalize(*list);
#pragma once

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Air.hpp"

#include <optional>
#include <vector>

namespace airlite::analysis {

/// Sizes are positive, strides are not negative.
struct ListDim {
  LinearSum offset;  // in strides
  int64_t size = 1;
  int64_t stride = 0;  // in elements
  /// What the offset was read from, as long as it is that.
  Value source = Value();

  bool isFixed() const { return offset.isConstant(); }
  /// The same elements.
  bool operator==(const ListDim& other) const {
    return offset == other.offset && size == other.size && stride == other.stride;
  }
};

struct AccessList {
  std::vector<ListDim> dims;
  /// Elements of the memref when it is row-major without gaps; 0: that is not known.
  int64_t volume = 0;

  /// Elements that are moved; nothing when that leaves 64 bits.
  std::optional<int64_t> count() const;
  /// All of the memref in the order of its memory: what empty lists mean.
  bool isWhole() const;
  bool operator==(const AccessList&) const = default;
};

/// Null when a size or a stride is not constant, a size is 0 or a stride negative, or the lists
/// mean nothing. Empty lists become those of the whole memref.
std::optional<AccessList> readAccessList(const air::Access& access, LinearReader& reader);

/// The list that all iterations of a loop with `variable` walk through, one after the other: one
/// more dimension in front. False, with the list unchanged, when the elements go backwards from
/// iteration to iteration, or a number gets too large.
[[nodiscard]] bool addLoop(AccessList& list, Value variable, const SymbolRange& range);

/// Drops dimensions of size 1 and merges neighbours that are one run. `largestSize` set: merges
/// only up to that size, except where the whole list is one run without gaps. `isOpen`: loops are
/// still to be added, no two sums of values are put together.
void canonicalize(AccessList& list, std::optional<int64_t> largestSize = std::nullopt,
                  bool isOpen = false);

/// Whether the list is one run without gaps.
bool isContiguous(const AccessList& list);

/// Splits dimensions larger than `largest` into two whose inner size is the largest divisor that
/// fits; that of the dimension with stride 1 must be a multiple of `alignment`. A dimension without
/// such a divisor stays.
void splitLargeDims(AccessList& list, int64_t largest, int64_t alignment = 1);

}  // namespace airlite::analysis
