// Elements of a buffer that nobody wrote, or that were computed from such, as runs.
#pragma once

#include "airlite/analysis/Overlap.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <cstdint>
#include <vector>

namespace airlite::analysis {

/// Where an undefined element comes from: kNeverWritten, or who was the first to read one.
using UndefinedOrigin = uint32_t;
inline constexpr UndefinedOrigin kIsDefined = 0, kNeverWritten = 1;

struct UndefinedRun {
  int64_t begin = 0, end = 0;
  UndefinedOrigin origin = kIsDefined;
};

/// Elements start + sum of x_k * stride_k in the order of the lists.
struct ElementPiece {
  int64_t start = 0;
  std::vector<StridedDim> dims;

  int64_t count() const;
  /// The same elements in an order in which their runs are long.
  ElementPiece sorted() const;
  /// Calls `each(first, length)` for runs of neighbours, until it answers false.
  bool forEachRun(FunctionRef<bool(int64_t, int64_t)> each) const;
};

class UndefinedRuns {
 public:
  bool isEmpty() const { return runs_.empty(); }
  const std::vector<UndefinedRun>& runs() const { return runs_; }
  void clear() { runs_.clear(); }
  /// [begin, end) is defined from now on.
  void erase(int64_t begin, int64_t end);
  /// [begin, end) comes from `origin`.
  void set(int64_t begin, int64_t end, UndefinedOrigin origin) {
    erase(begin, end);
    if (begin < end && origin != kIsDefined) insert({begin, end, origin});
  }
  /// The first run in [begin, end), clipped to it; empty when there is none.
  UndefinedRun firstIn(int64_t begin, int64_t end) const;

 private:
  size_t firstEndingAfter(int64_t element) const;
  void insert(const UndefinedRun& run);

  std::vector<UndefinedRun> runs_;  // in order, apart from each other
};

}  // namespace airlite::analysis
