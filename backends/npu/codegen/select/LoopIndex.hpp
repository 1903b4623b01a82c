// Indices in the body of a loop as sums of what moves with the loop and what does not.
#pragma once

#include "airlite/dialect/Scf.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace airlite::npu::codegen {

/// An index as perRound * i + constant + the sum of value * factor, `i` being the loop's variable;
/// with a row length, as perRound * (i mod length) + perRow * (i div length) + ...
struct IndexSum {
  int64_t perRound = 0, constant = 0;
  int64_t perRow = 0, rowLength = 0;
  std::vector<std::pair<Value, int64_t>> others;

  /// False when the rows of the two have different lengths.
  bool add(IndexSum sum, int64_t factor);
  /// The same with rows of this length, where it has none.
  void setRows(int64_t length);
  bool moves() const { return perRound || perRow; }
  void addOther(Value value, int64_t times);
  bool sameBut(const IndexSum& sum) const;
};

/// None for an index that is computed otherwise.
std::optional<IndexSum> readIndex(scf::ForOp loop, Value index);

}  // namespace airlite::npu::codegen
