// Do two strided pieces of one buffer have an element in common?
//
// The elements of a piece are start + sum of x_k * stride_k, 0 <= x_k < count_k, so two pieces have
// one in common when an equation in bounded integers has a solution. That is decided exactly, by
// divisibility, bounds, and a search that is cut by both; where the search takes more than a stated
// number of steps the answer is "they may".
//
//   if (overlap(written, read, reader) == Answer::No) return;  // they may run in any order
#pragma once

#include "airlite/analysis/LinearSum.hpp"

#include <span>

namespace airlite::analysis {

/// Any number of elements, in both directions.
inline constexpr int64_t kUnbounded = -1;

/// `count` elements, `stride` apart.
struct StridedDim {
  int64_t count = 1;  // or kUnbounded
  int64_t stride = 1;
  bool operator==(const StridedDim&) const = default;
};

/// Elements of a buffer, counted from its first.
struct StridedRegion {
  LinearSum start;
  std::vector<StridedDim> dims;
  bool operator==(const StridedRegion&) const = default;
};

enum class Answer { No, Yes, Unknown };

/// Are there integers 0 <= x_k < count_k with sum of stride_k * x_k == target? Unknown when the
/// search was given up (kOverlapSteps) or numbers are too large.
Answer hasSolution(std::span<const StridedDim> terms, int64_t target);
/// Steps of the search: more than that are taken only by equations made to be hard.
inline constexpr unsigned kOverlapSteps = 4096;

/// Symbols that occur in both have one value: the pieces are of the same run of every loop around.
Answer overlap(const StridedRegion& a, const StridedRegion& b, LinearReader& reader);
inline bool mayOverlap(const StridedRegion& a, const StridedRegion& b, LinearReader& reader) {
  return overlap(a, b, reader) != Answer::No;
}
/// `later` is of a later run of `loop` (scf.for, affine.for) than `earlier`; symbols defined in its
/// body have values of their own in each run, symbols from around the loop the same in both.
Answer overlapAcross(const StridedRegion& later, const StridedRegion& earlier, Operation& loop,
                     LinearReader& reader);

/// What `region` covers in all runs of the body of `op`: symbols defined inside become dimensions.
/// False when a number gets too large.
[[nodiscard]] bool widen(StridedRegion& region, Operation& op, LinearReader& reader);

}  // namespace airlite::analysis
