// What transfers touch of a buffer, in coordinates of its dimensions: boxes can be compared, moved
// and made smaller where addresses cannot.
#pragma once

#include "airlite/analysis/AccessList.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <span>

namespace airlite::air {

/// `count` places, each `step` (one number for each dimension of the buffer) from the one before.
struct BoxTerm {
  std::vector<int64_t> step;
  int64_t count = 1;
};

/// The elements at `start` plus, of each term, 0 to count - 1 steps.
struct BufferBox {
  std::vector<analysis::LinearSum> start;
  std::vector<BoxTerm> terms;

  unsigned rank() const { return static_cast<unsigned>(start.size()); }
  /// From the least to the greatest coordinate of dimension `dim`, for one value of the symbols.
  int64_t extent(unsigned dim) const;
  /// How far the least coordinate is below `start`: 0 or negative.
  int64_t below(unsigned dim) const;
  /// Each element between the least and the greatest coordinates is there.
  bool isFull() const;
  /// Replaces `symbol`: it takes the values `first` + k * `step`, 0 <= k < `count`. False when a
  /// number gets too large.
  [[nodiscard]] bool bind(Value symbol, const analysis::SymbolRange& range);
  /// Binds the symbols for which `isInner` to their ranges; false where one is not known.
  [[nodiscard]] bool bindAll(FunctionRef<bool(Value)> isInner, analysis::LinearReader& reader);
};

/// How far `stride` elements go in each dimension of a row-major buffer.
std::vector<int64_t> coordinatesOf(int64_t stride, std::span<const int64_t> shape);
/// The elements of `list` in a row-major buffer; null when a number gets too large.
std::optional<BufferBox> boxOf(const analysis::AccessList& list, std::span<const int64_t> shape);
std::vector<int64_t> shapeOf(MemRefType type);
/// Row-major strides.
std::vector<int64_t> stridesOf(std::span<const int64_t> shape);

}  // namespace airlite::air
