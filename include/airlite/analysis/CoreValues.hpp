// What index values are on one core of a herd.
//
//   CoreValues values(herd, {x, y});
//   std::optional<int64_t> offset = values(copy.offset());  // where only the ids decide it
#pragma once

#include "airlite/dialect/Air.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace airlite::analysis {

/// Index values on one core: constants, ids, and what is computed from them.
class CoreValues {
 public:
  CoreValues() = default;  // constants only: of a core whose ids have been written out
  CoreValues(air::HerdOp herd, const std::vector<int64_t>& id);
  /// Nothing where it depends on more.
  std::optional<int64_t> operator()(Value value);

 private:
  std::unordered_map<Value, std::optional<int64_t>> known_;
};

}  // namespace airlite::analysis
